import { type ListedBlock, parseBlockTable } from "../ask/past-blocks.ts";
import { UsageError } from "../base/errors.ts";
import { displayText } from "../base/text.ts";
import type { CommandContext } from "./context.ts";
import { flagOf } from "./option.ts";
import type { Options } from "./options.ts";
import { readFile } from "./task-options.ts";

/** @throws UsageError for options that choose a block in another way. */
export function requirePastAlone({ at, blocks, ...options }: Options<"ask">): void {
  const own = at === undefined ? "--blocks" : "--at";
  if (at === undefined && blocks === undefined) return;
  const other = (["block", "follow", "sinceLast", "confirmations", "maxLag"] as const).find(
    (name) => options[name] !== undefined && options[name] !== false,
  );
  if (other === undefined) return;
  throw new UsageError({
    sentence: `${own} and --${flagOf(other)} exclude each other.`,
    hint: `omit --${flagOf(other)}.`,
  });
}

/** Reads the file of `--blocks`. */
export async function readBlocks({ cwd }: CommandContext, path: string): Promise<readonly ListedBlock[]> {
  const text = await readFile(cwd, path, "pass a CSV file with the columns chain, block and timestamp.");
  return parseBlockTable(text, displayText(path, []));
}
