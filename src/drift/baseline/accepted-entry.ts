import { compareCodeUnits } from "../../base/compare-code-units.ts";

/** Where the baseline is, from the project's root. */
export const BASELINE_PATH = "drift-accepted.json";

/** One accepted finding: its identity, its facts for people, and the reason. */
export type AcceptedEntry = {
  /** Twelve hex digits, as `fingerprint` gives them. */
  readonly fingerprint: string;
  /** As the finding has it. */
  readonly code: string;
  /** As the finding has it. */
  readonly coordinate: string | null;
  /** As the finding has it. */
  readonly before: string | null;
  /** As the finding has it. */
  readonly after: string | null;
  /**
   * Names of the deployments it is accepted for, in code-unit order. Empty when the finding is about no
   * deployment. One that shows the same later is news.
   */
  readonly scope: readonly string[];
  /** Why it is tolerated. */
  readonly reason: string;
  /** The last day it is accepted on, as `2027-01-31`; null for as long as it lasts. */
  readonly until: string | null;
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
