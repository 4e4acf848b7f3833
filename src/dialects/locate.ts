import type { DefinitionNode, NameNode } from "graphql";
import type { Placed } from "./make-node.ts";
import { parseDocument } from "./parse-sdl.ts";

/** Finds coordinates in a snapshot by its indentation, because parsing it for places costs too much. */
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
export type TextPosition = { readonly line: number; readonly column: number };

/**
 * Finds where types and their members are written in an entity SDL, by coordinate; of two with one name the later one.
 *
 * @param place names the text in errors.
 * @throws SchemaError for a text that does not parse.
 */
export function locateDefinitions(text: string, place: string): ReadonlyMap<string, TextPosition> {
  const positions = new Map<string, TextPosition>();
  for (const node of parseDocument(text, place, { locations: true }).definitions) {
    for (const [coordinate, name] of namesIn(node)) {
      if (name.loc) positions.set(coordinate, positionOf(name.loc.startToken));
    }
  }
  return positions;
}

function positionOf({ line, column }: TextPosition): TextPosition {
  return { line, column };
}

function namesIn(node: DefinitionNode): (readonly [coordinate: string, name: NameNode])[] {
  if (!("name" in node) || node.name === undefined) return [];
  const owner = node.name.value;
  const members = [
    ...("fields" in node ? (node.fields ?? []) : []),
    ...("values" in node ? (node.values ?? []) : []),
  ];
  return [[owner, node.name], ...members.map(({ name }) => [`${owner}.${name.value}`, name] as const)];
}

/** The parts of a coordinate. */
export type Coordinate = {
  /** The name of a type, or of a directive with its `@`. */
  readonly type: string;
  /** A field, an input field or an enum value. */
  readonly member: string | null;
  readonly argument: string | null;
};

/** Takes a coordinate apart: `Query.stream(id:)` is the argument `id` of the member `stream` of `Query`. */
export function parseCoordinate(coordinate: string): Coordinate {
  const paren = coordinate.indexOf("(");
  const path = paren < 0 ? coordinate : coordinate.slice(0, paren);
  const dot = path.indexOf(".");
  return {
    type: dot < 0 ? path : path.slice(0, dot),
    member: dot < 0 ? null : path.slice(dot + 1),
    // It ends in a colon and the parenthesis.
    argument: paren < 0 ? null : coordinate.slice(paren + 1, -2),
  };
}

/** Where a node begins in its file. */
export function placeOf(file: string, { loc }: Placed): Place {
  return { file, line: loc?.startToken.line ?? null, column: loc?.startToken.column ?? null };
}

/** Where something is written, as much of it as is known. */
export type Place = {
  /** A path from the project's root. */
  readonly file: string;
  /** From 1. */
  readonly line: number | null;
  /** From 1. */
  readonly column: number | null;
};
