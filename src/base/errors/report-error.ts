import { LockflowError } from "./lockflow-error.ts";

/** A file is not a report that `--report json=<file>` wrote. Nothing was written. */
export class ReportError extends LockflowError<"REPORT_INVALID"> {}
