import {
  type DirectiveNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from "graphql";
import { baseTypeName, isList, isRequired, itemType } from "../../../src/dialects/api-schema.ts";
import { typeExpression } from "../../../src/dialects/parse-sdl.ts";
import type { Reading, Variable } from "./kinds.ts";
import { inPlatformOrder, messages } from "./messages.ts";
import { describeInput, type QueryValue, readJson, readLiteral } from "./query-value.ts";
import type { Scope } from "./scope.ts";

/**
 * Resolves the declared variables (C.5). Refuses a supplied variable that the operation does not use, declared or not.
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
 * The variables used anywhere in an operation, with fragments inlined; skipped parts count. Paths of this stage
 * include fragment names.
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

/** Cached with the operation, whose document is cached. */
const USED = new WeakMap<OperationDefinitionNode, ReadonlySet<string>>();

/** A given field of an input object, or a given argument, with variables replaced. */
export type Entry = {
  readonly name: string;
  readonly type: string;
  readonly value: QueryValue;
  readonly path: string;
};

/**
 * Replaces a variable by its value, if its declared type fits (C.5: exactly, up to nullability). Null without a value.
 */
export function resolveVariable(reading: Reading, input: QueryValue, type: string, path: string): QueryValue {
  if (input.kind !== "variable") return input;
  const variable = reading.variables.get(input.name);
  if (!variable) throw messages.variableUnbound(input.name);
  if (!fits(variable, type)) throw messages.variableMistyped(path, input.name, variable.type, type);
  return variable.value;
}

/** Whether a variable fits a type: a default makes up for nullability. */
function fits(variable: Variable, type: string): boolean {
  if (isRequired(type) && !isRequired(variable.type) && !variable.hasDefault) return false;
  return sameShape(withoutBang(variable.type), withoutBang(type));
}

/** Nullable items do not fit required ones. */
function sameShape(given: string, wanted: string): boolean {
  if (!isList(given) || !isList(wanted)) return given === wanted;
  const [item, wantedItem] = [itemType(given), itemType(wanted)];
  if (isRequired(wantedItem) && !isRequired(item)) return false;
  return sameShape(withoutBang(item), withoutBang(wantedItem));
}

function withoutBang(type: string): string {
  return type.replace(/!$/, "");
}

/** The given fields of an input object, in order. */
export function objectEntries(scope: Scope, input: QueryValue, typeName: string, path: string): Entry[] {
  if (input.kind !== "object") throw messages.kindMismatch(path, "an object", typeName, describeInput(input));
  const fields = scope.index.inputFields(typeName);
  const entries: Entry[] = [];
  for (const [name, given] of input.entries) {
    if (!/^[_A-Za-z]\w*$/.test(name)) throw messages.keyIllegal(path, name);
    const place = `${path}.${name}`;
    const type = fields.get(name);
    if (type === undefined) throw messages.fieldNotFound(place, name, typeName);
    entries.push({ name, type, value: resolveVariable(scope, given, type, place), path: place });
  }
  for (const [name, type] of fields) {
    if (isRequired(type) && !entries.some((entry) => entry.name === name)) {
      throw messages.requiredMissing(`${path}.${name}`, name);
    }
  }
  return entries;
}

/** The items of a list; a single value counts as a list of one (C.5). */
export function listItems(
  reading: Reading,
  { type, value, path }: Entry,
): { readonly value: QueryValue; readonly path: string }[] {
  if (value.kind === "null") throw messages.listExpected(path, "null");
  const inner = itemType(type);
  const items = value.kind === "list" ? value.items : [value];
  return items.map((item, index) => {
    const place = `${path}[${index}]`;
    return { value: resolveVariable(reading, item, inner, place), path: place };
  });
}

/** An enum value: bare in the document, a string in JSON. */
export function enumValue(scope: Scope, input: QueryValue, typeName: string, path: string): string {
  const named =
    input.kind === "enum" || (input.kind === "string" && input.json && /^[_A-Za-z]\w*$/.test(input.value));
  if (!named) throw messages.kindMismatch(path, "an enum value", typeName, describeInput(input));
  const values = scope.index.enumValues(typeName);
  if (!values.includes(input.value)) {
    throw messages.enumValueUnknown(
      path,
      inPlatformOrder(values, (value) => value),
      typeName,
      input.value,
    );
  }
  return input.value;
}

export function enumValues(scope: Scope, entry: Entry): string[] {
  const typeName = baseTypeName(entry.type);
  return listItems(scope, entry).map((item) => enumValue(scope, item.value, typeName, item.path));
}

/** A strict boolean: `distinct`, `_is_null`, the `if` of directives. */
export function strictBoolean(input: QueryValue, path: string): boolean {
  if (input.kind !== "boolean")
    throw messages.kindMismatch(path, "a boolean", "Boolean", describeInput(input));
  return input.value;
}

/** A strict string, such as the name for `__type`. */
export function strictString(input: QueryValue, path: string): string {
  if (input.kind !== "string") throw messages.kindMismatch(path, "a string", "String", describeInput(input));
  return input.value;
}
