import type { DefinitionNode, NameNode } from "graphql";
import { parseDocument } from "./parse-definitions.ts";

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
