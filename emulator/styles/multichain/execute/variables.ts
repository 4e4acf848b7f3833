import {
  type DirectiveNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from "graphql";
import { isRequired } from "../../../../src/dialects/api-schema.ts";
import { typeExpression } from "../../../../src/dialects/parse-sdl.ts";
import { messages } from "./messages.ts";
import { type QueryValue, readJson, readLiteral } from "./query-value.ts";
import type { Variable } from "./reading.ts";

/**
 * Gives every declared variable its value (C.5). A supplied variable that the operation does not use is
 * refused, declared or not.
 */
export function readVariables(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  supplied: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, Variable> {
  const used = usedVariables(operation, fragments);
  const variables = new Map<string, Variable>();
  for (const definition of operation.variableDefinitions ?? []) {
    const name = definition.variable.name.value;
    if (variables.has(name)) throw messages.variableRepeated(name);
    const type = typeExpression(definition.type);
    const fallback = definition.defaultValue;
    variables.set(name, {
      name,
      type,
      hasDefault: fallback !== undefined && fallback.kind !== Kind.NULL,
      value: variableValue(name, type, supplied, fallback === undefined ? undefined : readLiteral(fallback)),
    });
  }
  for (const name of used) {
    if (!variables.has(name)) throw messages.variableUnbound(name);
  }
  const unexpected = Object.keys(supplied).filter((name) => !used.has(name));
  if (unexpected.length > 0) throw messages.variablesUnexpected(unexpected);
  return variables;
}

function variableValue(
  name: string,
  type: string,
  supplied: Readonly<Record<string, unknown>>,
  fallback: QueryValue | undefined,
): QueryValue {
  const given = Object.hasOwn(supplied, name) ? supplied[name] : undefined;
  if (given === null && isRequired(type)) throw messages.variableNull(type);
  if (given !== undefined) return readJson(given);
  if (fallback === undefined && isRequired(type)) throw messages.variableMissing(name);
  return fallback ?? { kind: "null" };
}

/**
 * The variables used anywhere in an operation, its fragments put in place; skipped parts count as well. A path
 * of this early stage has the names of fragments in it.
 */
function usedVariables(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): ReadonlySet<string> {
  const known = USED.get(operation);
  if (known) return known;
  const used = new Set<string>();
  const done = new Set<string>();

  function value(node: ValueNode): void {
    if (node.kind === Kind.VARIABLE) used.add(node.name.value);
    else if (node.kind === Kind.LIST) for (const item of node.values) value(item);
    else if (node.kind === Kind.OBJECT) for (const field of node.fields) value(field.value);
  }

  function directives(nodes: readonly DirectiveNode[] | undefined): void {
    for (const node of nodes ?? []) for (const argument of node.arguments ?? []) value(argument.value);
  }

  function selectionSet(node: SelectionSetNode, path: string, within: readonly string[]): void {
    for (const selection of node.selections) {
      directives(selection.directives);
      if (selection.kind === Kind.FIELD) {
        for (const argument of selection.arguments ?? []) value(argument.value);
        if (selection.selectionSet) {
          selectionSet(selection.selectionSet, `${path}.${selection.name.value}.selectionSet`, within);
        }
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        selectionSet(selection.selectionSet, path, within);
      } else {
        fragment(selection.name.value, path, within);
      }
    }
  }

  function fragment(name: string, path: string, within: readonly string[]): void {
    const start = within.indexOf(name);
    if (start >= 0) throw messages.fragmentCycle(path, within.slice(start));
    if (done.has(name)) return;
    const definition = fragments.get(name);
    if (!definition) throw messages.fragmentUndefined(path, name);
    selectionSet(definition.selectionSet, `${path}.${name}.selectionSet`, [...within, name]);
    done.add(name);
  }

  directives(operation.directives);
  selectionSet(operation.selectionSet, "$.selectionSet", []);
  USED.set(operation, used);
  return used;
}

/** An operation is asked for again with the document it is in. */
const USED = new WeakMap<OperationDefinitionNode, ReadonlySet<string>>();
