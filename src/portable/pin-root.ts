import { Kind, type OperationDefinitionNode } from "graphql";
import { argumentNode, variableNode } from "../schema/make-node.ts";
import type { PortableForm } from "../styles/style.ts";
import { heightVariable } from "./plan-variables.ts";

/**
 * The same operation with a variable for the block that its one root field is asked at, in a style that knows the past. One
 * that says of which block it is, or whose root field stands in a fragment, stays as it is.
 */
export function pinRoot(node: OperationDefinitionNode, form: PortableForm): OperationDefinitionNode {
  const [root, ...others] = node.selectionSet.selections;
  if (form.kind !== "authored" || root?.kind !== Kind.FIELD || others.length > 0) return node;
  const { argument, variable } = form.grammar.height;
  const declared = node.variableDefinitions ?? [];
  const given = root.arguments ?? [];
  const isTold =
    given.some(({ name }) => name.value === argument) ||
    declared.some((one) => one.variable.name.value === variable);
  if (isTold) return node;
  const pin = argumentNode(argument, variableNode(variable, root.loc));
  return {
    ...node,
    variableDefinitions: [...declared, heightVariable(node, form.grammar)],
    selectionSet: { ...node.selectionSet, selections: [{ ...root, arguments: [...given, pin] }] },
  };
}
