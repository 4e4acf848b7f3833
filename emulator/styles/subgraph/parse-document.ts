import {
  type DocumentNode,
  GraphQLError,
  isExecutableDefinitionNode,
  parse,
  type StringValueNode,
  type Token,
  TokenKind,
  visit,
} from "graphql";
import { readBlockString } from "../../../src/dialects/subgraph/read.ts";
import { type Location, messages, refuse } from "./messages.ts";

/**
 * Parses a query document with graphql-js, and refuses what the server's parser refuses besides: directives on
 * variables, type definitions, and some numbers, escapes and nesting. `locationOf` returns the place of a node.
 *
 * @throws QueryError with a syntax error.
 */
export function parseDocument(text: string): DocumentNode {
  let document: DocumentNode;
  try {
    document = parse(text);
  } catch (error) {
    // The parser calls itself for each level.
    if (error instanceof RangeError)
      return refuse({ message: TOO_DEEP, locations: [{ line: 1, column: 1 }] });
    if (error instanceof GraphQLError) return refuseSyntax(text, error);
    throw error;
  }
  checkTokens(text, document.loc?.startToken);
  for (const definition of document.definitions) {
    if (!isExecutableDefinitionNode(definition)) return refuseAt(definition, "a type definition");
    for (const variable of definition.variableDefinitions ?? []) {
      const [directive] = variable.directives ?? [];
      if (directive) return refuseAt(directive, "a directive on a variable");
    }
  }
  return visit(document, {
    StringValue: (node): StringValueNode | undefined =>
      node.block && node.loc
        ? { ...node, value: readBlockString(text.slice(node.loc.start + 3, node.loc.end - 3)) }
        : undefined,
  });
}

/** The place of a node in the text, as the server counts: from one, characters, a tab as eight. */
export function locationOf(node: { readonly loc?: { readonly startToken: Token } | undefined }): Location {
  return (node.loc && places.get(node.loc.startToken)) ?? { line: 0, column: 0 };
}

const places = new WeakMap<Token, Location>();

const MAX_NESTING = 50;
const TOO_DEEP = `Syntax Error: more than ${MAX_NESTING} nested brackets`;

/** Sets the place of each token and refuses those that the server cannot read. */
function checkTokens(text: string, first: Token | undefined): void {
  let place: Location = { line: 1, column: 1 };
  let end = 0;
  let depth = 0;
  for (let token = first; token; token = token.next ?? undefined) {
    place = advance(place, text.slice(end, token.start));
    end = token.start;
    places.set(token, place);
    if (OPENING.has(token.kind) && ++depth > MAX_NESTING) refuse({ locations: [place], message: TOO_DEEP });
    if (CLOSING.has(token.kind)) depth--;
    if (!isReadable(token, text)) {
      const written = text.slice(token.start, token.end);
      refuse({ locations: [place], message: `Syntax Error: unsupported ${token.kind} ${written}` });
    }
  }
}

const OPENING: ReadonlySet<TokenKind> = new Set([TokenKind.PAREN_L, TokenKind.BRACKET_L, TokenKind.BRACE_L]);
const CLOSING: ReadonlySet<TokenKind> = new Set([TokenKind.PAREN_R, TokenKind.BRACKET_R, TokenKind.BRACE_R]);

function isReadable({ kind, start, end, value }: Token, text: string): boolean {
  switch (kind) {
    case TokenKind.INT:
      return endsNumber(text, end) && BigInt.asIntN(64, BigInt(value)) === BigInt(value);
    case TokenKind.FLOAT:
      // An unsigned exponent cannot begin with 0 or 9.
      return endsNumber(text, end) && !/[eE][09]/.test(value);
    case TokenKind.STRING:
      return !/^(?:[^\\]|\\[^u])*\\u(?:\{|[dD][89a-fA-F])/s.test(text.slice(start, end));
    default:
      return true;
  }
}

function endsNumber(text: string, end: number): boolean {
  return end === text.length || " \n\r\t,#!$:=@|&()[]{}".includes(text.charAt(end));
}

function advance({ line, column }: Location, text: string): Location {
  const lastLine = text.slice(text.lastIndexOf("\n") + 1);
  let width = 0;
  for (const character of lastLine) if (!"\r\uFEFF".includes(character)) width += character === "\t" ? 8 : 1;
  if (lastLine.length === text.length) return { line, column: column + width };
  return { line: line + text.split("\n").length - 1, column: width + 1 };
}

function refuseAt(node: { readonly loc?: { readonly startToken: Token } | undefined }, what: string): never {
  return refuse({ locations: [locationOf(node)], message: `Syntax Error: unexpected ${what}` });
}

function refuseSyntax(text: string, { message, positions }: GraphQLError): never {
  const at = positions?.[0] ?? 0;
  // The server accepts both.
  if (/^on\s+on\b/.test(text.slice(at)) && /\bfragment\s+$/.test(text.slice(0, at))) {
    return refuse(messages.emulatorLacks('fragments named "on"'));
  }
  if (text[at] === "\r" && message.includes("Unterminated string")) {
    return refuse(messages.emulatorLacks("a carriage return in a string"));
  }
  return refuse({ locations: [advance({ line: 1, column: 1 }, text.slice(0, at))], message });
}
