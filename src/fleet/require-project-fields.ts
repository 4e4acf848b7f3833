import { join } from "node:path";
import type { Project } from "../project/project.ts";
import { parseSnapshot } from "../snapshots/parse-snapshot.ts";
import { readSnapshots } from "../snapshots/read-snapshots.ts";
import { requireDefinitions } from "../snapshots/require-definitions.ts";
import { namesFields } from "../snapshots/require-known-fields.ts";
import { styles } from "../styles/index.ts";

/**
 * Requires that the definitions of a project name fields that its committed snapshots have, in whichever style, also
 * where a run is about one of them. It reads nothing where no definition names a field.
 *
 * @throws ConfigError, and SchemaError for what cannot be read.
 */
export async function requireProjectFields({ root, output, ...project }: Project): Promise<void> {
  const definitions = project.definitions.filter(namesFields);
  if (definitions.length === 0) return;
  const surfaces = project.surfaces.filter(({ protocol }) => definitions.some(({ key }) => key === protocol));
  await requireDefinitions(
    { root, definitions },
    await readSnapshots(join(root, output), surfaces),
    ({ style, base }) => styles[style].read(parseSnapshot(base)),
  );
}
