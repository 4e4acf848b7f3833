import {
  type ArgumentNode,
  Kind,
  type OperationDefinitionNode,
  print,
  type ValueNode,
  type VariableDefinitionNode,
  visit,
} from "graphql";
import { baseTypeName } from "../../dialects/api-schema.ts";
import { nameNode } from "../../dialects/make-node.ts";
import { typeExpression } from "../../dialects/parse-sdl.ts";
import type { PortableGrammar } from "../../dialects/portable-style.ts";
import type { CompiledDefinition } from "./compile-definition.ts";
import type { OperationFacts } from "./compiled-operation.ts";
import { defaultOf } from "./plan-variables.ts";
import type { NotedRoot, Scope } from "./scope.ts";

/** The blocks that an operation requests. */
type Blocks = OperationFacts["block"] & {
  /** The operation. Its root fields have a variable for the block, unless the author names a block. */
  readonly node: OperationDefinitionNode;
  /** The variable that the compiler adds for the block; null if none is needed. */
  readonly added: string | null;
};

/**
 * Reads the blocks that the roots of an operation and of its fragments name. An authored variable for the block of all
 * roots replaces the one that the compiler would add.
 */
export function readBlocks(
  { nodes, scope }: CompiledDefinition<OperationDefinitionNode>,
  shared: readonly NotedRoot[],
): Blocks {
  const { authored: node } = nodes;
  const { height } = scope.facts.authored.grammar;
  const all = [...scope.roots, ...shared];
  const blocks = all.flatMap(({ block }) => block ?? []);
  const find = (name: string) =>
    node.variableDefinitions?.find(({ variable }) => variable.name.value === name);
  const isTaken = (name: string) => find(name) !== undefined && !isOfHeight(find(name), height);
  const [block] = blocks;
  if (block === undefined) {
    let added = height.variable;
    // A fragment has one text for all operations.
    if (shared.length === 0) while (isTaken(added)) added += "_";
    else if (isTaken(added)) refuseName(added, find(added), scope);
    return {
      node: added === height.variable ? node : placePins(node, scope.roots, added),
      added: find(added) === undefined ? added : null,
      at: `$${added}`,
      isPinned: false,
      numbers: [],
    };
  }
  const isSame = new Set(all.map((root) => root.block && print(root.block))).size === 1;
  const isOpen = isSame && isOfHeight(findOf(block), height);
  const { styles } = scope.facts.definition;
  const isShared = shared.some(({ pin }) => pin !== null);
  if (isShared && find(height.variable)) refuseName(height.variable, find(height.variable), scope);
  else if (isOpen || styles.includes(scope.facts.authored.style)) {
    scope.refuse("portable/past-block", [isOpen ? print(block) : null], block);
  } else scope.refuse("portable/argument", [height.argument], block);
  return {
    node: placePins(node, scope.roots, null),
    added: isShared ? height.variable : null,
    at: isSame ? print(block) : "",
    isPinned: !isOpen,
    numbers: blocks
      .flatMap((value) => (value.kind === Kind.OBJECT ? value.fields : []))
      .flatMap(({ value }) => (value.kind === Kind.VARIABLE ? value.name.value : []))
      .filter((name) => /^Int!?$/.test(typeOf(find(name)))),
  };

  function findOf(value: ValueNode): VariableDefinitionNode | undefined {
    return value.kind === Kind.VARIABLE ? find(value.name.value) : undefined;
  }
}

/** Whether a variable can hold the requested block: it has its type and no default. */
function isOfHeight(
  definition: VariableDefinitionNode | undefined,
  { type }: PortableGrammar["height"],
): boolean {
  return (
    definition !== undefined && baseTypeName(typeOf(definition)) === type && defaultOf(definition) === null
  );
}

function typeOf(definition: VariableDefinitionNode | undefined): string {
  return definition === undefined ? "" : typeExpression(definition.type);
}

function refuseName(name: string, definition: VariableDefinitionNode | undefined, scope: Scope): void {
  if (definition) scope.refuse("portable/reserved-name", [`\`$${name}\``], definition);
}

/** Removes the arguments for the requested block, or names their variable. */
function placePins(
  node: OperationDefinitionNode,
  roots: readonly NotedRoot[],
  name: string | null,
): OperationDefinitionNode {
  const pins = new Set<ArgumentNode>(roots.flatMap(({ pin }) => pin ?? []));
  return visit(node, {
    Argument: (argument) => {
      if (!pins.has(argument)) return undefined;
      if (name === null || argument.value.kind !== Kind.VARIABLE) return null;
      const { value } = argument;
      return { ...argument, value: { ...value, name: nameNode(name, value.loc) } };
    },
  });
}
