import { FileError } from "../errors/file-error.ts";

/** The error for what is there and cannot be read. */
export function unreadable(path: string, cause: unknown, hint?: string): FileError {
  const { code, path: place } = cause as NodeJS.ErrnoException;
  return new FileError({
    code: "FILE_UNREADABLE",
    sentence: `${place ?? path} cannot be read (${code ?? "unknown reason"}).`,
    hint: hint ?? (code === "EISDIR" ? "it is a folder: name a file." : "check that it is readable for you."),
    cause,
  });
}
