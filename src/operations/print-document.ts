import {
  type ArgumentNode,
  type DirectiveNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
  type VariableDefinitionNode,
} from "graphql";
import { quote } from "../base/text.ts";
import { typeExpression } from "../dialects/parse-sdl.ts";

/**
 * Prints an operation with the fragments it uses, without comments. Our own printer, because the text is published and
 * hashed: it must not move when the GraphQL library does.
 */
export function printDocument(
  operation: OperationDefinitionNode,
  fragments: readonly FragmentDefinitionNode[],
): string {
  return [operation, ...fragments].map((node) => printDefinition(node)).join("\n\n");
}

/** Returns the comments to print before a selection, such as `# The payer.` */
export type CommentsOf = (node: SelectionNode) => readonly string[];

/** Prints an operation or a fragment alone. */
export function printDefinition(
  node: OperationDefinitionNode | FragmentDefinitionNode,
  commentsOf: CommentsOf = () => [],
): string {
  const selections = printSelections(node.selectionSet, "", commentsOf);
  if (node.kind === Kind.FRAGMENT_DEFINITION) {
    const head = `fragment ${node.name.value} on ${node.typeCondition.name.value}`;
    return `${head}${printDirectives(node.directives)} ${selections}`;
  }
  const variables = node.variableDefinitions ?? [];
  const name = node.name ? ` ${node.name.value}` : "";
  const list = variables.length === 0 ? "" : `(${variables.map(printVariable).join(", ")})`;
  return `${node.operation}${name}${list}${printDirectives(node.directives)} ${selections}`;
}

function printVariable({ variable, type, defaultValue, directives }: VariableDefinitionNode): string {
  const value = defaultValue ? ` = ${printValue(defaultValue)}` : "";
  return `$${variable.name.value}: ${typeExpression(type)}${value}${printDirectives(directives)}`;
}

function printSelections(node: SelectionSetNode, indent: string, commentsOf: CommentsOf): string {
  const inner = `${indent}  `;
  const lines = node.selections.flatMap((selection) =>
    [...commentsOf(selection), printSelection(selection, inner, commentsOf)].map((line) => inner + line),
  );
  return `{\n${lines.join("\n")}\n${indent}}`;
}

function printSelection(node: SelectionNode, indent: string, commentsOf: CommentsOf): string {
  const directives = printDirectives(node.directives);
  if (node.kind === Kind.FRAGMENT_SPREAD) return `...${node.name.value}${directives}`;
  const set = node.selectionSet ? ` ${printSelections(node.selectionSet, indent, commentsOf)}` : "";
  if (node.kind === Kind.INLINE_FRAGMENT) {
    return `...${node.typeCondition ? ` on ${node.typeCondition.name.value}` : ""}${directives}${set}`;
  }
  const alias = node.alias ? `${node.alias.value}: ` : "";
  return `${alias}${node.name.value}${printArguments(node.arguments)}${directives}${set}`;
}

function printArguments(nodes: readonly ArgumentNode[] | undefined): string {
  if (!nodes || nodes.length === 0) return "";
  return `(${nodes.map((node) => `${node.name.value}: ${printValue(node.value)}`).join(", ")})`;
}

function printDirectives(nodes: readonly DirectiveNode[] | undefined): string {
  return (nodes ?? []).map((node) => ` @${node.name.value}${printArguments(node.arguments)}`).join("");
}

function printValue(node: ValueNode): string {
  switch (node.kind) {
    case Kind.VARIABLE:
      return `$${node.name.value}`;
    case Kind.NULL:
      return "null";
    case Kind.BOOLEAN:
      return String(node.value);
    case Kind.STRING:
      return quote(node.value);
    case Kind.INT:
    case Kind.FLOAT:
    case Kind.ENUM:
      return node.value;
    case Kind.LIST:
      return `[${node.values.map(printValue).join(", ")}]`;
    case Kind.OBJECT:
      return node.fields.length === 0
        ? "{}"
        : `{ ${node.fields.map((field) => `${field.name.value}: ${printValue(field.value)}`).join(", ")} }`;
  }
}
