/** What one check says of one thing. */
export type CheckResult = {
  readonly status: Status;
  /** One sentence. It never holds a key. */
  readonly sentence: string;
  /** What to type or to do; null where nothing is to be done. */
  readonly fix: string | null;
};

/** `skipped` is what could not be looked at: it is not clean, and nothing is known to be wrong. */
export type Status = "ok" | "warning" | "problem" | "skipped";

/** Nothing to be done. */
export function ok(sentence: string): CheckResult {
  return { status: "ok", sentence, fix: null };
}

/** Works today, and is likely to hurt. */
export function warning(sentence: string, fix: string): CheckResult {
  return { status: "warning", sentence, fix };
}

/** Something does not work. */
export function problem(sentence: string, fix: string | null): CheckResult {
  return { status: "problem", sentence, fix };
}

/** Not looked at, and why. */
export function skipped(sentence: string): CheckResult {
  return { status: "skipped", sentence, fix: null };
}
