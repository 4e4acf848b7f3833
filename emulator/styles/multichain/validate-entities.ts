import { SchemaError } from "../../../src/base/errors.ts";
import { locateDefinitions } from "../../../src/dialects/locate.ts";
import type { ReleaseFeatures } from "../../../src/dialects/multichain/release.ts";
import { findEntityProblems } from "../../../src/dialects/multichain/validate-entities.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";

/**
 * Checks that the platform takes an entity schema.
 *
 * @param place what to call the text in an error: a file's path.
 * @throws SchemaError `SCHEMA_ENTITIES_INVALID` with every reason and the line it is about; `SCHEMA_SDL_SYNTAX`
 *   when the text does not parse.
 */
export function validateText(
  text: string,
  place: string,
  features: ReleaseFeatures,
  perChain: boolean,
): void {
  const reasons = findEntityProblems(parseEntities(text, place), features, perChain);
  if (reasons.length === 0) return;
  const positions = locateDefinitions(text, place);
  const problems = reasons.map((reason) => {
    const { line, column } = positions.get(reason.slice(0, reason.indexOf(":"))) ?? NOWHERE;
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

const NOWHERE = { line: null, column: null };
