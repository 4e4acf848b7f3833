import { execFile } from "node:child_process";
import { FileError } from "../errors/file-error.ts";

/** What git ended with, and what it wrote until then. */
export type GitAnswer = { readonly status: number; readonly out: string; readonly cause: unknown };

const MAX_BYTES = 64 * 1024 * 1024;

/** Asks git, without a shell: nothing of a ref or a path is read as a command. Throws where there is no git. */
export function askGit(cwd: string, args: readonly string[]): Promise<GitAnswer> {
  return new Promise((resolve, reject) => {
    execFile("git", args, { cwd, encoding: "utf8", maxBuffer: MAX_BYTES }, (cause, out) => {
      if (cause === null) return resolve({ status: 0, out, cause: null });
      if (typeof cause.code === "number") return resolve({ status: cause.code, out, cause });
      reject(
        new FileError({
          code: "FILE_UNREADABLE",
          sentence: `git could not be asked (${String(cause.code ?? cause.signal ?? "unknown reason")}).`,
          hint: "install git, or compare files instead of refs.",
          cause,
        }),
      );
    });
  });
}
