import { type EarlierFile, readAtRef } from "../base/git.ts";
import type { ProjectPlace } from "../project/load-project.ts";
import { SCHEMAS_FOLDER } from "./snapshot.ts";

/**
 * Reads snapshots as they were at a git ref, also if their folder was moved since.
 *
 * @param names `lockup/subgraph`, or with the hash of a variant.
 * @returns the files by name. Snapshots that did not exist are left out.
 * @throws FileError for a ref that git does not have.
 */
export async function readEarlierSnapshots(
  { root, output }: ProjectPlace,
  ref: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, EarlierFile>> {
  const pathOf = (name: string) => `${output}/${SCHEMAS_FOLDER}/${name}.graphql`;
  const files = await readAtRef(root, ref, names.map(pathOf));
  const snapshots = new Map<string, EarlierFile>();
  for (const name of names) {
    const file = files.get(pathOf(name));
    // Git compares contents only, and the snapshot of another surface may be the most similar file.
    if (file && `/${file.path}`.endsWith(`/${name}.graphql`)) snapshots.set(name, file);
  }
  return snapshots;
}
