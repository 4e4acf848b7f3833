import { LockflowError } from "./lockflow-error.ts";

type MemoryErrorCode = "MEMORY_INVALID";

/** What an earlier run is said to have kept cannot be read. Nothing was sent or written. */
export class MemoryError extends LockflowError<MemoryErrorCode> {}
