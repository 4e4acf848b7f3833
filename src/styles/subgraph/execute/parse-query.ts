import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  type Token,
  TokenKind,
  visit,
} from "graphql";
import { messages } from "./messages.ts";
import { type Location, refuse } from "./refusal.ts";

/** The one operation of a document and its fragments by name. */
export type ParsedQuery = {
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
};

/**
 * Parses a query. The server takes one operation per document and never reads `operationName` (B.1).
 *
 * @throws Refusal on text that does not parse, on several operations, and on anything but a query.
 */
export function parseQuery(text: string): ParsedQuery {
  refuseDeepNesting(text);
  const document = parseDocument(text);
  const operations: OperationDefinitionNode[] = [];
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
    else if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    else {
      refuse({
        locations: [locationOf(definition)],
        message: `Unexpected ${describeToken(definition.loc?.startToken)}\n${EXPECTED_DEFINITION}`,
      });
    }
  }
  const [operation, ...others] = operations;
  if (operation === undefined || others.length > 0) return refuse(messages.operationNameRequired);
  if (operation.operation === "mutation") refuse(messages.notSupported("Mutations are not supported"));
  if (operation.operation === "subscription") {
    refuse(messages.notSupported("Subscriptions are not supported"));
  }
  return { operation, fragments };
}

/** Where a node begins. */
export function locationOf(node: { readonly loc?: { readonly startToken: Token } | undefined }): Location {
  const token = node.loc?.startToken;
  return { line: token?.line ?? 0, column: token?.column ?? 0 };
}

const EXPECTED_DEFINITION = "Expected {, query, mutation, subscription or fragment";

function parseDocument(text: string) {
  try {
    const document = parse(text);
    if (/\d{19}/.test(text)) refuseLongIntegers(document);
    return document;
  } catch (cause) {
    if (!(cause instanceof GraphQLError)) throw cause;
    return refuse(parseError(text, cause));
  }
}

/** Integers have to fit 64 bits. */
function refuseLongIntegers(document: DocumentNode): void {
  visit(document, {
    IntValue(node) {
      if (BigInt.asIntN(64, BigInt(node.value)) === BigInt(node.value)) return;
      refuse({ locations: [locationOf(node)], message: "number too large to fit in target type" });
    },
  });
}

function parseError(text: string, cause: GraphQLError) {
  const { line, column } = cause.locations?.[0] ?? { line: 1, column: 1 };
  const rest = text.slice(cause.positions?.[0] ?? 0);
  const expected = /Expected (.+?), found/.exec(cause.message)?.[1]?.replaceAll('"', "");
  const unexpected = /^\s*$/.test(rest) ? "end of input" : describeText(rest);
  const lines = [`Unexpected ${unexpected}`];
  if (/^\s*$/.test(text) || (line === 1 && column === 1)) lines.push(EXPECTED_DEFINITION);
  else if (expected !== undefined) lines.push(`Expected ${expected}`);
  return { locations: [{ line, column }], message: lines.join("\n") };
}

/** A token in the server's notation, ``value[Kind]`` in backquotes. */
function describeToken(token: Token | undefined): string {
  if (token === undefined || token.kind === TokenKind.EOF) return "end of input";
  return `\`${token.value ?? token.kind}[Name]\``;
}

function describeText(rest: string): string {
  for (const [kind, pattern] of TOKENS) {
    const value = pattern.exec(rest)?.[0];
    if (value !== undefined) return `\`${value}[${kind}]\``;
  }
  return `unexpected character '${[...rest][0]}'`;
}

const TOKENS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ["Name", /^[_A-Za-z]\w*/],
  ["BlockString", /^"""(?:\\"""|[^"]|"(?!""))*"""/],
  ["StringValue", /^"(?:\\.|[^"\\\n])*"/],
  ["FloatValue", /^-?\d+(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]?\d+)/],
  ["IntValue", /^-?\d+/],
  ["Punctuator", /^(?:\.\.\.|[!$():=@[\]{|}&])/],
];

/** Brackets may nest 50 deep. Checked before parsing, so that no text can exhaust our parser's stack either. */
function refuseDeepNesting(text: string): void {
  let depth = 0;
  for (const match of text.matchAll(
    /#[^\n\r]*|"""(?:\\"""|[^"]|"(?!""))*"""|"(?:\\.|[^"\\\n\r])*"|[{([]|[})\]]/g,
  )) {
    const token = match[0];
    if (token === "{" || token === "(" || token === "[") depth++;
    else if (token === "}" || token === ")" || token === "]") depth--;
    if (depth > MAX_NESTING) {
      const before = text.slice(0, match.index);
      const line = before.split(/\r\n|\n|\r/);
      refuse({
        locations: [{ line: line.length, column: (line.at(-1)?.length ?? 0) + 1 }],
        message: "Recursion limit exceeded",
      });
    }
  }
}

const MAX_NESTING = 50;
