import type { DefinitionNode } from "graphql";
import { SchemaError } from "../../../src/base/errors/schema-error.ts";
import { parseDocument } from "../../../src/schema/parse-definitions.ts";
import { parseEntities } from "../../../src/schema/parse-entities.ts";
import { findEntityProblems } from "../../../src/styles/multichain/derive/validate-entities.ts";
import type { ReleaseFeatures } from "../../../src/styles/multichain/release.ts";

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
  const lines = linesOf(parseDocument(text, place, { locations: true }).definitions);
  throw new SchemaError({
    code: "SCHEMA_ENTITIES_INVALID",
    sentence: `${place} is not an entity schema that the multichain platform accepts, for ${reasons.length === 1 ? "one reason" : `${reasons.length} reasons`}.`,
    context: reasons.map((reason) => {
      const line = lines.get(reason.slice(0, reason.indexOf(":")));
      return line === undefined ? reason : `${reason} (line ${line})`;
    }),
    hint: "correct the file; a subgraph may accept it as it is.",
  });
}

/** Where types and their members are, by what reasons call them; of two with one name the later one is to blame. */
function linesOf(definitions: readonly DefinitionNode[]): Map<string, number> {
  const lines = new Map<string, number>();
  for (const node of definitions) {
    if (!("name" in node) || node.name === undefined) continue;
    const members = [
      ...("fields" in node ? (node.fields ?? []) : []),
      ...("values" in node ? (node.values ?? []) : []),
    ];
    for (const { name, subject } of [
      { name: node.name, subject: node.name.value },
      ...members.map(({ name }) => ({ name, subject: `${node.name?.value}.${name.value}` })),
    ]) {
      if (name.loc) lines.set(subject, name.loc.startToken.line);
    }
  }
  return lines;
}
