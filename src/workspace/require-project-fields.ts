import { join } from "node:path";
import { styles } from "../dialects/index.ts";
import { isOf } from "../dialects/surface.ts";
import type { Project } from "../project/project.ts";
import { namesFields } from "./check-definitions.ts";
import { readSnapshots } from "./read-snapshots.ts";
import type { Snapshot } from "./snapshot.ts";

/**
 * Requires that the definitions of a project name fields that its committed snapshots have, in whichever style, also
 * where a run is about one of them. It reads nothing where no definition names a field.
 *
 * @param known snapshots that are read already: what is parsed of them is not parsed again.
 * @throws ConfigError, and SchemaError for what cannot be read.
 */
export async function requireProjectFields(
  { root, output, ...project }: Project,
  known: readonly Snapshot[],
): Promise<void> {
  const definitions = project.definitions.filter(namesFields);
  if (definitions.length === 0) return;
  const others = project.surfaces.filter(
    (surface) => definitions.some(({ key }) => key === surface.protocol) && !known.some(isOf(surface)),
  );
  // Loaded where they are needed: what parses is no small part of what a run loads.
  const { requireDefinitions } = await import("./check-definitions.ts");
  const { parseSnapshot } = await import("./snapshot.ts");
  const snapshots = [...known, ...(await readSnapshots(join(root, output), others))];
  await requireDefinitions({ root, definitions }, snapshots, ({ style, base }) =>
    styles[style].schemas.read(parseSnapshot(base)),
  );
}
