import {
  type DefinitionNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  KnownTypeNamesRule,
  LoneAnonymousOperationRule,
  NoUnusedFragmentsRule,
  type OperationDefinitionNode,
  specifiedRules,
  UniqueFragmentNamesRule,
  UniqueOperationNamesRule,
  type ValidationRule,
  validate,
} from "graphql";
import { nearestName } from "../base/text.ts";

type Fragments = { readonly fragments: readonly FragmentDefinitionNode[] };

/** Operations with every fragment that each uses, and all fragments. */
type Documents = Fragments & {
  readonly operations: readonly ({ readonly node: OperationDefinitionNode } & Fragments)[];
};

/**
 * Validates operations and fragments as one document. graphql-js gives up after a number of comparisons in a document;
 * then each operation is validated alone.
 */
export function validateDocuments(
  schema: GraphQLSchema,
  { operations, fragments }: Documents,
  rules: readonly ValidationRule[],
): readonly GraphQLError[] {
  const validateAll = (definitions: readonly DefinitionNode[]) =>
    validate(schema, { kind: Kind.DOCUMENT, definitions }, rules, { maxErrors: MOST_ERRORS });
  const errors = validateAll([...operations.map(({ node }) => node), ...fragments]);
  if (!hasGivenUp(errors)) return errors;
  return operations.flatMap(({ node, fragments: used }) => {
    const alone = validateAll([node, ...used]);
    return hasGivenUp(alone) ? [new GraphQLError(TOO_MUCH, { nodes: node })] : alone;
  });
}

/** Enough to see what is wrong. graphql-js adds an error if there are more. */
const MOST_ERRORS = 100;

/** Returns whether graphql-js gave up comparing. That error has no nodes; the one about too many errors has none either. */
function hasGivenUp(errors: readonly GraphQLError[]): boolean {
  return errors.length <= MOST_ERRORS && errors.some(({ nodes }) => nodes === undefined);
}

const TOO_MUCH =
  "It has too many selections in one place to compare them all: spread fewer fragments there, or split the operation.";

/**
 * Rules that are already checked across all operation files, with better messages. Rules are compared by identity,
 * because minifiers rename functions.
 */
const CHECKED_BEFORE: readonly ValidationRule[] = [
  LoneAnonymousOperationRule,
  NoUnusedFragmentsRule,
  UniqueFragmentNamesRule,
  UniqueOperationNamesRule,
];

/** The rules for validating operations against a schema. */
export const OPERATION_RULES: readonly ValidationRule[] = specifiedRules
  .filter((rule) => !CHECKED_BEFORE.includes(rule))
  .map((rule) => (rule === KnownTypeNamesRule ? KnownTypes : rule));

/** Replaces a rule of graphql-js that lists all types for every document, in case it needs a suggestion. */
function KnownTypes(context: Parameters<ValidationRule>[0]): ReturnType<ValidationRule> {
  const schema = context.getSchema();
  return {
    NamedType(node) {
      const name = node.name.value;
      if (schema.getType(name)) return;
      const nearest = nearestName(name, Object.keys(schema.getTypeMap()));
      const suggestion = nearest === null ? "" : ` Did you mean "${nearest}"?`;
      context.reportError(new GraphQLError(`Unknown type "${name}".${suggestion}`, { nodes: node }));
    },
  };
}
