import {
  type ConstDirectiveNode,
  type ConstValueNode,
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  GraphQLError,
  type InputValueDefinitionNode,
  Kind,
  parse,
  print,
  type StringValueNode,
  type TypeNode,
} from "graphql";
import { SchemaError, type SchemaProblem } from "../base/errors.ts";
import { displayText } from "../base/text.ts";
import { type ApiField, type ApiInputValue, type ApiSchema, type ApiType, isReserved } from "./api-schema.ts";
import { validateSchema } from "./validate-schema.ts";

/** Parses an API schema from SDL. `reserved` allows names that GraphQL reserves. Extensions are ignored. */
export function parseSdl(text: string, place: string, { reserved = false } = {}): ApiSchema {
  let roots: Roots | null = null;
  const types: ApiType[] = [];
  const directives: ApiSchema["directives"][number][] = [];
  for (const definition of parseDefinitions(text, place)) {
    switch (definition.kind) {
      case Kind.SCHEMA_DEFINITION:
        roots ??= { ...NO_ROOTS };
        for (const root of definition.operationTypes) roots[root.operation] = root.type.name.value;
        break;
      case Kind.DIRECTIVE_DEFINITION:
        directives.push({
          ...named(definition),
          locations: definition.locations.map((location) => location.value),
          args: (definition.arguments ?? []).map(inputValue),
        });
        break;
      case Kind.SCALAR_TYPE_DEFINITION:
        types.push({ kind: "SCALAR", ...named(definition), ...specification(definition.directives) });
        break;
      case Kind.OBJECT_TYPE_DEFINITION:
      case Kind.INTERFACE_TYPE_DEFINITION:
        types.push({
          kind: definition.kind === Kind.OBJECT_TYPE_DEFINITION ? "OBJECT" : "INTERFACE",
          ...named(definition),
          interfaces: (definition.interfaces ?? []).map((parent) => parent.name.value),
          fields: (definition.fields ?? []).map(field),
        });
        break;
      case Kind.UNION_TYPE_DEFINITION:
        types.push({
          kind: "UNION",
          ...named(definition),
          possibleTypes: (definition.types ?? []).map((member) => member.name.value),
        });
        break;
      case Kind.ENUM_TYPE_DEFINITION:
        types.push({
          kind: "ENUM",
          ...named(definition),
          values: (definition.values ?? []).map((value) => ({
            ...named(value),
            deprecationReason: deprecationReason(value.directives),
          })),
        });
        break;
      case Kind.INPUT_OBJECT_TYPE_DEFINITION:
        types.push({
          kind: "INPUT_OBJECT",
          ...named(definition),
          fields: (definition.fields ?? []).map(inputValue),
          ...(findDirective(definition.directives, "oneOf") ? { oneOf: true } : {}),
        });
        break;
    }
  }
  const taken = reserved ? undefined : types.find(({ name }) => isReserved(name));
  if (taken) {
    throw new SchemaError({
      code: "SCHEMA_SDL_SYNTAX",
      sentence: `${place} defines the type "${taken.name}", a name that GraphQL reserves.`,
      hint: "give the type a name that does not start with two underscores.",
    });
  }
  const { query, mutation, subscription } = roots ?? rootsByName(types);
  return { queryType: query, mutationType: mutation, subscriptionType: subscription, types, directives };
}

type Roots = { query: string; mutation: string | null; subscription: string | null };

const NO_ROOTS: Roots = { query: "Query", mutation: null, subscription: null };

/** Finds root types by their default names, for a text without `schema`. */
function rootsByName(types: readonly ApiType[]): Roots {
  const find = (name: string) =>
    types.some((type) => type.kind === "OBJECT" && type.name === name) ? name : null;
  return { ...NO_ROOTS, mutation: find("Mutation"), subscription: find("Subscription") };
}

// Members are built without spread, because they are most of a schema and spread is many times slower.

function field(node: FieldDefinitionNode): ApiField {
  return {
    name: node.name.value,
    description: node.description?.value ?? null,
    args: node.arguments?.map(inputValue) ?? [],
    type: typeExpression(node.type),
    deprecationReason: deprecationReason(node.directives),
  };
}

function inputValue(node: InputValueDefinitionNode): ApiInputValue {
  const reason = deprecationReason(node.directives);
  const input = {
    name: node.name.value,
    description: node.description?.value ?? null,
    type: typeExpression(node.type),
    defaultValue: node.defaultValue === undefined ? null : print(node.defaultValue),
  };
  return reason === null ? input : { ...input, deprecationReason: reason };
}

function named(node: {
  readonly name: { readonly value: string };
  readonly description?: StringValueNode | undefined;
}): { readonly name: string; readonly description: string | null } {
  return { name: node.name.value, description: node.description?.value ?? null };
}

function deprecationReason(directives: Directives): string | null {
  const deprecated = findDirective(directives, "deprecated");
  return deprecated ? (stringArgument(deprecated, "reason") ?? "No longer supported") : null;
}

function specification(directives: Directives): { specifiedBy?: string } {
  const specifiedBy = stringArgument(findDirective(directives, "specifiedBy"), "url");
  return specifiedBy === null ? {} : { specifiedBy };
}

type Directives = readonly ConstDirectiveNode[] | undefined;

/** Finds an applied directive by name. */
export function findDirective(directives: Directives, name: string): ConstDirectiveNode | undefined {
  return directives?.find((directive) => directive.name.value === name);
}

/** Returns the value of an argument of a directive, if it is given. */
export function argumentOf(
  directive: ConstDirectiveNode | undefined,
  name: string,
): ConstValueNode | undefined {
  return directive?.arguments?.find((argument) => argument.name.value === name)?.value;
}

