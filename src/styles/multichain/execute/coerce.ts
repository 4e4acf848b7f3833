import { baseTypeName, isRequired, itemType } from "../../../utils/type-expression.ts";
import { describeInput, type Input } from "./input.ts";
import {
  enumValueUnknown,
  fieldNotFound,
  kindMismatch,
  listExpected,
  requiredMissing,
  unexpectedNull,
  variableMistyped,
  variableUnbound,
} from "./messages.ts";
import type { Scope } from "./scope.ts";

/** One given field of an input object, or one given argument, its variable already replaced. */
export type Entry = {
  readonly name: string;
  readonly type: string;
  readonly value: Input;
  readonly path: string;
};

/**
 * Replaces a variable by its value, if its declared type fits the place (C.5: exactly, up to nullability).
 * Undefined when it has no value, which is as if the place had not been given.
 */
export function resolveVariable(scope: Scope, input: Input, type: string, path: string): Input | undefined {
  if (input.kind !== "variable") return input;
  const variable = scope.variables.get(input.name);
  if (!variable) throw variableUnbound(input.name);
  const sameShape = variable.type.replaceAll("!", "") === type.replaceAll("!", "");
  const mayBeNull = isRequired(type) && !isRequired(variable.type) && !variable.hasDefault;
  if (!sameShape || mayBeNull) throw variableMistyped(path, input.name, variable.type, type);
  return variable.value;
}

/** The given fields of an input object, in the order they were given. */
export function objectEntries(scope: Scope, input: Input, typeName: string, path: string): Entry[] {
  if (input.kind !== "object") throw kindMismatch(path, "an object", typeName, describeInput(input));
  const fields = scope.catalog.inputFields(typeName);
  const entries: Entry[] = [];
  for (const [name, given] of input.entries) {
    const place = `${path}${pathKey(name)}`;
    const type = fields.get(name);
    if (type === undefined) throw fieldNotFound(place, name, typeName);
    const value = resolveVariable(scope, given, type, place);
    if (value !== undefined) entries.push({ name, type, value, path: place });
  }
  for (const [name, type] of fields) {
    if (isRequired(type) && !entries.some((entry) => entry.name === name)) {
      throw requiredMissing(`${path}.${name}`, name);
    }
  }
  return entries;
}

/** The items of a list; a single value is taken as a list of one (C.5). */
export function listItems(
  scope: Scope,
  { type, value, path }: Entry,
): { readonly value: Input; readonly path: string }[] {
  if (value.kind === "null") throw listExpected(path, "null");
  const inner = itemType(type);
  const items = value.kind === "list" ? value.items : [value];
  return items.flatMap((item, index) => {
    const place = `${path}[${index}]`;
    const resolved = resolveVariable(scope, item, inner, place);
    return resolved === undefined ? [] : [{ value: resolved, path: place }];
  });
}

/** An enum value: bare in the document, a string in JSON. */
export function enumValue(scope: Scope, input: Input, typeName: string, path: string): string {
  if (input.kind === "null") throw unexpectedNull(path, typeName);
  if (input.kind !== "enum" && !(input.kind === "string" && input.json)) {
    throw kindMismatch(path, "an enum value", typeName, describeInput(input));
  }
  const values = scope.catalog.enumValues(typeName);
  if (!values.includes(input.value)) throw enumValueUnknown(path, values, typeName, input.value);
  return input.value;
}

/** Enum values in a list position. */
export function enumValues(scope: Scope, entry: Entry): string[] {
  const typeName = baseTypeName(entry.type);
  return listItems(scope, entry).map((item) => enumValue(scope, item.value, typeName, item.path));
}

/** A boolean where only a boolean will do: `distinct`, `_is_null`, the `if` of directives. */
export function strictBoolean(input: Input, path: string): boolean {
  if (input.kind === "null") throw unexpectedNull(path, "Boolean");
  if (input.kind !== "boolean") throw kindMismatch(path, "a boolean", "Boolean", describeInput(input));
  return input.value;
}

/** A string where only a string will do, such as the name given to `__type`. */
export function strictString(input: Input, path: string): string {
  if (input.kind === "null") throw unexpectedNull(path, "String");
  if (input.kind !== "string") throw kindMismatch(path, "a string", "String", describeInput(input));
  return input.value;
}

/** A key of a path as the server writes it. */
function pathKey(name: string): string {
  return /^[\w-]+$/.test(name) ? `.${name}` : `['${name}']`;
}
