import { GraphQLError, specifiedRules, type ValidationRule } from "graphql";
import { nearestName } from "../base/nearest-name.ts";

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
