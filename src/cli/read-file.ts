import { resolve } from "node:path";
import { readText } from "../base/disk/read-tree.ts";
import { FileError } from "../base/errors/file-error.ts";

/**
 * Reads a file that the command line names.
 *
 * @param hint what it should name.
 * @throws FileError
 */
export async function readFile(cwd: string, path: string, hint: string): Promise<string> {
  const text = await readText(resolve(cwd, path));
  if (text !== null) return text;
  throw new FileError({ code: "FILE_UNREADABLE", sentence: `There is no file "${path}".`, hint });
}
