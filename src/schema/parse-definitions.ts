import { type DefinitionNode, type DocumentNode, GraphQLError, parse } from "graphql";
import { displayText } from "../base/display-text.ts";
import { SchemaError, type SchemaProblem } from "../base/errors/schema-error.ts";
import { DEEPEST_DOCUMENT, isTooDeep } from "./is-too-deep.ts";

/** Parses SDL to its syntax tree; locations take more memory than all the rest. */
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
    // The word that is wrong may be all of a file that is none.
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
  const hint = "correct the file, or take it again from where it came.";
  return new SchemaError({ code: "SCHEMA_SDL_SYNTAX", sentence, hint, problems: [problem], cause });
}

/** Parses SDL a few definitions at a time: the tokens and the tree of a large schema take thirty times its text. */
export function* parseDefinitions(text: string, place: string): Generator<DefinitionNode, void> {
  let count = 0;
  for (const part of partsOf(text)) {
    const definitions = parsePart(part);
    if (definitions === null) {
      // It does not parse, or was not written as we write: parsing all of it says which, and where.
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

/** Characters of a part, or a few more: it ends with a definition. */
const PART = 32 * 1024;

/** Quotes of block strings, and empty lines before a word that begins a definition and continues none. */
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
