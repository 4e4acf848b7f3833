import {
  type DefinitionNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  specifiedRules,
  type ValidationRule,
  validate,
} from "graphql";
import { nearestName } from "../base/text.ts";

/** An operation and every fragment it uses. */
type DocumentParts = {
  readonly node: OperationDefinitionNode;
  readonly fragments: readonly FragmentDefinitionNode[];
};

/**
 * Validates operations together, with all of some fragments. graphql-js compares only so many selections of one document
 * and then gives up: where that happens each operation is validated alone.
 */
export function validateDocuments(
  schema: GraphQLSchema,
  operations: readonly DocumentParts[],
  fragments: readonly FragmentDefinitionNode[],
  rules: readonly ValidationRule[],
): readonly GraphQLError[] {
  const judge = (definitions: readonly DefinitionNode[]) =>
    validate(schema, { kind: Kind.DOCUMENT, definitions }, rules, { maxErrors: MOST_ERRORS });
  const errors = judge([...operations.map(({ node }) => node), ...fragments]);
  if (!hasGivenUp(errors)) return errors;
  return operations.flatMap(({ node, fragments: own }) => {
    const alone = judge([node, ...own]);
    return hasGivenUp(alone) ? [new GraphQLError(TOO_MUCH, { nodes: node })] : alone;
  });
}

/** Those of one schema that changed are enough to see what is wrong; that there are more is an error of its own. */
const MOST_ERRORS = 100;

/** Whether not all was compared: the error that says so is about no place, and not the one behind as many as are wanted. */
function hasGivenUp(errors: readonly GraphQLError[]): boolean {
  return errors.length <= MOST_ERRORS && errors.some(({ nodes }) => nodes === undefined);
}

const TOO_MUCH =
  "It has too many selections in one place to compare them all: spread fewer fragments there, or ask in several operations.";

/** Rules about a set of documents, which whoever parses operation files judges across all of them, with better messages. */
const JUDGED_BEFORE: ReadonlySet<string> = new Set([
  "LoneAnonymousOperationRule",
  "NoUnusedFragmentsRule",
  "UniqueFragmentNamesRule",
  "UniqueOperationNamesRule",
]);

/** The rules that operations are held against a schema with. */
export const OPERATION_RULES: readonly ValidationRule[] = specifiedRules
  .filter((rule) => !JUDGED_BEFORE.has(rule.name))
  .map((rule) => (rule.name === "KnownTypeNamesRule" ? KnownTypes : rule));

/** The rule of graphql-js lists all types of the schema for every document, to have them at hand for a suggestion. */
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
