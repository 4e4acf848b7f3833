import { SchemaError } from "../../../src/base/errors/schema-error.ts";
import { parseDocument } from "../../../src/schema/parse-definitions.ts";
import { requireEntitySize } from "../../../src/schema/require-entity-size.ts";
import { graphNodeFeatures } from "../../../src/styles/subgraph/release.ts";
import { checkAggregations } from "./rules/aggregation-rules.ts";
import { collectAuthoredTypes } from "./rules/authored-types.ts";
import { checkDerivedFrom } from "./rules/derived-from-rules.ts";
import type { EntityProblem } from "./rules/entity-problem.ts";
import { checkFulltext, checkSearchType } from "./rules/fulltext-rules.ts";
import { checkImplementations, checkImplementersIds } from "./rules/interface-rules.ts";
import {
  checkEntityDirectives,
  checkFieldTypes,
  checkIds,
  checkReservedNames,
  checkRoles,
} from "./rules/type-rules.ts";

/**
 * Checks that a release of graph-node would accept an entity schema, by the rules of the newest manifest version. It
 * reads the text itself: an entity model does not have the directives of types, which these rules are about.
 *
 * @param place what to call the text in an error: a file's path.
 * @throws SchemaError `SCHEMA_ENTITIES_INVALID` with all of graph-node's reasons, each with its line;
 * `SCHEMA_SDL_SYNTAX` when the text does not parse.
 */
export function validateEntities(text: string, place: string, release: string): void {
  const features = graphNodeFeatures(release);
  requireEntitySize(text.length, "characters", place);
  const types = collectAuthoredTypes(parseDocument(text, place, { locations: true }));
  // In the order graph-node numbers them.
  const problems = [
    ...checkImplementations(types),
    ...checkRoles(types, features),
    ...checkDerivedFrom(types),
    ...checkSearchType(types),
    ...checkReservedNames(types),
    ...checkImplementersIds(types),
    ...checkEntityDirectives(types, features),
    ...checkIds(types),
    ...checkFieldTypes(types, features),
    ...checkFulltext(types),
    ...(features.aggregations ? checkAggregations(types) : []),
  ];
  if (problems.length === 0) return;
  throw new SchemaError({
    code: "SCHEMA_ENTITIES_INVALID",
    sentence: `Validation errors in subgraph \`${place}\`:`,
    context: problems.map(renderProblem),
    hint: "correct the file; a multichain indexer may accept it as it is.",
    problems: problems.map(({ reason, line }) => ({ reason, line, column: null })),
  });
}

function renderProblem({ reason, line }: EntityProblem, index: number): string {
  return `(${index + 1}) - ${reason}${line === null ? "" : ` (line ${line})`}`;
}
