import { readFileSync, statSync } from "node:fs";
import { hash } from "../hash.ts";
import { isMissing } from "./is-missing.ts";

/** The hash of a file's bytes; null when there is no such file. What is no file, and may never end, is not read. */
export function hashOf(path: string): string | null {
  const content = readIfThere(path);
  return content === null ? null : hash(content);
}

/** The bytes of a file; null when there is no such file. */
export function readIfThere(path: string): Buffer | null {
  try {
    if (!statSync(path).isFile()) {
      throw Object.assign(new Error("something else is in its place"), { code: "EISDIR", path });
    }
    return readFileSync(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
