import {
  type DefinitionNode,
  type DocumentNode,
  FieldsOnCorrectTypeRule,
  type GraphQLSchema,
  Kind,
  KnownArgumentNamesRule,
  KnownFragmentNamesRule,
  NoUndefinedVariablesRule,
  NoUnusedVariablesRule,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
  VariablesInAllowedPositionRule,
  validate,
} from "graphql";
import { OPERATION_RULES } from "../dialects/validate-documents.ts";
import { PORTABLE_FOLDER } from "./operation-files.ts";

const OF_OTHERS: readonly ValidationRule[] = [
  KnownFragmentNamesRule,
  NoUndefinedVariablesRule,
  NoUnusedVariablesRule,
];

/** Returns the rules for definitions of a file: portable operations may have other scalars as types of variables. */
export function rulesFor({ definitions: [first] }: DocumentNode): readonly ValidationRule[] {
  const isPortable = first?.loc?.source.name.includes(`/${PORTABLE_FOLDER}/`);
  return isPortable
    ? OPERATION_RULES.filter((rule) => rule !== VariablesInAllowedPositionRule)
    : OPERATION_RULES;
}

/** The rules that a rename usually breaks. */
const FIRST_RULES = [FieldsOnCorrectTypeRule, KnownArgumentNamesRule, ValuesOfCorrectTypeRule];

/** Returns whether a definition is valid without those that it spreads. */
export function isValidAlone(schema: GraphQLSchema, node: DefinitionNode): boolean {
  if (node.kind === Kind.OPERATION_DEFINITION && !schema.getRootType(node.operation)) return false;
  const document = { kind: Kind.DOCUMENT, definitions: [node] } as const;
  // To look for names that are alike takes longer than to validate.
  const options = { maxErrors: 1, hideSuggestions: true };
  const alone = rulesFor(document).filter((rule) => !OF_OTHERS.includes(rule));
  return [FIRST_RULES, alone].every((rules) => validate(schema, document, rules, options).length === 0);
}
