import { LockflowError, type LockflowErrorOptions } from "./lockflow-error.ts";

/** There is nothing to generate from. */
export class OperationError extends LockflowError {
  constructor(options: Omit<LockflowErrorOptions, "code">) {
    super({ code: "OPERATIONS_MISSING", ...options });
  }
}
