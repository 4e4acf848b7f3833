import {
  type DocumentNode,
  type FieldNode,
  FieldsOnCorrectTypeRule,
  FragmentsOnCompositeTypesRule,
  type GraphQLError,
  Kind,
  KnownArgumentNamesRule,
  KnownDirectivesRule,
  KnownFragmentNamesRule,
  KnownTypeNamesRule,
  LoneAnonymousOperationRule,
  NoFragmentCyclesRule,
  NoUndefinedVariablesRule,
  NoUnusedFragmentsRule,
  NoUnusedVariablesRule,
  OverlappingFieldsCanBeMergedRule,
  PossibleFragmentSpreadsRule,
  ProvidedRequiredArgumentsRule,
  print,
  ScalarLeafsRule,
  UniqueArgumentNamesRule,
  UniqueDirectivesPerLocationRule,
  UniqueFragmentNamesRule,
  UniqueOperationNamesRule,
  UniqueVariableNamesRule,
  type ValidationRule,
  type ValueNode,
  VariablesAreInputTypesRule,
  validate,
  visit,
} from "graphql";
import type { ApiSchema } from "../../../src/dialects/api-schema.ts";
import { toGraphqlSchema } from "../../../src/dialects/to-graphql-schema.ts";
import { compareText } from "../compare.ts";
import { messages, QueryError, refuse } from "./messages.ts";
import { introspectionFields, valuesOfCorrectType, variablesInAllowedPosition } from "./strict-rules.ts";

/** The server's messages for the errors of a rule. */
type Wording = (errors: readonly GraphQLError[], document: DocumentNode) => readonly string[];

/** The rules of a strict server in the order of its errors, with its messages if they differ. */
const RULES: readonly (readonly [rule: ValidationRule, wording?: Wording])[] = [
  [UniqueOperationNamesRule, withoutDuplicates],
  [LoneAnonymousOperationRule],
  [KnownTypeNamesRule],
  [FragmentsOnCompositeTypesRule],
  [VariablesAreInputTypesRule],
  [ScalarLeafsRule],
  [FieldsOnCorrectTypeRule, unknownFields],
  [introspectionFields],
  [UniqueFragmentNamesRule, withoutDuplicates],
  [KnownFragmentNamesRule],
  [NoUnusedFragmentsRule],
  [OverlappingFieldsCanBeMergedRule, conflicts],
  [NoFragmentCyclesRule],
  [PossibleFragmentSpreadsRule],
  [NoUnusedVariablesRule, withoutDuplicates],
  [NoUndefinedVariablesRule, withoutDuplicates],
  [KnownArgumentNamesRule],
  [UniqueArgumentNamesRule],
  [
    UniqueVariableNamesRule,
    (errors) =>
      errors.flatMap(({ message, nodes = [] }) =>
        nodes.slice(1).map(() => message.replace("There can be only one", "There can only be one")),
      ),
  ],
  [ProvidedRequiredArgumentsRule],
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
    const problems = findErrors(withSortedObjects(document));
    if (problems.length > 0) throw new QueryError(problems.map((message) => ({ message })));
  };

  function findErrors(document: DocumentNode): readonly string[] {
    // The server ignores selections on `__typename`, which is not a field to it.
    const bare = visit(document, {
      Field: (node) => (node.name.value === "__typename" ? { ...node, selectionSet: undefined } : undefined),
    });
    const forms = new Map<ValidationRule, DocumentNode>([
      [ScalarLeafsRule, bare],
      [FieldsOnCorrectTypeRule, bare],
    ]);
    try {
      return RULES.flatMap(([rule, wording = messagesOf]) =>
        wording(
          validate(graphqlSchema, forms.get(rule) ?? document, [rule], {
            maxErrors: Number.POSITIVE_INFINITY,
            hideSuggestions: true,
          }),
          document,
        ),
      );
    } catch (cause) {
      // A chain of fragments too deep for the stack is also too deep for any server.
      if (cause instanceof RangeError) return refuse(messages.tooDeep(255));
      throw cause;
    }
  }
}

/** The server sorts an object's fields by name, keeps the last of equal ones, and compares numbers by value. */
function withSortedObjects(document: DocumentNode): DocumentNode {
  return visit(document, {
    FloatValue: (node) => {
      const value = Number(node.value);
      return Number.isFinite(value) ? { ...node, value: String(value) } : undefined;
    },
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

/**
 * The server merges some fields that the specification does not: it compares only as many members of two objects or
 * lists as both have, and stops at a fragment that it reached before.
 */
function conflicts(errors: readonly GraphQLError[], document: DocumentNode): readonly string[] {
  return errors.map(({ message, nodes = [] }) => {
    const half = nodes.length / 2;
    const fields = nodes.filter((node) => node.kind === Kind.FIELD);
    const isAlike =
      message.includes("differing arguments") &&
      fields.slice(0, half).every((field, index) => {
        const other = fields[half + index];
        return other !== undefined && haveLikeArguments(field, other);
      });
    if (isAlike)
      return messages.emulatorLacks("arguments that differ only in members that one of them has").message;
    if (sharesFragments(document))
      return messages.emulatorLacks("conflicts if two fragments spread the same one").message;
    return message;
  });
}

function haveLikeArguments(
  { arguments: ours = [] }: FieldNode,
  { arguments: theirs = [] }: FieldNode,
): boolean {
  return (
    ours.length === theirs.length &&
    ours.every(({ name, value }) => {
      const other = theirs.find((argument) => argument.name.value === name.value);
      return other !== undefined && isLike(value, other.value);
    })
  );
}

function isLike(ours: ValueNode, theirs: ValueNode): boolean {
  if (ours.kind === Kind.LIST && theirs.kind === Kind.LIST) {
    return ours.values.every((item, at) => isLike(item, theirs.values[at] ?? item));
  }
  if (ours.kind === Kind.OBJECT && theirs.kind === Kind.OBJECT) {
    return ours.fields.every(({ value }, at) => isLike(value, theirs.fields[at]?.value ?? value));
  }
  return print(ours) === print(theirs);
}

/** Whether several fragments spread the same fragment. */
function sharesFragments({ definitions }: DocumentNode): boolean {
  const spreads = definitions.flatMap((definition) => {
    const names = new Set<string>();
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      visit(definition, { FragmentSpread: ({ name }) => void names.add(name.value) });
    }
    return [...names];
  });
  return new Set(spreads).size < spreads.length;
}

/** Fields such as `__name` are unknown to the executor only. */
function unknownFields(errors: readonly GraphQLError[]): readonly string[] {
  return messagesOf(errors).filter((message) => !message.startsWith('Cannot query field "__'));
}

/** Of the directives that graphql-js always defines, the server only knows two. */
function knownDirectives(errors: readonly GraphQLError[]): readonly string[] {
  return messagesOf(errors).map((message) =>
    message
      .replace(/^Directive ("@(?:deprecated|specifiedBy|oneOf)") may.*/, "Unknown directive $1.")
      .replace(/(may not be used on \w+)\.$/, "$1"),
  );
}
