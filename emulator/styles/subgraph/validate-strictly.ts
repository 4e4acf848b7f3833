import {
  type DocumentNode,
  FragmentsOnCompositeTypesRule,
  type GraphQLError,
  KnownDirectivesRule,
  KnownFragmentNamesRule,
  KnownTypeNamesRule,
  LoneAnonymousOperationRule,
  NoFragmentCyclesRule,
  NoUndefinedVariablesRule,
  NoUnusedVariablesRule,
  PossibleFragmentSpreadsRule,
  ScalarLeafsRule,
  UniqueArgumentNamesRule,
  UniqueDirectivesPerLocationRule,
  UniqueFragmentNamesRule,
  UniqueOperationNamesRule,
  UniqueVariableNamesRule,
  type ValidationRule,
  VariablesAreInputTypesRule,
  validate,
  visit,
} from "graphql";
import type { ApiSchema } from "../../../src/dialects/api-schema.ts";
import { toGraphqlSchema } from "../../../src/dialects/to-graphql-schema.ts";
import { messages, QueryError, refuse } from "./messages.ts";
import { overlappingFields } from "./overlapping-fields.ts";
import { compareText } from "./scalars.ts";
import {
  fieldsOnCorrectType,
  knownArgumentNames,
  noUnusedFragments,
  providedRequiredArguments,
  valuesOfCorrectType,
  variablesInAllowedPosition,
} from "./strict-rules.ts";

/** The server's messages for the errors of a rule. */
type Wording = (errors: readonly GraphQLError[]) => readonly string[];

/** The rules of a strict server in the order of its errors, with its messages if they differ. */
const RULES: readonly (readonly [rule: ValidationRule, wording?: Wording])[] = [
  [UniqueOperationNamesRule, withoutDuplicates],
  [LoneAnonymousOperationRule],
  [KnownTypeNamesRule],
  [FragmentsOnCompositeTypesRule],
  [VariablesAreInputTypesRule],
  [ScalarLeafsRule],
  [fieldsOnCorrectType],
  [UniqueFragmentNamesRule, withoutDuplicates],
  [KnownFragmentNamesRule],
  [noUnusedFragments],
  [overlappingFields],
  [NoFragmentCyclesRule],
  [PossibleFragmentSpreadsRule],
  [NoUnusedVariablesRule, withoutDuplicates],
  [NoUndefinedVariablesRule, withoutDuplicates],
  [knownArgumentNames],
  [UniqueArgumentNamesRule],
  [
    UniqueVariableNamesRule,
    (errors) =>
      errors.flatMap(({ message, nodes = [] }) =>
        nodes.slice(1).map(() => message.replace("There can be only one", "There can only be one")),
      ),
  ],
  [providedRequiredArguments],
  [KnownDirectivesRule, knownDirectives],
  [variablesInAllowedPosition],
  [valuesOfCorrectType],
  [
    UniqueDirectivesPerLocationRule,
    (errors) =>
      messagesOf(errors).map((message) => message.replace(/^.*"@(\w+)".*$/, 'Duplicate directive "$1"')),
  ],
];

/**
 * What a server with strict validation does before anything else: it checks the whole document, all operations
 * and fragments, and reports every error without a location.
 *
 * The validator throws a QueryError on an invalid document.
 */
export function createStrictValidator(schema: ApiSchema): (document: DocumentNode) => void {
  const graphqlSchema = toGraphqlSchema(
    // The first of two types with the same name counts; graphql-js takes the last.
    { ...schema, types: [...schema.types].reverse() },
    { repeatable: false },
  );
  return (document) => {
    const found = findErrors(withSortedObjects(document));
    if (found.length > 0) throw new QueryError(found.map((message) => ({ message })));
  };

  function findErrors(document: DocumentNode): readonly string[] {
    // The server ignores selections on `__typename`, which is not a field to it.
    const bare = visit(document, {
      Field: (node) => (node.name.value === "__typename" ? { ...node, selectionSet: undefined } : undefined),
    });
    const forms = new Map<ValidationRule, DocumentNode>([
      [ScalarLeafsRule, bare],
      [fieldsOnCorrectType, bare],
    ]);
    try {
      return RULES.flatMap(([rule, wording = messagesOf]) =>
        wording(
          validate(graphqlSchema, forms.get(rule) ?? document, [rule], {
            maxErrors: Number.POSITIVE_INFINITY,
            hideSuggestions: true,
          }),
        ),
      );
    } catch (cause) {
      // A chain of fragments too deep for the stack is also too deep for any server.
      if (cause instanceof RangeError) return refuse(messages.tooDeep(255));
      throw cause;
    }
  }
}

/** The server sorts an object's fields by name, and keeps the last of equal ones. */
function withSortedObjects(document: DocumentNode): DocumentNode {
  return visit(document, {
    ObjectValue: (node) => {
      const fields = new Map(node.fields.map((field) => [field.name.value, field] as const));
      return {
        ...node,
        fields: [...fields.values()].sort((a, b) => compareText(a.name.value, b.name.value)),
      };
    },
  });
}

function messagesOf(errors: readonly GraphQLError[]): readonly string[] {
  return errors.map(({ message }) => message);
}

function withoutDuplicates(errors: readonly GraphQLError[]): readonly string[] {
  return [...new Set(messagesOf(errors))];
}

/** Of the directives that graphql-js always defines, the server only knows two. */
function knownDirectives(errors: readonly GraphQLError[]): readonly string[] {
  return messagesOf(errors).map((message) =>
    message
      .replace(/^Directive ("@(?:deprecated|specifiedBy|oneOf)") may.*/, "Unknown directive $1.")
      .replace(/(may not be used on \w+)\.$/, "$1"),
  );
}
