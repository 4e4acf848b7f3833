import type { NameNode } from "graphql";
import type { Placed } from "./make-node.ts";
import { parseDocument } from "./parse-sdl.ts";

/** Finds the places of coordinates in a snapshot by its indentation, because parsing it would be slow. */
export function locateCoordinates(text: string, file: string): (coordinate: string) => Place | null {
  let lines: ReadonlyMap<string, number> | undefined;
  return (coordinate) => {
    lines ??= indexLines(text);
    const line = lines.get(coordinate.replace(/\(.*$/, ""));
    return line === undefined ? null : { file, line, column: 1 };
  };
}

function indexLines(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  let owner = "";
  let isProse = false;
  for (const [index, line] of text.split("\n").entries()) {
    const quotes = line.split('"""').length - 1;
    if (isProse || quotes > 0) {
      if (quotes % 2 === 1) isProse = !isProse;
      continue;
    }
    const head = /^(?:directive (@\w+)|(?:type|interface|union|enum|input|scalar) (\w+))/.exec(line);
    const member = /^ {2}(\w+)/.exec(line)?.[1];
    if (head) {
      owner = head[1] ?? head[2] ?? "";
      lines.set(owner, index + 1);
    } else if (line === "schema {") owner = "";
    else if (member !== undefined && owner !== "") lines.set(`${owner}.${member}`, index + 1);
  }
  return lines;
}

/** A line and a column of a text, from 1. */
type TextPosition = { readonly line: number; readonly column: number };

/**
 * Finds the positions of types and their members in an entity SDL, by coordinate. The last of several with one name wins.
 *
 * @param place the name of the text in errors.
 * @throws SchemaError for a syntax error.
 */
export function locateDefinitions(text: string, place: string): ReadonlyMap<string, TextPosition> {
  const positions = new Map<string, TextPosition>();
  const add = (coordinate: string, { loc }: NameNode) => {
    if (loc) positions.set(coordinate, { line: loc.startToken.line, column: loc.startToken.column });
  };
  for (const node of parseDocument(text, place, { locations: true }).definitions) {
    if (!("name" in node) || node.name === undefined) continue;
    const owner = node.name.value;
    add(owner, node.name);
    const members = "fields" in node ? node.fields : "values" in node ? node.values : [];
    for (const { name } of members ?? []) add(`${owner}.${name.value}`, name);
  }
  return positions;
}

/** The parts of a coordinate. */
export type Coordinate = {
  /** The name of a type, or of a directive with its `@`. */
  readonly type: string;
  /** A field, an input field or an enum value. */
  readonly member: string | null;
  readonly argument: string | null;
};

/** Parses a coordinate: `Query.stream(id:)` is the argument `id` of the member `stream` of `Query`. */
export function parseCoordinate(coordinate: string): Coordinate {
  const paren = coordinate.indexOf("(");
  const path = paren < 0 ? coordinate : coordinate.slice(0, paren);
  const dot = path.indexOf(".");
  return {
    type: dot < 0 ? path : path.slice(0, dot),
    member: dot < 0 ? null : path.slice(dot + 1),
    // It ends with a colon and a parenthesis.
    argument: paren < 0 ? null : coordinate.slice(paren + 1, -2),
  };
}

/** Returns the place where a node starts in its file. */
export function locateNode(file: string, { loc }: Placed): Place {
  return { file, line: loc?.startToken.line ?? null, column: loc?.startToken.column ?? null };
}

/** A place in a file; parts of it may be unknown. */
export type Place = {
  /** A path from the project's root. */
  readonly file: string;
  /** From 1. */
  readonly line: number | null;
  /** From 1. */
  readonly column: number | null;
};
