import type { Finding } from "../report/finding.ts";
import { buildEndpointFinding, byProtocolAndStyle } from "./build-endpoint-finding.ts";
import { isSilent } from "./describe-failure.ts";
import type { Outcome } from "./introspect-targets.ts";
import type { Memory } from "./memory.ts";

/** After more days than these, no answer is no passing trouble. */
const MOST_SILENT_DAYS = 14;

/**
 * Finds deployments that have not answered for long, by what runs before this one kept.
 *
 * @param memory what is known with this run.
 * @param now when the run began, in milliseconds since the epoch.
 */
export function findDead(outcomes: readonly Outcome[], memory: Memory, now: number): Finding[] {
  const dead = outcomes.filter(isSilent).flatMap(({ deployment }) => {
    const since = memory.get(deployment.name)?.silentSince ?? null;
    return since !== null && daysFrom(since, now) > MOST_SILENT_DAYS ? [{ deployment, since }] : [];
  });
  return byProtocolAndStyle(dead).map((group) =>
    buildEndpointFinding({
      code: "health/endpoint-dead",
      severity: "risky",
      deployments: group.map(({ deployment }) => deployment),
      message: `It has not answered since ${describeDays(group)}.`,
      fix: 'correct its URL, or set its status to "retired" in the configuration.',
    }),
  );
}

/** Whole days from the beginning of one to the present one. */
function daysFrom(day: string, now: number): number {
  return Math.floor((now - Date.parse(`${day}T00:00:00Z`)) / MILLISECONDS_PER_DAY);
}

const MILLISECONDS_PER_DAY = 24 * 60 * 60 * 1000;

function describeDays(
  group: readonly { readonly deployment: { readonly name: string }; readonly since: string }[],
): string {
  const days = [...new Set(group.map(({ since }) => since))].sort();
  if (days.length === 1) return days.join();
  return days
    .map(
      (day) =>
        `${day} (${group.flatMap((one) => (one.since === day ? [one.deployment.name] : [])).join(", ")})`,
    )
    .join(", ");
}
