import {
  type ASTNode,
  type DefinitionNode,
  type ExecutableDefinitionNode,
  Kind,
  parse,
  visit,
} from "graphql";
import { cached } from "../base/collections.ts";
import { escapeSeparators } from "../base/text.ts";
import { printDefinition } from "../operations/print-document.ts";

/**
 * Renders definitions as graphql-js parses them, without empty lists. Variables and arguments that occur several times,
 * such as those of a page, are constants: they are half of all documents.
 *
 * @returns the declarations of these constants in the order of first use, and the literal of each definition.
 */
export function renderTrees(nodes: readonly ExecutableDefinitionNode[]) {
  const parsed = nodes.map(
    (node) => [node, parse(printDefinition(node), { noLocation: true }).definitions[0]] as const,
  );
  const shared: string[] = [];
  const texts = new Map<unknown, string>();
  const taken = new Map<string, number>();
  for (const [literal, { name, places }] of findParts(parsed.flatMap(([, tree]) => tree ?? []))) {
    let text = literal;
    if (places.length > 1) {
      const number = (taken.get(name) ?? 0) + 1;
      taken.set(name, number);
      text = number === 1 ? name : `${name}${number}`;
      shared.push(escapeSeparators(`const ${text} = ${literal};`));
    }
    for (const place of places) texts.set(place, text);
  }
  return {
    shared,
    trees: new Map(parsed.map(([node, tree]) => [node, escapeSeparators(renderLiteral(tree, texts))])),
  };
}

type Part = { readonly name: string; readonly places: ASTNode[] };

/** Finds the parts that documents may share, by their literals. No document has a name that ends like theirs. */
function findParts(definitions: readonly DefinitionNode[]): ReadonlyMap<string, Part> {
  const parts = new Map<string, Part>();
  const add = (part: ASTNode, name: string) => {
    cached(parts, renderLiteral(part), () => ({ name, places: [] })).places.push(part);
    // The literal has the arguments of its directives.
    return false;
  };
  visit(
    { kind: Kind.DOCUMENT, definitions },
    {
      VariableDefinition: (part) => add(part, `${part.variable.name.value}Variable`),
      Argument: (part) => add(part, `${part.name.value}Argument`),
    },
  );
  return parts;
}

/** Renders a part of a syntax tree. Nodes that have a text already keep it. */
function renderLiteral(value: unknown, texts?: ReadonlyMap<unknown, string>): string {
  if (Array.isArray(value)) return `[${value.map((item) => renderLiteral(item, texts)).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const text = texts?.get(value);
  if (text !== undefined) return text;
  let members = "";
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined || (MAY_BE_EMPTY.has(key) && member.length === 0)) continue;
    members += `${members && ","}${key}:${renderLiteral(member, texts)}`;
  }
  return `{${members}}`;
}

const MAY_BE_EMPTY: ReadonlySet<string> = new Set(["arguments", "directives", "variableDefinitions"]);
