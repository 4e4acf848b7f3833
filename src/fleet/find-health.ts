import { EndpointError } from "../base/errors/endpoint-error.ts";
import { groupBy } from "../base/group-by.ts";
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
 * Finds deployments that are who they should be and not well, by a memory that holds this run, which began at `now`. Of
 * those that are called dormant only what is gone for good is news.
 */
export function findHealth(
  all: readonly Outcome[],
  chains: readonly Chain[],
  memory: Memory,
  now: number,
): Finding[] {
  const outcomes = all.filter(({ deployment }) => deployment.status !== "dormant");
  const awake = chains.filter(({ status }) => status !== "dormant");
  const failing = outcomes.filter((one) => one.kind === "introspected" && one.probe.hasIndexingErrors);
  const failedWith = (of: readonly Outcome[], test: (error: EndpointError) => boolean) =>
    of.filter((one) => one.kind === "failed" && one.error instanceof EndpointError && test(one.error));
  const dormant = failedWith(outcomes, ({ isDormant }) => isDormant);
  const gone = failedWith(all, ({ status }) => status === GONE);
  return [
    ...findingsBySurface(failing, () => ({ code: "health/indexing-error", facts: [] })),
    ...findingsBySurface(dormant, () => ({ code: "health/dormant", facts: [] })),
    ...findingsBySurface(gone, () => ({
      code: "health/retired",
      severity: "risky",
      facts: [true],
      fix: 'set its status to "retired" in the configuration.',
    })),
    ...findDead(outcomes, memory, now),
    ...findSlowHeads(collectHeads(outcomes, awake), memory, now),
  ];
}

/** Finds deployments that have not answered for long, by the runs before this one. */
function findDead(outcomes: readonly Outcome[], memory: Memory, now: number): Finding[] {
  const dead = outcomes.filter(isSilent).flatMap(({ deployment }) => {
    const since = memory.get(deployment.name)?.silentSince ?? null;
    const days = since === null ? 0 : Math.floor((now - Date.parse(since)) / MILLISECONDS_PER_DAY);
    return since !== null && days > MAX_SILENT_DAYS ? [{ deployment, since }] : [];
  });
  return findingsBySurface(dead, (group) => {
    const days = [...groupBy(group, ({ since }) => since)];
    const described = days.map(([day, own]) =>
      days.length === 1 ? day : `${day} (${own.map(({ deployment }) => deployment.name).join(", ")})`,
    );
    return { code: "health/endpoint-dead", facts: [described.sort().join(", ")] };
  });
}
