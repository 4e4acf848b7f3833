import { LockflowError, type LockflowErrorOptions } from "./lockflow-error.ts";

export type MemoryErrorCode = "MEMORY_INVALID";

/** What an earlier run is said to have kept cannot be read. Nothing was sent or written. */
export class MemoryError extends LockflowError {
  declare readonly code: MemoryErrorCode;
  constructor(options: LockflowErrorOptions & { readonly code: MemoryErrorCode }) {
    super(options);
  }
}
