import type { FieldNode, OperationDefinitionNode } from "graphql";
import {
  baseTypeName,
  isList,
  isRequired,
  itemType,
  nullableType,
} from "../../../src/dialects/api-schema.ts";
import { typeExpression } from "../../../src/dialects/parse-sdl.ts";
import { type ErrorEntry, messages, QueryError } from "./messages.ts";
import { locationOf } from "./parse-document.ts";
import { NULL, plainFloat, type QueryValue, readJson, readLiteral, type Variables } from "./query-value.ts";
import { normalizeInteger } from "./scalars.ts";
import type { IndexedField, SchemaIndex } from "./schema-index.ts";

/** The arguments of a field by name, defaults included. */
export type Arguments = ReadonlyMap<string, QueryValue>;

/** The name of an enum member, if given. */
export function enumOf(args: Arguments, name: string): string | null {
  const value = args.get(name);
  return value?.kind === "Enum" ? value.value : null;
}

/**
 * Coerces the variables of a request. Ignores undeclared ones.
 *
 * @throws QueryError when one is missing or does not fit its type.
 */
export function coerceVariables(
  operation: OperationDefinitionNode,
  supplied: Readonly<Record<string, unknown>> | null,
  index: SchemaIndex,
): Variables {
  const variables = new Map<string, QueryValue>();
  const errors: ErrorEntry[] = [];
  for (const definition of operation.variableDefinitions ?? []) {
    const name = definition.variable.name.value;
    const type = typeExpression(definition.type);
    const location = locationOf(definition);
    const kind = index.type(baseTypeName(type))?.kind;
    if (kind !== "SCALAR" && kind !== "ENUM" && kind !== "INPUT_OBJECT") {
      errors.push(messages.notInputType(name, location));
      continue;
    }
    const json = supplied !== null && Object.hasOwn(supplied, name) ? supplied[name] : undefined;
    const value =
      json !== undefined
        ? readJson(json)
        : definition.defaultValue && readLiteral(definition.defaultValue, new Map());
    if (value === undefined) {
      if (isRequired(type)) errors.push(messages.missingVariable(name, location));
      continue;
    }
    const coerced = coerceValue(value, type, index);
    if (coerced === undefined) {
      throw new QueryError([messages.invalidArgument(name, findMisfit(value, type, index), location)]);
    }
    variables.set(name, coerced);
  }
  if (errors.length > 0) throw new QueryError(errors);
  return variables;
}

/** Of a list, the first misfit is reported. */
function findMisfit(value: QueryValue, type: string, index: SchemaIndex): QueryValue {
  if (value.kind !== "List" || !isList(type)) return value;
  const item = itemType(type);
  const misfit = value.values.find((each) => coerceValue(each, item, index) === undefined);
  return misfit === undefined ? value : findMisfit(misfit, item, index);
}

/**
 * Coerces the arguments of a field. Ignores unknown arguments (lenient).
 *
 * @throws QueryError with all arguments that are missing or do not fit.
 */
export function coerceArguments(
  node: FieldNode,
  field: IndexedField,
  { index, variables }: { readonly index: SchemaIndex; readonly variables: Variables },
): Arguments {
  const values = new Map<string, QueryValue>();
  const errors: ErrorEntry[] = [];
  for (const definition of field.args) {
    const literal = node.arguments?.find((argument) => argument.name.value === definition.name)?.value;
    const value = literal === undefined ? definition.defaultValue : readLiteral(literal, variables);
    if (value === undefined) {
      if (isRequired(definition.type)) errors.push(messages.missingArgument(definition.name));
      continue;
    }
    const coerced = coerceValue(value, definition.type, index);
    if (coerced === undefined) errors.push(messages.invalidArgument(definition.name, value));
    else values.set(definition.name, coerced);
  }
  if (errors.length > 0) throw new QueryError(errors);
  return values;
}

/** Coerces a value to `type`; undefined if it does not fit. */
export function coerceValue(value: QueryValue, type: string, index: SchemaIndex): QueryValue | undefined {
  if (value.kind === "Null") return isRequired(type) ? undefined : NULL;
  const inner = nullableType(type);
  if (isList(inner)) {
    // A single value is not a list of one.
    if (value.kind !== "List") return undefined;
    const item = itemType(inner);
    const values: QueryValue[] = [];
    for (const each of value.values) {
      const coerced = coerceValue(each, item, index);
      if (coerced === undefined) return undefined;
      values.push(coerced);
    }
    return { kind: "List", values };
  }
  const definition = index.type(inner);
  switch (definition?.kind) {
    case "SCALAR":
      return coerceScalar(value, inner);
    case "ENUM":
      return (value.kind === "Enum" || value.kind === "String") &&
        definition.values.some((member) => member.name === value.value)
        ? { kind: "Enum", value: value.value }
        : undefined;
    case "INPUT_OBJECT": {
      if (value.kind !== "Object") return undefined;
      const entries = new Map<string, QueryValue>();
      for (const [key, item] of value.entries) {
        const field = definition.fields.find((each) => each.name === key);
        const coerced = field && coerceValue(item, field.type, index);
        if (coerced === undefined) return undefined;
        entries.set(key, coerced);
      }
      return { kind: "Object", entries };
    }
    default:
      return undefined;
  }
}

function coerceScalar(value: QueryValue, type: string): QueryValue | undefined {
  switch (type) {
    case "Boolean":
      return value.kind === "Boolean" ? value : undefined;
    case "Int":
      return value.kind === "Int" && BigInt.asIntN(32, value.value) === value.value ? value : undefined;
    case "Float":
      return value.kind === "Float" || value.kind === "Int" ? value : undefined;
    case "ID":
    case "BigInt":
    case "Int8":
      if (value.kind === "Int") return { kind: "String", value: String(value.value) };
      return value.kind === "String" ? value : undefined;
    case "BigDecimal":
      if (value.kind === "Int") return { kind: "String", value: String(value.value) };
      if (value.kind === "Float") return { kind: "String", value: plainFloat(value.value) };
      return value.kind === "String" ? value : undefined;
    case "Timestamp":
      if (value.kind !== "String" || !isTime(value.value)) return undefined;
      return { kind: "String", value: normalizeInteger(value.value) ?? "" };
    default:
      return value.kind === "String" ? value : undefined;
  }
}

/** Microseconds in 64 bits; before 1970 the server accepts whole seconds only. */
function isTime(text: string): boolean {
  const time = BigInt(normalizeInteger(text) ?? "-1");
  return BigInt.asIntN(64, time) === time && (time >= 0n || time % 1_000_000n === 0n);
}
