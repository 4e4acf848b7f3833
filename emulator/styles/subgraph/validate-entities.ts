import { SchemaError } from "../../../src/base/errors/schema-error.ts";
import { parseDocument } from "../../../src/schema/parse-definitions.ts";
import { requireEntitySize } from "../../../src/schema/require-entity-size.ts";
import { checkAggregations } from "../../../src/styles/subgraph/derive/rules/aggregation-rules.ts";
import { collectAuthoredTypes } from "../../../src/styles/subgraph/derive/rules/authored-types.ts";
import { checkDerivedFrom } from "../../../src/styles/subgraph/derive/rules/derived-from-rules.ts";
import type { EntityProblem } from "../../../src/styles/subgraph/derive/rules/entity-problem.ts";
import { checkFulltext, checkSearchType } from "../../../src/styles/subgraph/derive/rules/fulltext-rules.ts";
import {
  checkImplementations,
  checkImplementersIds,
} from "../../../src/styles/subgraph/derive/rules/interface-rules.ts";
import { checkTables } from "../../../src/styles/subgraph/derive/rules/table-rules.ts";
import {
  checkEntityDirectives,
  checkFieldTypes,
  checkIds,
  checkReservedNames,
  checkRoles,
} from "../../../src/styles/subgraph/derive/rules/type-rules.ts";
import { graphNodeFeatures } from "../../../src/styles/subgraph/release.ts";

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
  // In the order graph-node looks and numbers them; what fails a step ends it.
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
  ];
  const problems = steps.reduce<EntityProblem[]>((found, step) => (found.length > 0 ? found : step()), []);
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
