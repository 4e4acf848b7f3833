import { Kind } from "graphql";
import { sortByName } from "../base/compare-code-units.ts";
import type { Place } from "../base/place.ts";
import type { AssessedOperation } from "../compare/impact/effect.ts";
import { readCodeOperations } from "../generate/code/read-code-operations.ts";
import { createPortableReader } from "../generate/create-portable-reader.ts";
import { readOperationSources } from "../generate/operation-source.ts";
import { parseOperations } from "../generate/parse-operations.ts";
import type { Project } from "../project/project.ts";
import { type OfSurface, type SurfaceId, surfaceId } from "../project/surface.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";

/** An operation whose impact is assessed, and where it is written. */
export type PlacedOperation = AssessedOperation & {
  readonly place: Place & { readonly line: number };
  /** Whether it is written once for both styles. */
  readonly isPortable: boolean;
};

/** The operations of surfaces, by the ids of those. */
export type OperationsBySurface = ReadonlyMap<SurfaceId, readonly PlacedOperation[]>;

/**
 * Reads the operations of surfaces, in order of name: what is written once as each style is sent it. What does not parse
 * and what is refused is passed over: `check` tells of it.
 *
 * @param snapshots those that the caller has read, so that none is parsed twice.
 * @throws SchemaError where a protocol has portable operations and not the snapshots of both styles.
 */
export async function readOperations(
  project: Project,
  surfaces: readonly OfSurface[],
  snapshots: readonly Snapshot[],
): Promise<OperationsBySurface> {
  const operations = new Map<SurfaceId, readonly PlacedOperation[]>();
  const readCompiled = createPortableReader(project, snapshots);
  const inCode = await readCodeOperations(project, readCompiled);
  for (const surface of surfaces) {
    const { protocol, style } = surface;
    const id = surfaceId(surface);
    const sources = await readOperationSources(project, id);
    const shared = (await readCompiled(protocol))?.sets[style] ?? null;
    const portable = new Set(shared?.operations.map(({ name }) => name));
    const { set, code } = parseOperations(sources, protocol, style, inCode.get(id) ?? [], shared);
    operations.set(
      id,
      sortByName([...set.operations, ...code.operations]).map(({ name, file, node, fragments }) => {
        const token = node.loc?.startToken;
        return {
          name,
          document: { kind: Kind.DOCUMENT, definitions: [node, ...fragments] },
          place: { file: file.path, line: token?.line ?? 1, column: token?.column ?? 1 },
          isPortable: portable.has(name),
        };
      }),
    );
  }
  return operations;
}
