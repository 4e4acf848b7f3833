import { loadEmulator } from "../load-emulator.ts";
import type { StyleName } from "../project/vocabulary.ts";
import type { ApiSchema } from "../schema/api-schema.ts";
import { parseEntities } from "../schema/parse-entities.ts";
import { styles } from "../styles/index.ts";
import type { DeriveOptions } from "../styles/style.ts";

/** Derives the API schema of an entity SDL, in the server's own order, as `deriveEntities` does. */
export type DeriveEntities = (
  style: StyleName,
  text: string,
  place: string,
  options: DeriveOptions,
) => Promise<ApiSchema>;

/**
 * Derives what a platform serves of an entity SDL, once it has checked that the platform takes it.
 *
 * @param place names the text in errors.
 * @throws SchemaError with all of the platform's reasons to refuse it, or for a text that does not parse.
 */
export const deriveEntities: DeriveEntities = async (name, text, place, options) => {
  const { derive, platform } = styles[name];
  const { servedStyles } = await loadEmulator();
  await servedStyles[name].validate(text, place, options);
  return derive(parseEntities(text, place, platform.readBlockString), options);
};
