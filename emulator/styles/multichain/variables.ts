import {
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type VariableDefinitionNode,
  visit,
} from "graphql";
import { baseTypeName, isList, isRequired, itemType } from "../../../src/dialects/api-schema.ts";
import { typeExpression } from "../../../src/dialects/parse-sdl.ts";
import type { Reading, Variable } from "./kinds.ts";
import { inPlatformOrder, messages } from "./messages.ts";
import { type QueryValue, readJson, readLiteral, type TypedValue } from "./query-value.ts";
import type { Scope } from "./scope.ts";

/**
 * Resolves the declared variables. Refuses a supplied variable that the operation does not use, declared or not.
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
    variables.set(name, readVariable(definition, supplied));
  }
  for (const name of used) {
    if (!variables.has(name)) throw messages.variableUnbound(name);
  }
  const unexpected = Object.keys(supplied).filter((name) => !used.has(name));
  if (unexpected.length > 0) throw messages.variablesUnexpected(unexpected);
  return variables;
}

function readVariable(
  { variable, type: typeNode, defaultValue }: VariableDefinitionNode,
  supplied: Readonly<Record<string, unknown>>,
): Variable {
  const name = variable.name.value;
  const type = typeExpression(typeNode);
  const hasDefault = defaultValue !== undefined && defaultValue.kind !== Kind.NULL;
  const json = Object.hasOwn(supplied, name) ? supplied[name] : undefined;
  if (json === null && isRequired(type)) throw messages.variableNull(type);
  if (json !== undefined) return { name, type, hasDefault, value: readJson(json) };
  if (defaultValue === undefined && isRequired(type)) throw messages.variableMissing(name);
  return { name, type, hasDefault, value: defaultValue ? readLiteral(defaultValue) : { kind: "null" } };
}

/**
 * The variables used anywhere in an operation, with fragments inlined; skipped parts count. Paths of this stage
 * include fragment names.
 */
function usedVariables(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): ReadonlySet<string> {
  const used = new Set<string>();
  const done = new Set<string>();

  function collect(
    node: OperationDefinitionNode | SelectionSetNode,
    path: string,
    within: readonly string[],
  ) {
    visit(node, {
      VariableDefinition: () => false,
      Variable: (variable) => void used.add(variable.name.value),
      FragmentSpread: (spread, _key, _parent, _path, ancestors) => {
        const name = spread.name.value;
        const fields = ancestors.map((ancestor) =>
          "kind" in ancestor && ancestor.kind === Kind.FIELD ? `.${ancestor.name.value}.selectionSet` : "",
        );
        const place = path + fields.join("");
        const start = within.indexOf(name);
        if (start >= 0) throw messages.fragmentCycle(place, within.slice(start));
        if (done.has(name)) return;
        const fragment = fragments.get(name);
        if (!fragment) throw messages.fragmentUndefined(place, name);
        collect(fragment.selectionSet, `${place}.${name}.selectionSet`, [...within, name]);
        done.add(name);
      },
    });
  }

  collect(operation, "$.selectionSet", []);
  return used;
}

/** A given field of an input object, or a given argument, with variables replaced. */
export type Entry = TypedValue & { readonly name: string };

/**
 * Replaces a variable by its value, if its declared type fits (exactly, up to nullability). Null without a value.
 */
export function resolveVariable(reading: Reading, input: TypedValue): QueryValue {
  const { value, type } = input;
  if (value.kind !== "variable") return value;
  const variable = reading.variables.get(value.name);
  if (!variable) throw messages.variableUnbound(value.name);
  if (!fits(variable, type)) throw messages.variableMistyped(input, value.name, variable.type);
  return variable.value;
}

/** Whether a variable fits a type: a default makes up for nullability. */
function fits(variable: Variable, type: string): boolean {
  if (isRequired(type) && !isRequired(variable.type) && !variable.hasDefault) return false;
  return sameShape(withoutBang(variable.type), withoutBang(type));
}

/** Nullable items do not fit required ones. */
function sameShape(declared: string, wanted: string): boolean {
  if (!isList(declared) || !isList(wanted)) return declared === wanted;
  const [item, wantedItem] = [itemType(declared), itemType(wanted)];
  if (isRequired(wantedItem) && !isRequired(item)) return false;
  return sameShape(withoutBang(item), withoutBang(wantedItem));
}

function withoutBang(type: string): string {
  return type.replace(/!$/, "");
}

/** The given fields of an input object, in order. */
export function objectEntries(scope: Scope, input: TypedValue): Entry[] {
  if (input.value.kind !== "object") throw messages.kindMismatch(input, "an object");
  const typeName = baseTypeName(input.type);
  const fields = scope.index.inputFields(typeName);
  const entries: Entry[] = [];
  for (const [name, value] of input.value.entries) {
    if (!/^[_A-Za-z]\w*$/.test(name)) throw messages.keyIllegal(input.path, name);
    const path = `${input.path}.${name}`;
    const type = fields.get(name);
    if (type === undefined) throw messages.fieldNotFound(path, name, typeName);
    entries.push({ name, type, value: resolveVariable(scope, { value, type, path }), path });
  }
  for (const [name, type] of fields) {
    if (isRequired(type) && !entries.some((entry) => entry.name === name)) {
      throw messages.requiredMissing(`${input.path}.${name}`, name);
    }
  }
  return entries;
}

/** The items of a list; a single value counts as a list of one. */
export function listItems(reading: Reading, { type, value, path }: TypedValue): TypedValue[] {
  if (value.kind === "null") throw messages.listExpected(path, "null");
  const inner = itemType(type);
  const items = value.kind === "list" ? value.items : [value];
  return items.map((item, index) => {
    const input = { value: item, type: inner, path: `${path}[${index}]` };
    return item.kind === "variable" ? { ...input, value: resolveVariable(reading, input) } : input;
  });
}

/** An enum value: bare in the document, a string in JSON. */
export function enumValue(scope: Scope, input: TypedValue): string {
  const { value } = input;
  const named =
    value.kind === "enum" || (value.kind === "string" && value.json && /^[_A-Za-z]\w*$/.test(value.value));
  if (!named) throw messages.kindMismatch(input, "an enum value");
  const values = scope.index.enumValues(baseTypeName(input.type));
  if (!values.includes(value.value)) {
    throw messages.enumValueUnknown(
      input,
      inPlatformOrder(values, (name) => name),
      value.value,
    );
  }
  return value.value;
}

export function enumValues(scope: Scope, entry: Entry): string[] {
  return listItems(scope, entry).map((item) => enumValue(scope, item));
}

/** A strict boolean: `distinct`, `_is_null`, the `if` of directives. */
export function strictBoolean(input: TypedValue): boolean {
  if (input.value.kind !== "boolean") throw messages.kindMismatch(input, "a boolean");
  return input.value.value;
}

/** A strict string, such as the name for `__type`. */
export function strictString(input: TypedValue): string {
  if (input.value.kind !== "string") throw messages.kindMismatch(input, "a string");
  return input.value.value;
}
