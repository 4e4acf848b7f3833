import { compareCodeUnits } from "../../base/compare-code-units.ts";
import type { Finding } from "../../report/finding.ts";
import type { Acceptance } from "../../report/outcome.ts";

/** Where the baseline is, from the project's root. */
export const BASELINE_PATH = "drift-accepted.json";

/** One accepted finding: its identity, its facts for people, and the reason. */
export type AcceptedEntry = Acceptance &
  Pick<Finding, "code" | "coordinate" | "before" | "after"> & {
    /** Twelve hex digits, as `fingerprint` gives them. */
    readonly fingerprint: string;
    /** Names of the deployments it is accepted for, in code-unit order; empty when the finding is about none. */
    readonly scope: readonly string[];
  };

/** A copy in the order of the file: what belongs together for people stands together. */
export function sortEntries(entries: readonly AcceptedEntry[]): AcceptedEntry[] {
  return [...entries].sort(
    (a, b) =>
      compareCodeUnits(a.code, b.code) ||
      compareCodeUnits(a.coordinate ?? "", b.coordinate ?? "") ||
      compareCodeUnits(a.fingerprint, b.fingerprint) ||
      compareCodeUnits(a.scope.join(), b.scope.join()),
  );
}

/** Whether a text is a day of the calendar, as `2027-01-31`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // The 30th of February is parsed by some as the 2nd of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
