import { LockflowError } from "./lockflow-error.ts";

/** What an earlier run is said to have kept cannot be read. Nothing was sent or written. */
export class MemoryError extends LockflowError<"MEMORY_INVALID"> {}
