import { join } from "node:path";
import type { Project } from "../../project/project.ts";
import type { SurfaceId } from "../../project/surface.ts";
import { parseSdl } from "../../schema/parse-sdl.ts";
import { toGraphqlSchema } from "../../schema/to-graphql-schema.ts";
import { readSnapshots } from "../../snapshots/read-snapshots.ts";
import { readCode, readOperationSources, surfacesInCode } from "../generation-inputs.ts";
import type { OperationFile } from "../operation-set.ts";
import type { Candidate } from "./assign-code.ts";

/** Reads the documents in code by their surfaces, as the snapshots tell these. What is wrong with them is for `check` to tell. */
export async function readCodeOperations(
  project: Project,
): Promise<ReadonlyMap<SurfaceId, readonly OperationFile[]>> {
  const code = await readCode(project);
  const ids = surfacesInCode(code);
  if (ids.size === 0) return new Map();
  const surfaces = project.surfaces.filter(({ id }) => ids.has(id));
  const candidates: Candidate[] = [];
  for (const snapshot of await readSnapshots(join(project.root, project.output), surfaces)) {
    const { protocol, style } = snapshot;
    candidates.push({ protocol, style, snapshot, sources: await readOperationSources(project, snapshot) });
  }
  const { assignCode } = await import("./assign-code.ts");
  const schemaOf = ({ base }: Candidate["snapshot"]) =>
    toGraphqlSchema(parseSdl(base.text, base.path), { repeatable: false });
  return assignCode({ files: code.files, candidates }, schemaOf).bySurface;
}
