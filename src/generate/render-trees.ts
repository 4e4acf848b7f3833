import { type ASTNode, type ExecutableDefinitionNode, parse, visit } from "graphql";
import { cached } from "../base/collections.ts";
import { escapeSeparators } from "../base/text.ts";
import { printDefinition } from "../operations/print-document.ts";

/** The literals of syntax trees. */
export type RenderedTrees = {
  /** Declarations of the constants that the trees share, in the order of first use. */
  readonly shared: readonly string[];
  readonly trees: ReadonlyMap<ExecutableDefinitionNode, string>;
};

/**
 * Renders definitions as graphql-js parses them, without empty lists. Variables and arguments that occur several times,
 * such as those of a page, are constants: they are half of all documents.
 */
export function renderTrees(nodes: readonly ExecutableDefinitionNode[]): RenderedTrees {
  const parsed = nodes.map(
    (node) => [node, parse(printDefinition(node), { noLocation: true }).definitions[0]] as const,
  );
  const parts = findParts(parsed.flatMap(([, tree]) => tree ?? [])).filter(({ count }) => count > 1);
  const taken = new Map<string, number>();
  const constants = new Map<string, string>();
  for (const { name, literal } of parts) {
    const number = (taken.get(name) ?? 0) + 1;
    taken.set(name, number);
    constants.set(literal, number === 1 ? name : `${name}${number}`);
  }
  return {
    shared: [...constants].map(([literal, constant]) => `const ${constant} = ${literal};`),
    trees: new Map(parsed.map(([node, tree]) => [node, renderLiteral(tree, constants)])),
  };
}

/** Finds the parts that documents may share. No document has a name that ends like theirs. */
function findParts(trees: readonly ASTNode[]) {
  const parts = new Map<string, { readonly name: string; readonly literal: string; count: number }>();
  const count = (part: ASTNode, name: string) => {
    const literal = renderLiteral(part);
    cached(parts, literal, () => ({ name, literal, count: 0 })).count++;
    // The literal has the arguments of its directives.
    return false;
  };
  for (const tree of trees) {
    visit(tree, {
      VariableDefinition: (part) => count(part, `${part.variable.name.value}Variable`),
      Argument: (part) => count(part, `${part.name.value}Argument`),
    });
  }
  return [...parts.values()];
}

const NONE: ReadonlyMap<string, string> = new Map();

/** Renders a part of a syntax tree, with the constants of the parts that have one by their literals. */
function renderLiteral(value: unknown, constants = NONE): string {
  if (Array.isArray(value)) return `[${value.map((item) => renderLiteral(item, constants)).join()}]`;
  if (typeof value !== "object" || value === null) return escapeSeparators(JSON.stringify(value));
  const isPart = "kind" in value && (value.kind === "VariableDefinition" || value.kind === "Argument");
  if (isPart && constants !== NONE) {
    const literal = renderLiteral(value);
    return constants.get(literal) ?? literal;
  }
  const members = Object.entries(value).filter(
    ([key, member]) => member !== undefined && !(MAY_BE_EMPTY.has(key) && member.length === 0),
  );
  return `{${members.map(([key, member]) => `${key}:${renderLiteral(member, constants)}`).join()}}`;
}

const MAY_BE_EMPTY: ReadonlySet<string> = new Set(["arguments", "directives", "variableDefinitions"]);
