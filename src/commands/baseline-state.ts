import { join } from "node:path";
import { BASELINE_PATH } from "../compare/baseline/accepted-entry.ts";
import { parseBaseline } from "../compare/baseline/parse-baseline.ts";
import { readText } from "../files/read-tree.ts";
import type { Project } from "../registry/project.ts";
import { hash } from "../utils/hash.ts";

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
