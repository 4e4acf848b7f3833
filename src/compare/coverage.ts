import { categoryOf, FILE_LAYERS } from "../report/finding.ts";
import type { AcceptedEntry } from "../workspace/baseline.ts";

/**
 * Creates the predicate of accepted findings that a run would report if they still existed. Findings about served schemas
 * come from answers and from the snapshots, so only a run that reads both covers them.
 *
 * @param categories the checked categories.
 * @param ofSnapshots fingerprints of the findings that the snapshots alone give; null for a run without requests.
 */
export function createCoverage(
  categories: readonly string[],
  ofSnapshots: ReadonlySet<string> | null,
): BaselineContext["covers"] {
  return (entry) => {
    if (!isAboutServedSchema(entry)) return categories.includes(categoryOf(entry));
    if (ofSnapshots === null) return false;
    // A flapping deployment may answer alike for once, and a comparison with a git ref has no served schema.
    return entry.code !== "fleet/flapping" && entry.scope.length > 0 && !ofSnapshots.has(entry.fingerprint);
  };
}

/** Returns whether an accepted finding is about a served schema. */
export function isAboutServedSchema(entry: Pick<AcceptedEntry, "code">): boolean {
  return ["drift", "fleet"].includes(categoryOf(entry));
}

/** Returns whether the snapshots alone show that an entry is stale. Files are corrected, so no entry of one is needed. */
export function isOfSnapshots(entry: Pick<AcceptedEntry, "code">): boolean {
  return OF_SNAPSHOTS.has(categoryOf(entry));
}

const OF_SNAPSHOTS: ReadonlySet<string> = new Set(["parity", ...FILE_LAYERS]);

/** The facts of a run that decide which entries are stale. */
export type BaselineContext = {
  /** The day of the run, as `2026-11-21`. */
  readonly today: string;
  /** The deployments whose schemas this run knows: an outage must not make an entry stale. */
  readonly answered: ReadonlySet<string>;
  /** Whether this run would report the finding again if it still existed. `check` cannot see drift, for example. */
  readonly covers: (entry: AcceptedEntry) => boolean;
};
