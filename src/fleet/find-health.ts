import { EndpointError } from "../base/errors/endpoint-error.ts";
import type { Chain } from "../project/chain.ts";
import type { Finding } from "../report/finding.ts";
import { collectHeads } from "./collect-heads.ts";
import { findingsBySurface } from "./endpoint-finding.ts";
import { isSilent } from "./failure.ts";
import { findSlowHeads } from "./find-slow-heads.ts";
import type { Memory } from "./memory.ts";
import type { Outcome } from "./outcome.ts";

/** After more days than these without an answer, a deployment is dead. */
const MAX_SILENT_DAYS = 14;
const MILLISECONDS_PER_DAY = 24 * 60 * 60 * 1000;
const GONE = 410;

/**
 * Finds deployments that are who they should be and not well. None of it is a fault of this repository.
 *
 * @param memory what is known with this run.
 * @param now when the run began, in milliseconds since the epoch.
 */
export function findHealth(
  outcomes: readonly Outcome[],
  chains: readonly Chain[],
  memory: Memory,
  now: number,
): Finding[] {
  const failing = outcomes.filter((one) => one.kind === "introspected" && one.probe.hasIndexingErrors);
  const failed = outcomes.flatMap(({ deployment, ...outcome }) =>
    outcome.kind === "failed" && outcome.error instanceof EndpointError
      ? [{ deployment, error: outcome.error }]
      : [],
  );
  return [
    ...findingsBySurface(failing, () => ({
      code: "health/indexing-error",
      facts: [],
    })),
    ...findingsBySurface(
      failed.filter(({ error }) => error.isDormant),
      () => ({
        code: "health/dormant",
        facts: [],
      }),
    ),
    ...findingsBySurface(
      failed.filter(({ error }) => error.status === GONE),
      () => ({
        code: "health/retired",
        severity: "risky",
        facts: [true],
        fix: 'set its status to "retired" in the configuration.',
      }),
    ),
    ...findDead(outcomes, memory, now),
    ...findSlowHeads(collectHeads(outcomes, chains), memory, now),
  ];
}

/** Finds deployments that have not answered for long, by the runs before this one. */
function findDead(outcomes: readonly Outcome[], memory: Memory, now: number): Finding[] {
  const dead = outcomes.filter(isSilent).flatMap(({ deployment }) => {
    const since = memory.get(deployment.name)?.silentSince ?? null;
    const days = since === null ? 0 : Math.floor((now - Date.parse(since)) / MILLISECONDS_PER_DAY);
    return since !== null && days > MAX_SILENT_DAYS ? [{ deployment, since }] : [];
  });
  return findingsBySurface(dead, (group) => ({
    code: "health/endpoint-dead",
    facts: [describeDays(group)],
  }));
}

function describeDays(
  group: readonly { readonly deployment: { readonly name: string }; readonly since: string }[],
): string {
  const days = [...new Set(group.map(({ since }) => since))].sort();
  if (days.length === 1) return days.join();
  const namesOf = (day: string) =>
    group.flatMap(({ deployment, since }) => (since === day ? [deployment.name] : []));
  return days.map((day) => `${day} (${namesOf(day).join(", ")})`).join(", ");
}
