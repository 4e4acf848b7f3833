import { LockflowError, type LockflowErrorOptions } from "./lockflow-error.ts";

export type FileErrorCode = "FILE_UNREADABLE" | "FILE_UNWRITABLE";

/** The disk did not give or take what it had to. Nothing half-written is left behind. */
export class FileError extends LockflowError {
  declare readonly code: FileErrorCode;
  constructor(options: LockflowErrorOptions & { readonly code: FileErrorCode }) {
    super(options);
  }
}