/** Returns the text of an argument of a directive; null if it is not a string. */
export function stringArgument(directive: ConstDirectiveNode | undefined, name: string): string | null {
  const value = argumentOf(directive, name);
  return value?.kind === Kind.STRING ? value.value : null;
}

/** Returns the items of an argument of a directive; none if it is not a list. */
export function listArgument(
  directive: ConstDirectiveNode | undefined,
  name: string,
): readonly ConstValueNode[] {
  const value = argumentOf(directive, name);
  return value?.kind === Kind.LIST ? value.values : [];
}

/** Returns the value of a member of an object; undefined for other values. */
export function memberOf(value: ConstValueNode | undefined, name: string): ConstValueNode | undefined {
  return value?.kind === Kind.OBJECT
    ? value.fields.find((field) => field.name.value === name)?.value
    : undefined;
}

/** Renders a type of a syntax tree as a type expression. */
export function typeExpression(node: TypeNode): string {
  switch (node.kind) {
    case Kind.NON_NULL_TYPE:
      return `${typeExpression(node.type)}!`;
    case Kind.LIST_TYPE:
      return `[${typeExpression(node.type)}]`;
    case Kind.NAMED_TYPE:
      return node.name.value;
  }
}

/** Parses SDL to its syntax tree. Locations take more memory than everything else. */
export function parseDocument(text: string, place: string, { locations = false } = {}): DocumentNode {
  if (isTooDeep(text)) {
    const reason = `is nested more than ${DEEPEST_DOCUMENT} levels deep.`;
    throw syntaxError(`${place} ${reason}`, { reason: `It ${reason}`, line: null, column: null });
  }
  try {
    return parse(text, { noLocation: !locations });
  } catch (cause) {
    if (!(cause instanceof GraphQLError)) throw cause;
    const location = cause.locations?.[0];
    const at = location ? `:${location.line}:${location.column}` : "";
    // The unexpected word may be a whole binary file.
    const problem = displayText(cause.message.replace(/^Syntax Error: /, ""), []);
    const { line, column } = location ?? { line: null, column: null };
    throw syntaxError(
      `${place}${at} is not valid GraphQL: ${problem}`,
      { reason: problem, line, column },
      cause,
    );
  }
}

function syntaxError(sentence: string, problem: SchemaProblem, cause?: Error): SchemaError {
  const hint = "correct the file, or restore it from its source.";
  return new SchemaError({ code: "SCHEMA_SDL_SYNTAX", sentence, hint, problems: [problem], cause });
}

/** Parses SDL a few definitions at a time, because the tree of a large schema takes thirty times the memory of its text. */
export function* parseDefinitions(text: string, place: string): Generator<DefinitionNode, void> {
  let count = 0;
  for (const part of partsOf(text)) {
    const definitions = parsePart(part);
    if (definitions === null) {
      // Either it is not valid or it has another layout. Parsing the whole text decides, and finds the position.
      yield* parseDocument(text, place).definitions.slice(count);
      return;
    }
    count += definitions.length;
    yield* definitions;
  }
}

function parsePart(part: string): readonly DefinitionNode[] | null {
  if (isTooDeep(part)) return null;
  try {
    return parse(part, { noLocation: true }).definitions;
  } catch (cause) {
    if (cause instanceof GraphQLError) return null;
    throw cause;
  }
}

/** The minimum number of characters of a part. It ends with a definition. */
const PART = 32 * 1024;

/** Quotes of block strings, and empty lines before a keyword that starts a definition. */
const MARK = /\\"""|"""|\n\n(?="""|(?:schema|scalar|type|interface|union|enum|input|directive|extend)\b)/g;

function* partsOf(text: string): Generator<string, void> {
  let start = 0;
  let isProse = false;
  for (const { 0: mark, index } of text.matchAll(MARK)) {
    if (mark === '"""') isProse = !isProse;
    else if (mark === "\n\n" && !isProse && index - start >= PART) {
      yield text.slice(start, index);
      start = index;
    }
  }
  yield text.slice(start);
}

/** The maximum depth of a document. Recursive visitors need stack for each level. */
export const DEEPEST_DOCUMENT = 500;

/** Returns whether a document is nested so deeply that parsing it could exhaust the stack. */
export function isTooDeep(text: string): boolean {
  return depthOf(text) > DEEPEST_DOCUMENT && depthOf(text.replaceAll(PROSE, "")) > DEEPEST_DOCUMENT;
}

/** Counts brackets in strings and comments too, which is fast and can only overestimate a deep document. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x28:
      case 0x5b:
      case 0x7b:
        depth++;
        if (depth > deepest) deepest = depth;
        break;
      case 0x29:
      case 0x5d:
      case 0x7d:
        depth--;
    }
  }
  return deepest;
}

/** Block strings, strings and comments. Each character matches in one way, so that an unclosed string does not backtrack. */
const PROSE = /"""(?:[^"\\]|\\"""|\\(?!""")|"(?!""))*"""|"(?:[^"\\\n]|\\.)*"|#[^\n]*/g;

/**
 * Parses and validates an API schema from a file that may have been edited.
 *
 * @param place the name of the file in errors.
 * @throws SchemaError for a syntax error, and for a schema that is not valid.
 */
export function parseWholeSdl(text: string, place: string): ApiSchema {
  const schema = parseSdl(text, place);
  try {
    validateSchema(schema);
  } catch (cause) {
    if (!(cause instanceof SchemaError)) throw cause;
    const { code, problems } = cause;
    throw new SchemaError({
      code,
      sentence: `${place} is not a valid schema: ${problems[0]?.reason}.`,
      hint: "correct the file, or restore it from its source.",
      problems,
      cause,
    });
  }
  return schema;
}
