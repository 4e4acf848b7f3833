import { basename, dirname, resolve } from "node:path";
import { readText } from "../base/disk/read-tree.ts";
import { writeFiles } from "../base/disk/write-files.ts";
import { type Memory, parseMemory, renderMemory } from "../fleet/memory.ts";
import type { CommandContext } from "./context.ts";

/**
 * Reads what earlier runs kept with `--memory`: nothing without it, and nothing in the first run.
 *
 * @throws MemoryError when the file holds anything else, FileError when it cannot be read.
 */
export async function readMemory({ cwd }: CommandContext, file: string | undefined): Promise<Memory> {
  const text = file === undefined ? null : await readText(resolve(cwd, file));
  return file === undefined || text === null ? new Map() : parseMemory(text, file);
}

/**
 * Writes what the next run shall know; nothing without `--memory`.
 *
 * @throws FileError
 */
export async function writeMemory(
  { cwd }: CommandContext,
  file: string | undefined,
  memory: Memory,
): Promise<void> {
  if (file === undefined) return;
  const path = resolve(cwd, file);
  await writeFiles(dirname(path), [{ path: basename(path), content: renderMemory(memory) }]);
}
