/** A judged fact to report. Never an exception: a run collects all of them and decides once. */
export type Finding = {
  /** Stable, for programs: `operation/unknown-field`. */
  readonly code: string;
  readonly severity: Severity;
  /** What it is about: an operation, a file, a deployment. */
  readonly subject: string;
  readonly message: string;
  /** Where to look, if it is in a file: a path from the project's root, 1-based line and column. */
  readonly place: Place | null;
  /** What to do about it. */
  readonly hint: string | null;
};

/** Only an `error` makes a run red. */
export type Severity = "error" | "warning" | "info";

export type Place = {
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
};
