import { SchemaError, type SchemaProblem } from "../../base/errors.ts";
import { requireEntitySize } from "../parse-entities.ts";
import { parseDocument } from "../parse-sdl.ts";
import type { DeriveOptions } from "../platform.ts";
import { graphNodeFeatures } from "./release.ts";
import { checkAggregations } from "./rules/aggregation-rules.ts";
import { collectAuthoredTypes } from "./rules/authored-types.ts";
import { checkFulltext, checkSearchType, checkTables } from "./rules/table-rules.ts";
import {
  checkDerivedFrom,
  checkEntityDirectives,
  checkFieldTypes,
  checkIds,
  checkImplementations,
  checkImplementersIds,
  checkReservedNames,
  checkRoles,
  checkSameNames,
} from "./rules/type-rules.ts";

/**
 * Checks that a release of graph-node accepts an entity schema, by the rules of the newest manifest version. It parses the
 * text, because an entity model does not have the directives that many rules check.
 *
 * @param place the name of the text in errors: the path of a file.
 * @throws SchemaError `SCHEMA_ENTITIES_INVALID` with all reasons of graph-node, each with its line; `SCHEMA_SDL_SYNTAX` for
 *   a syntax error.
 */
export function validateSubgraphEntities(text: string, place: string, { release }: DeriveOptions): void {
  const features = graphNodeFeatures(release);
  requireEntitySize(text.length, "characters", place);
  const types = collectAuthoredTypes(parseDocument(text, place, { locations: true }));
  // In the order in which graph-node checks and numbers them. It stops after a step with problems.
  const steps = [
    () => checkImplementations(types),
    () => [
      ...checkRoles(types, features),
      ...checkDerivedFrom(types).slice(0, 1),
      ...checkSearchType(types),
      ...checkReservedNames(types),
      ...checkImplementersIds(types),
      ...checkEntityDirectives(types, features),
      ...checkIds(types),
      ...checkFieldTypes(types, features),
      ...checkFulltext(types),
      ...(features.aggregations ? checkAggregations(types) : []),
    ],
    () => checkTables(types, features.aggregations),
    () => checkSameNames(types),
  ];
  const problems = steps.reduce<SchemaProblem[]>((before, step) => (before.length > 0 ? before : step()), []);
  if (problems.length === 0) return;
  throw new SchemaError({
    code: "SCHEMA_ENTITIES_INVALID",
    sentence: `Validation errors in subgraph \`${place}\`:`,
    context: problems.map(({ reason, line }, index) => `(${index + 1}) - ${reason} (line ${line})`),
    hint: "correct the file; a multichain indexer may accept it as it is.",
    problems,
  });
}
