import { locateDefinitions } from "../locate.ts";
import { parseEntities } from "../parse-entities.ts";
import type { DeriveOptions } from "../platform.ts";
import { findEntityProblems, refuseEntities } from "./entity-rules.ts";
import { releaseFeatures } from "./release.ts";
import { tableSettings } from "./tables.ts";

/**
 * Checks that a release of Envio accepts an entity schema, with an operator's settings.
 *
 * @param place the name of the text in errors: the path of a file.
 * @throws SchemaError `SCHEMA_ENTITIES_INVALID` with every reason and its line; `SCHEMA_SDL_SYNTAX` for a syntax error.
 */
export function validateMultichainEntities(text: string, place: string, options: DeriveOptions): void {
  const model = parseEntities(text, place);
  const reasons = findEntityProblems(model, releaseFeatures(options.release), tableSettings(options));
  if (reasons.length > 0) refuseEntities(reasons, place, locateDefinitions(text, place));
}
