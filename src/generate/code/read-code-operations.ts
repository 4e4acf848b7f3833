import { join } from "node:path";
import type { Project } from "../../project/project.ts";
import { type SurfaceId, surfaceId } from "../../project/surface.ts";
import { toGraphqlSchema } from "../../schema/to-graphql-schema.ts";
import { parseSnapshotText } from "../../snapshots/parse-snapshot.ts";
import { readSnapshots } from "../../snapshots/read-snapshots.ts";
import type { PortableReader } from "../create-portable-reader.ts";
import { readCode, surfacesInCode } from "../generation-inputs.ts";
import type { OperationFile, OperationSet } from "../operation-set.ts";
import { readOperationSources } from "../operation-source.ts";
import type { Candidate } from "./assign-code.ts";

/** Reads the documents in code by their surfaces, as the snapshots tell these. What is wrong with them is for `check` to tell. */
export async function readCodeOperations(
  project: Project,
  readCompiled: PortableReader,
): Promise<ReadonlyMap<SurfaceId, readonly OperationFile[]>> {
  const code = await readCode(project);
  const ids = surfacesInCode(code);
  if (ids.size === 0) return new Map();
  const surfaces = project.surfaces.filter(({ id }) => ids.has(id));
  const candidates: Candidate[] = [];
  const shared = new Map<SurfaceId, OperationSet | null>();
  for (const snapshot of await readSnapshots(join(project.root, project.output), surfaces)) {
    const { protocol, style } = snapshot;
    const id = surfaceId(snapshot);
    candidates.push({ protocol, style, snapshot, sources: await readOperationSources(project, id) });
    shared.set(id, (await readCompiled(protocol))?.sets[style] ?? null);
  }
  const { assignCode } = await import("./assign-code.ts");
  const schemaOf = ({ base }: Candidate["snapshot"]) =>
    toGraphqlSchema(parseSnapshotText(base), { repeatable: false });
  const sharedOf = (candidate: Candidate) => shared.get(surfaceId(candidate)) ?? null;
  return assignCode({ files: code.files, candidates }, { schemaOf, sharedOf }).bySurface;
}
