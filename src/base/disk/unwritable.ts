import { FileError } from "../errors/file-error.ts";

/** The error of a disk that did not take what it had to. */
export function unwritable(root: string, cause: NodeJS.ErrnoException, hint: string): FileError {
  return new FileError({
    code: "FILE_UNWRITABLE",
    sentence: `${cause.path ?? root} cannot be written (${cause.code ?? cause.message}).`,
    hint,
    cause,
  });
}
