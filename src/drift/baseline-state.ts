import { join } from "node:path";
import { readText } from "../base/disk/read-tree.ts";
import { hash } from "../base/hash.ts";
import type { Project } from "../project/project.ts";
import { BASELINE_PATH } from "./baseline/accepted-entry.ts";
import { parseBaseline } from "./baseline/parse-baseline.ts";

/**
 * What was accepted, as a hash of the file and of which entries have expired: a check that was clean yesterday is not
 * when an acceptance ended last night.
 *
 * @throws BaselineError
 */
export async function baselineState({ root }: Project, now: number): Promise<string> {
  const text = await readText(join(root, BASELINE_PATH));
  if (text === null) return "none";
  const today = new Date(now).toISOString().slice(0, 10);
  const expired = parseBaseline(text, BASELINE_PATH).filter(({ until }) => until !== null && until < today);
  return hash(JSON.stringify([text, expired.map(({ fingerprint, scope }) => [fingerprint, scope])]));
}
