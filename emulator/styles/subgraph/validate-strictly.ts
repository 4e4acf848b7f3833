import {
  type DocumentNode,
  FragmentsOnCompositeTypesRule,
  type GraphQLError,
  Kind,
  KnownDirectivesRule,
  KnownFragmentNamesRule,
  KnownTypeNamesRule,
  LoneAnonymousOperationRule,
  NoFragmentCyclesRule,
  NoUndefinedVariablesRule,
  NoUnusedVariablesRule,
  OverlappingFieldsCanBeMergedRule,
  PossibleFragmentSpreadsRule,
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
import { messages } from "./messages.ts";
import { QueryError, refuse } from "./query-error.ts";
import { compareText } from "./scalars.ts";
import {
  fieldsOnCorrectType,
  knownArgumentNames,
  noUnusedFragments,
  providedRequiredArguments,
  valuesOfCorrectType,
  variablesInAllowedPosition,
} from "./strict-rules.ts";

/** What the server says about the errors that a rule found. */
type Wording = (errors: readonly GraphQLError[]) => readonly string[];

/** The rules of a strict server in the order in which it reports their errors, and its words where they differ (B.1). */
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
  // What is too much to compare is left to the limits of depth and of time.
  [
    OverlappingFieldsCanBeMergedRule,
    (errors) => messagesOf(errors).filter((text) => text !== "Validation aborted."),
  ],
  [NoFragmentCyclesRule],
  [PossibleFragmentSpreadsRule],
  [NoUnusedVariablesRule, withoutDuplicates],
  [NoUndefinedVariablesRule, withoutDuplicates],
  [knownArgumentNames],
  [UniqueArgumentNamesRule],
  [UniqueVariableNamesRule, (errors) => errors.flatMap(onceForEachRepetition)],
  [providedRequiredArguments],
  [KnownDirectivesRule, knownDirectives],
  [variablesInAllowedPosition],
  [valuesOfCorrectType],
  [UniqueDirectivesPerLocationRule, replacing(/^.*"@(\w+)".*$/, 'Duplicate directive "$1"')],
];

/**
 * What a server with strict validation does before anything else (B.1): it checks the whole document, all operations
 * and fragments, and reports every error without a location.
 *
 * The validator throws a QueryError on an invalid document.
 */
export function createStrictValidator(schema: ApiSchema): (document: DocumentNode) => void {
  const graphqlSchema = toGraphqlSchema(
    // Of two types with one name the first counts (A.1), and here the last would.
    { ...schema, types: [...schema.types].reverse() },
    { repeatable: false },
  );
  return (document) => {
    const found = findErrors(withSortedObjects(document));
    if (found.length > 0) throw new QueryError(found.map((message) => ({ message })));
  };

  function findErrors(document: DocumentNode): readonly string[] {
    const bare = withoutNameFields(document);
    const forms = new Map<ValidationRule, DocumentNode>([
      [ScalarLeafsRule, bare],
      [fieldsOnCorrectType, bare],
      [OverlappingFieldsCanBeMergedRule, withLikeValues(document)],
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
      // A chain of fragments that is longer than our stack is deeper than any server answers, too.
      if (cause instanceof RangeError) return refuse(messages.tooDeep(255));
      throw cause;
    }
  }
}

/** The server keeps the fields of an object in the order of their names, and of equal names the last. */
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

/** What is selected of `__typename`, which is no field to the server, is nowhere to it. */
function withoutNameFields(document: DocumentNode): DocumentNode {
  return visit(document, {
    Field: (node) => (node.name.value === "__typename" ? { ...node, selectionSet: undefined } : undefined),
  });
}

/** Gives arguments of one key the first value that the server takes for theirs when it looks for conflicts. */
function withLikeValues(document: DocumentNode): DocumentNode {
  const seen = new Map<string, ValueNode[]>();
  return visit(document, {
    Field: (field) => ({
      ...field,
      arguments: field.arguments?.map((argument) => {
        const place = `${field.alias?.value ?? ""} ${field.name.value} ${argument.name.value}`;
        const values = seen.get(place) ?? [];
        seen.set(place, values);
        const like = values.find((value) => isLike(value, argument.value));
        if (like === undefined) values.push(argument.value);
        return { ...argument, value: like ?? argument.value };
      }),
    }),
  });
}

/** Of two lists or objects the server compares as many items as both have, and no keys. */
function isLike(a: ValueNode, b: ValueNode): boolean {
  if (a.kind === Kind.LIST && b.kind === Kind.LIST) {
    return a.values.every((item, at) => isLike(item, b.values[at] ?? item));
  }
  if (a.kind === Kind.OBJECT && b.kind === Kind.OBJECT) {
    return a.fields.every(({ value }, at) => isLike(value, b.fields[at]?.value ?? value));
  }
  return print({ ...a, block: false } as ValueNode) === print({ ...b, block: false } as ValueNode);
}

function messagesOf(errors: readonly GraphQLError[]): readonly string[] {
  return errors.map(({ message }) => message);
}

function withoutDuplicates(errors: readonly GraphQLError[]): readonly string[] {
  return [...new Set(messagesOf(errors))];
}

function replacing(pattern: RegExp, replacement: string): Wording {
  return (errors) => messagesOf(errors).map((message) => message.replace(pattern, replacement));
}

/** Of the directives that graphql-js always knows, the server knows two. */
function knownDirectives(errors: readonly GraphQLError[]): readonly string[] {
  return messagesOf(errors).map((message) =>
    message
      .replace(/^Directive ("@(?:deprecated|specifiedBy|oneOf)") may.*/, "Unknown directive $1.")
      .replace(/(may not be used on \w+)\.$/, "$1"),
  );
}

function onceForEachRepetition({ message, nodes = [] }: GraphQLError): readonly string[] {
  return nodes.slice(1).map(() => message.replace("There can be only one", "There can only be one"));
}
