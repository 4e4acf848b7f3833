import { type DocumentNode, type FragmentDefinitionNode, Kind } from "graphql";
import type { ApiDirective } from "../../../../../src/schema/api-schema.ts";
import { type QueryError, Refusal } from "../refusal.ts";
import type { SchemaIndex } from "../schema-index.ts";
import { knownArgumentNames, providedRequiredArguments, uniqueArgumentNames } from "./argument-rules.ts";
import { knownDirectives, uniqueDirectivesPerLocation } from "./directive-rules.ts";
import { fieldsOnCorrectType, leafFieldSelections } from "./field-rules.ts";
import {
  knownFragmentNames,
  noUnusedFragments,
  possibleFragmentSpreads,
  uniqueFragmentNames,
} from "./fragment-rules.ts";
import { noFragmentCycles } from "./no-fragment-cycles.ts";
import { loneAnonymousOperation, uniqueOperationNames } from "./operation-rules.ts";
import { overlappingFieldsCanBeMerged } from "./overlapping-fields.ts";
import type { StrictRule } from "./rule.ts";
import { fragmentsOnCompositeTypes, knownTypeNames, variablesAreInputTypes } from "./type-rules.ts";
import { valuesOfCorrectType } from "./values-of-correct-type.ts";
import { noUndefinedVariables, noUnusedVariables, uniqueVariableNames } from "./variable-rules.ts";
import { variablesInAllowedPosition } from "./variables-in-allowed-position.ts";
import { type StrictContext, visitDocument } from "./visit-document.ts";

/** The rules of a strict server in the order in which their errors are told (B.1). */
export const STRICT_RULES: readonly StrictRule[] = [
  uniqueOperationNames,
  loneAnonymousOperation,
  knownTypeNames,
  fragmentsOnCompositeTypes,
  variablesAreInputTypes,
  leafFieldSelections,
  fieldsOnCorrectType,
  uniqueFragmentNames,
  knownFragmentNames,
  noUnusedFragments,
  overlappingFieldsCanBeMerged,
  noFragmentCycles,
  possibleFragmentSpreads,
  noUnusedVariables,
  noUndefinedVariables,
  knownArgumentNames,
  uniqueArgumentNames,
  uniqueVariableNames,
  providedRequiredArguments,
  knownDirectives,
  variablesInAllowedPosition,
  valuesOfCorrectType,
  uniqueDirectivesPerLocation,
];

/**
 * What a server with strict validation does before anything else (B.1): the whole document is checked, all of its
 * operations and fragments, and every error is told, none with a location.
 *
 * The validator throws a Refusal on an invalid document.
 */
export function createStrictValidator(
  index: SchemaIndex,
  directives: readonly ApiDirective[],
): (document: DocumentNode) => void {
  const byName = new Map(directives.map((directive) => [directive.name, directive] as const));
  return (document) => {
    const context: StrictContext = { index, directives: byName, document, fragments: fragmentsOf(document) };
    const found = STRICT_RULES.map((): QueryError[] => []);
    const visitors = STRICT_RULES.map((rule, position) =>
      rule(context, (message) => found[position]?.push({ message })),
    );
    visitDocument(context, visitors);
    const errors = found.flat();
    if (errors.length > 0) throw new Refusal(errors);
  };
}

function fragmentsOf(document: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  return fragments;
}
