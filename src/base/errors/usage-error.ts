import { LockflowError } from "./lockflow-error.ts";

/** The command line was not understood. Nothing was read, sent or written. */
export class UsageError extends LockflowError {
  constructor(options: {
    readonly sentence: string;
    readonly context?: readonly string[];
    readonly hint?: string;
  }) {
    super({ code: "USAGE", ...options });
  }
}
