import { Kind } from "graphql";
import { sortByName } from "../base/compare-code-units.ts";
import type { Place } from "../base/place.ts";
import type { AssessedOperation } from "../compare/impact/effect.ts";
import { readCodeOperations } from "../generate/code/read-code-operations.ts";
import { readOperationSources } from "../generate/generation-inputs.ts";
import { parseOperations } from "../generate/parse-operations.ts";
import type { Project } from "../project/project.ts";
import { type OfSurface, type SurfaceId, surfaceId } from "../project/surface.ts";

/** An operation whose impact is assessed, and where it is written. */
export type PlacedOperation = AssessedOperation & { readonly place: Place & { readonly line: number } };

/** The operations of surfaces, by the ids of those. */
export type OperationsBySurface = ReadonlyMap<SurfaceId, readonly PlacedOperation[]>;

/** Reads the operations of surfaces, in order of name. What does not parse is passed over: `check` tells of it. */
export async function readOperations(
  project: Project,
  surfaces: readonly OfSurface[],
): Promise<OperationsBySurface> {
  const operations = new Map<SurfaceId, readonly PlacedOperation[]>();
  const inCode = await readCodeOperations(project);
  for (const surface of surfaces) {
    const sources = await readOperationSources(project, surface);
    const own = inCode.get(surfaceId(surface)) ?? [];
    const { set, code } = parseOperations(sources, surface.protocol, surface.style, own);
    operations.set(
      surfaceId(surface),
      sortByName([...set.operations, ...code.operations]).map(({ name, file, node, fragments }) => {
        const token = node.loc?.startToken;
        return {
          name,
          document: { kind: Kind.DOCUMENT, definitions: [node, ...fragments] },
          place: { file: file.path, line: token?.line ?? 1, column: token?.column ?? 1 },
        };
      }),
    );
  }
  return operations;
}
