import { LockflowError } from "./lockflow-error.ts";

type BaselineErrorCode =
  | "BASELINE_INVALID"
  | "BASELINE_REPORT_INVALID"
  | "BASELINE_UNKNOWN_FINGERPRINT"
  | "BASELINE_NOT_ACCEPTABLE"
  | "BASELINE_UNKNOWN_SCOPE";

/** What was accepted cannot be read, or cannot be accepted. Nothing was written. */
export class BaselineError extends LockflowError<BaselineErrorCode> {}
