import { LockflowError } from "./lockflow-error.ts";

/** The disk did not give or take what it had to. Nothing half-written is left behind. */
export class FileError extends LockflowError<"FILE_UNREADABLE" | "FILE_UNWRITABLE"> {}
