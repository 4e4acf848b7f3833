import { SchemaError } from "../base/errors.ts";
import type { ApiSchema } from "./api-schema.ts";
import { styles } from "./index.ts";
import { locateDefinitions } from "./locate.ts";
import { parseEntities } from "./parse-entities.ts";
import type { DeriveOptions } from "./platform.ts";
import type { StyleName } from "./surface.ts";

/** The text of an entity schema. */
export type EntityText = {
  /** As errors and reports name it: a path, or a path at a git ref. */
  readonly name: string;
  readonly text: string;
};

/**
 * Derives the API schema of an entity schema, in the server's own order, after checking that the platform accepts and
 * serves it.
 *
 * @throws SchemaError with all of the platform's reasons to refuse it, or for a text that does not parse.
 */
export async function deriveEntities(
  style: StyleName,
  { name, text }: EntityText,
  options: DeriveOptions,
): Promise<ApiSchema> {
  const { deriver, platform } = styles[style];
  await deriver.validate(text, name, options);
  const model = parseEntities(text, name, platform.readBlockString);
  const breakage = deriver.findBreakage(model);
  if (breakage === null) return deriver.derive(model, options);
  const { line = null, column = null } = locateDefinitions(text, name).get(breakage.name) ?? {};
  const reason = `${breakage.reason}; it is deployed, but every query is answered with that.`;
  throw new SchemaError({
    code: "SCHEMA_ENTITIES_INVALID",
    sentence: `${name}${line === null ? "" : `:${line}`} has no API: ${reason}`,
    hint: `give the types called "${breakage.name}" names of their own.`,
    problems: [{ reason, line, column }],
  });
}
