import { join } from "node:path";
import { readText } from "../../base/disk/read-tree.ts";
import { hash } from "../../base/hash.ts";
import type { Project } from "../../project/project.ts";
import { type AcceptedEntry, BASELINE_PATH } from "./accepted-entry.ts";
import { parseBaseline } from "./baseline-file.ts";

/**
 * Reads what was accepted; nothing when there is no file.
 *
 * @throws BaselineError
 */
export async function readBaseline({ root }: Pick<Project, "root">): Promise<AcceptedEntry[]> {
  const text = await readText(join(root, BASELINE_PATH));
  return text === null ? [] : parseBaseline(text, BASELINE_PATH);
}

/** What `hashBaseline` gives where there is no file. */
export const NOTHING_ACCEPTED = "none";

/**
 * What was accepted, as a hash of the file and of which entries have expired: a check that was clean yesterday is not
 * when an acceptance ended last night.
 *
 * @throws BaselineError
 */
export async function hashBaseline({ root }: Pick<Project, "root">, now: number): Promise<string> {
  const text = await readText(join(root, BASELINE_PATH));
  if (text === null) return NOTHING_ACCEPTED;
  const today = new Date(now).toISOString().slice(0, 10);
  const expired = parseBaseline(text, BASELINE_PATH).filter(({ until }) => until !== null && until < today);
  return hash(JSON.stringify([text, expired.map(({ fingerprint, scope }) => [fingerprint, scope])]));
}
