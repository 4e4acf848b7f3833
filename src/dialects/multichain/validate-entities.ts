import { SchemaError } from "../../base/errors.ts";
import { locateDefinitions } from "../locate.ts";
import { parseEntities } from "../parse-entities.ts";
import type { DeriveOptions } from "../platform.ts";
import { findEntityProblems } from "./entity-rules.ts";
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
  if (reasons.length === 0) return;
  const positions = locateDefinitions(text, place);
  const problems = reasons.map((reason) => {
    const { line = null, column = null } = positions.get(reason.slice(0, reason.indexOf(":"))) ?? {};
    return { reason, line, column };
  });
  throw new SchemaError({
    code: "SCHEMA_ENTITIES_INVALID",
    sentence: `${place} is not an entity schema that the multichain platform accepts, for ${reasons.length === 1 ? "one reason" : `${reasons.length} reasons`}.`,
    context: problems.map(({ reason, line }) => (line === null ? reason : `${reason} (line ${line})`)),
    hint: "correct the file; a subgraph may accept it as it is.",
    problems,
  });
}
