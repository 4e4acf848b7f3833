import { isAbsolute, relative } from "node:path";
import { readText } from "../base/disk/read-tree.ts";
import { FileError } from "../base/errors/file-error.ts";
import { SchemaError } from "../base/errors/schema-error.ts";
import { buildFileFinding } from "../report/build-file-finding.ts";
import type { Finding } from "../report/finding.ts";
import type { EntityModel } from "../schema/entity-model.ts";
import { parseEntities } from "../schema/parse-entities.ts";
import { problemsOf } from "./refusal.ts";
import type { SurfacePlan } from "./surface-plan.ts";

/** The file of an entity schema: what it is, or why no platform can read it. */
export type EntityFile = SurfacePlan["entities"] & {
  /** Absolute. */
  readonly path: string;
  /** Null where no platform can read it; `problems` say why. */
  readonly model: EntityModel | null;
  readonly problems: readonly Finding[];
};

/**
 * Reads an entity schema.
 *
 * @param path absolute.
 * @param name as errors and reports name it.
 * @param root the project's, from which findings name files.
 * @throws FileError
 */
export async function readEntityFile(path: string, name: string, root: string): Promise<EntityFile> {
  const text = await readText(path);
  if (text === null) {
    throw new FileError({
      code: "FILE_UNREADABLE",
      sentence: `There is no file "${name}".`,
      hint: "name the entity schema that is to be deployed.",
    });
  }
  const below = relative(root, path).replaceAll("\\", "/");
  // What a shell hands over, and what lies beside the project, has no path in it.
  const file = below.startsWith("../") || isAbsolute(below) ? name : below;
  const known = { path, name, file, text };
  try {
    return { ...known, model: parseEntities(text, name), problems: [] };
  } catch (error) {
    if (!(error instanceof SchemaError) || error.code === "SCHEMA_TOO_LARGE") throw error;
    const problems = problemsOf(error).map(({ reason, line, column }) =>
      buildFileFinding("plan/syntax", [reason], { place: { file, line, column } }),
    );
    return { ...known, model: null, problems };
  }
}
