import { cached, compareCodeUnits } from "../../base/collections.ts";
import { styles } from "../../dialects/index.ts";
import { surfaceId } from "../../dialects/surface.ts";
import { findSelectedFields } from "../../operations/find-selected-fields.ts";
import { readOperations } from "../../workspace/operations.ts";
import type { Snapshot } from "../../workspace/snapshot.ts";
import { graphqlSchema, snapshotModel, writtenSchema } from "../../workspace/snapshot-schema.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { SelectingOperation } from "./described-data.ts";

/** Returns the operations that select an entity, `Stream`, or a field, `Stream.sender`. */
export type Selections = (coordinate: string) => readonly SelectingOperation[];

/** Finds what the operations of surfaces select. A portable operation is listed once, with the styles that select it. */
export async function findSelections(
  workspace: Workspace,
  snapshots: readonly Snapshot[],
): Promise<Selections> {
  const operations = await readOperations(workspace, snapshots);
  const found = new Map<string, Map<string, SelectingOperation>>();
  for (const snapshot of snapshots) {
    const { style, base } = snapshot;
    const schema = graphqlSchema(base);
    const originsOf = styles[style].deriver.traceOrigins([snapshotModel(snapshot)], writtenSchema(base));
    for (const { name, document, place, isPortable } of operations.get(surfaceId(snapshot)) ?? []) {
      for (const coordinate of findSelectedFields(document, schema, originsOf)) {
        const selecting = cached(found, coordinate, () => new Map<string, SelectingOperation>());
        const key = `${name} ${place.file}:${place.line}`;
        const known = selecting.get(key)?.styles ?? [];
        selecting.set(key, {
          name,
          file: place.file,
          line: place.line,
          isPortable,
          styles: [...known, style],
        });
      }
    }
  }
  return (coordinate) =>
    [...(found.get(coordinate)?.values() ?? [])].sort(
      (a, b) => compareCodeUnits(a.name, b.name) || compareCodeUnits(a.file, b.file) || a.line - b.line,
    );
}
