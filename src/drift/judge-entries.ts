import { categoryOf } from "../base/category-of.ts";
import type { AcceptedEntry } from "./baseline/accepted-entry.ts";
import type { BaselineContext } from "./baseline/apply-baseline.ts";

/**
 * Creates the predicate of accepted findings that a run would have found again if they still existed. What deployments
 * serve is accepted from their answers and from the snapshots, so that only a run that knows both judges it.
 *
 * @param looked categories that the run looked at.
 * @param shown fingerprints of what the snapshots show; null for a run that asks no deployment.
 */
export function judgeEntries(
  looked: readonly string[],
  shown: ReadonlySet<string> | null,
): BaselineContext["judges"] {
  return (entry) => {
    if (!isServed(entry)) return looked.includes(categoryOf(entry));
    if (shown === null) return false;
    // What flaps may answer alike for once, and what was compared with a git ref is not compared with what is served.
    return entry.code !== "fleet/flapping" && entry.scope.length > 0 && !shown.has(entry.fingerprint);
  };
}

/** Whether an accepted finding is of what deployments serve. */
export function isServed(entry: Pick<AcceptedEntry, "code">): boolean {
  return ["drift", "fleet"].includes(categoryOf(entry));
}
