import { SchemaError } from "../base/errors.ts";
import type { ApiSchema } from "../dialects/api-schema.ts";
import { styles } from "../dialects/index.ts";
import { locateDefinitions } from "../dialects/locate.ts";
import { parseEntities } from "../dialects/parse-entities.ts";
import type { DeriveOptions } from "../dialects/style.ts";
import type { StyleName } from "../dialects/surface.ts";
import { loadEmulator } from "./load-emulator.ts";

/** Derives the API schema of an entity SDL, in the server's own order, as `deriveEntities` does. */
export type DeriveEntities = (
  style: StyleName,
  text: string,
  place: string,
  options: DeriveOptions,
) => Promise<ApiSchema>;

/**
 * Derives what a platform serves of an entity SDL, once it has checked that the platform takes it and serves it.
 *
 * @param place names the text in errors.
 * @throws SchemaError with all of the platform's reasons to refuse it, or for a text that does not parse.
 */
export const deriveEntities: DeriveEntities = async (name, text, place, options) => {
  const { derive, findBreakage, platform } = styles[name];
  const { servedStyles } = await loadEmulator();
  await servedStyles[name].validate(text, place, options);
  const model = parseEntities(text, place, platform.readBlockString);
  const breakage = findBreakage(model);
  if (breakage === null) return derive(model, options);
  const { line, column } = locateDefinitions(text, place).get(breakage.name) ?? { line: null, column: null };
  const reason = `${breakage.reason}; it is deployed, but every query is answered with that.`;
  throw new SchemaError({
    code: "SCHEMA_ENTITIES_INVALID",
    sentence: `${place}${line === null ? "" : `:${line}`} has no API: ${reason}`,
    hint: `give the types called "${breakage.name}" names of their own.`,
    problems: [{ reason, line, column }],
  });
};
