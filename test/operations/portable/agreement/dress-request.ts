import {
  type ArgumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  parseValue,
  type SelectionSetNode,
  type VariableDefinitionNode,
  visit,
} from "graphql";
import { type Choose, createChoices } from "./choices.ts";

/** An operation with its fragments, and the values of its variables. */
export type Request = {
  readonly operation: OperationDefinitionNode;
  readonly fragments: readonly FragmentDefinitionNode[];
  readonly variables: Readonly<Record<string, unknown>>;
};

/** Makes choices in advance, because the numbers run out. */
export function chooseRequest(choose: Choose): Choose {
  const numbers = Array.from({ length: 12 }, () => choose(10_000));
  const least = numbers.reduce((sum, number) => sum + number, 0);
  return least === 0 ? () => 0 : createChoices([...numbers, ...numbers.map((number) => number * 7 + 3)]);
}

/**
 * Adds parts that operations of applications contain: variables that may be null or are not used, a block that
 * is omitted, an error policy, and the progress of the indexer.
 */
export function dressRequest({ operation, fragments, variables }: Request, choose: Choose): Request {
  const values = { ...variables };
  const tested = findTested([operation, ...fragments]);
  let definitions = (operation.variableDefinitions ?? []).map((definition) => {
    const name = definition.variable.name.value;
    const uses = tested.get(name) ?? [];
    const isTested = uses.length > 0 && !uses.includes("other");
    if (!isTested || choose(3) !== 1) return definition;
    // Without a value, equality is a test for null, and other tests fail.
    if (!uses.includes("ordered") && choose(3) > 0) values[name] = [undefined, null][choose(2)];
    else if (values[name] === undefined || values[name] === null) return definition;
    const { defaultValue: _, ...rest } = definition;
    return { ...rest, type: nullable(definition) };
  });
  let roots = operation.selectionSet;
  let others = fragments;
  const declare = (name: string, type: string) => {
    const [node] = parse(`query Q($${name}: ${type}) { a }`, { noLocation: true }).definitions;
    const [definition] = (node as OperationDefinitionNode).variableDefinitions ?? [];
    definitions = [...definitions, definition as VariableDefinitionNode];
  };
  if (choose(6) === 1) {
    declare("unused", "Int");
    if (choose(2) === 1) values["unused"] = 7;
  }
  if (choose(6) === 1) {
    const name = choose(2) === 0 ? "block" : "height";
    declare(name, "Block_height");
    if (choose(2) === 1) values[name] = null;
    const pin = argument("block", `$${name}`);
    roots = withArgument(roots, pin, () => true);
    others = fragments.map((one) =>
      one.typeCondition.name.value === "Query"
        ? { ...one, selectionSet: withArgument(one.selectionSet, pin, () => true) }
        : one,
    );
  }
  if (choose(6) === 1) {
    const policy = argument("subgraphError", choose(2) === 0 ? "allow" : "deny");
    let isFirst = true;
    roots = withArgument(roots, policy, () => {
      const was = isFirst;
      isFirst = false;
      return was;
    });
  }
  if (choose(6) === 1) {
    const [node] = parse("{ progress: _meta { block { number } } }", { noLocation: true }).definitions;
    const { selections } = (node as OperationDefinitionNode).selectionSet;
    roots = { ...roots, selections: [...roots.selections, ...selections] };
  }
  return {
    operation: { ...operation, variableDefinitions: definitions, selectionSet: roots },
    fragments: others,
    variables: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)),
  };
}

function nullable({ type }: VariableDefinitionNode): VariableDefinitionNode["type"] {
  return type.kind === Kind.NON_NULL_TYPE ? type.type : type;
}

function argument(name: string, value: string): ArgumentNode {
  const given = value.startsWith("$")
    ? ({ kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: value.slice(1) } } as const)
    : parseValue(value, { noLocation: true });
  return { kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: name }, value: given };
}

/** Adds an argument to root fields, also to those of inline fragments. */
function withArgument(
  set: SelectionSetNode,
  added: ArgumentNode,
  isWanted: (field: FieldNode) => boolean,
): SelectionSetNode {
  const selections = set.selections.map((node) => {
    if (node.kind === Kind.INLINE_FRAGMENT) {
      return { ...node, selectionSet: withArgument(node.selectionSet, added, isWanted) };
    }
    if (node.kind !== Kind.FIELD || !isWanted(node)) return node;
    return { ...node, arguments: [...(node.arguments ?? []), added] };
  });
  return { ...set, selections };
}

type Use = "equal" | "ordered" | "other";

/** Finds how variables are used: compared for equality, compared otherwise, or in another way. */
function findTested(
  nodes: readonly (OperationDefinitionNode | FragmentDefinitionNode)[],
): ReadonlyMap<string, Use[]> {
  const uses = new Map<string, Use[]>();
  for (const node of nodes) {
    visit(node, {
      VariableDefinition: () => false,
      Variable: ({ name }, _, parent) => {
        const field =
          parent && "kind" in parent && parent.kind === Kind.OBJECT_FIELD ? parent.name.value : "";
        const use = /^(?!(and|or)$)[a-z]+(_not)?$/i.test(field)
          ? "equal"
          : /_([gl]te?|in|\w+s_with|\w*nocase)$/.test(field)
            ? "ordered"
            : "other";
        uses.set(name.value, [...(uses.get(name.value) ?? []), use]);
      },
    });
  }
  return uses;
}
