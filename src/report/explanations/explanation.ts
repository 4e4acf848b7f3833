import type { Severity } from "../finding.ts";

/** What a code stands for, at the length that a report has no room for. */
export type Explanation = {
  /** What was found. */
  readonly means: string;
  /** Why anybody should care. */
  readonly matters: string;
  /** What each severity that a finding of it can have says; absent where it has one only, and the rest says that. */
  readonly severities?: Readonly<Partial<Record<Severity, string>>>;
  /** What to do about it. */
  readonly act: string;
};
