import { join } from "node:path";
import { isForeignFolder } from "../base/disk/is-foreign-folder.ts";
import type { OutputFile } from "../base/disk/output-file.ts";
import { readGeneratedText, readTree } from "../base/disk/read-tree.ts";
import { FLEET_RECORD_PATH } from "./fleet-record.ts";
import { SCHEMAS_FOLDER } from "./snapshot.ts";

/**
 * Reads the fleet record and every schema file in the folder of snapshots, expected or not, as they are on disk
 * and without understanding any.
 *
 * @param outputRoot absolute path of the output folder.
 * @returns paths relative to the output folder, in code-unit order.
 */
export async function readSchemaFiles(outputRoot: string): Promise<OutputFile[]> {
  const names = await readTree(
    join(outputRoot, SCHEMAS_FOLDER),
    [".graphql", ".gql", ".json"],
    isForeignFolder,
  );
  const paths = names
    .map((name) => `${SCHEMAS_FOLDER}/${name}`)
    .filter((path) => !path.endsWith(".json") || path === FLEET_RECORD_PATH);
  const files: OutputFile[] = [];
  for (const path of paths) {
    const content = await readGeneratedText(join(outputRoot, path));
    if (content !== null) files.push({ path, content });
  }
  return files;
}
