import {
  type FieldNode,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isListType,
  type SelectionSetNode,
} from "graphql";
import { isObject } from "../base/parse-json.ts";
import { type FieldName, isTime } from "../dialects/protocol.ts";
import { type Conditional, collectFields, fieldDefinition } from "../operations/collect-fields.ts";
import type { FoundOperation } from "./find-in-surface.ts";

/** A selected field of an answer. */
export type Field = {
  /** Its key in the answer. */
  readonly name: string;
  /** Whether it is a list of such values. */
  readonly isList: boolean;
  readonly kind: ValueKind;
  /** The fields selected below it; null for a value. */
  readonly fields: readonly Field[] | null;
  /** The limit of a list of objects; absent if it has none. */
  readonly limit?: number;
  /** The field of the schema; absent for fields that are added. */
  readonly of?: FieldName | undefined;
  /** How the value is computed from others of the row; absent for selected fields. */
  readonly units?: Units | undefined;
};

/** An amount in whole units of its asset. */
export type Units = {
  /** The key of the amount. */
  readonly amount: string;
  /** The decimals, or where they are: keys, from the row that is so many rows above. */
  readonly decimals: number | { readonly path: readonly string[]; readonly above: number };
};

/**
 * What values are: `amount` is an integer of any size, `units` a decimal of any size, `time` seconds since 1970, `integer`
 * has 32 bits, `count` is one of an export with 53 bits, `json` is any value.
 */
export type ValueKind =
  | "amount"
  | "units"
  | "count"
  | "integer"
  | "time"
  | "float"
  | "boolean"
  | "enum"
  | "text"
  | "json";

/** An operation whose answers are read. */
type Answered = Pick<FoundOperation, "node" | "fragments" | "schema" | "scalars"> & {
  /** The fields that hold times. */
  readonly times: readonly FieldName[];
  /** Returns the limit of a list; null if it has none. @default no limits */
  readonly limitOf?: (list: FieldNode) => number | null;
};

/** Reads the selected fields of an operation, in the order of the selection. */
export function readFields({ node, fragments, schema, scalars, times, limitOf }: Answered): readonly Field[] {
  const byName = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  const root = schema.getRootType(node.operation);
  return root ? read([{ node: node.selectionSet, conditions: [], parent: root.name }]) : [];

  function read(sets: readonly Conditional<SelectionSetNode>[]): readonly Field[] {
    const collected = collectFields(sets, { findFragment: (name) => byName.get(name) });
    return [...collected].map(([name, places]) => {
      const typed = places.map((place) => ({ place, type: typeOf(place) }));
      const below = typed.filter(({ place }) => place.node.selectionSet !== undefined);
      const [first] = places;
      const isList = typed.some(({ type }) => isListType(getNullableType(type)));
      const limit = isList && first && below.length > 0 ? limitOf?.(first.node) : null;
      return {
        name,
        isList,
        of: { entity: first?.parent ?? "", field: first?.node.name.value ?? "" },
        ...(limit != null && { limit }),
        kind: first ? kindOf(first, typed[0]?.type) : "text",
        fields:
          below.length === 0
            ? null
            : read(
                below.map(({ place, type }) => ({
                  node: place.node.selectionSet as SelectionSetNode,
                  conditions: [],
                  parent: type && getNamedType(type).name,
                })),
              ),
      };
    });
  }

  function kindOf(place: Conditional<FieldNode>, outputType: GraphQLOutputType | undefined): ValueKind {
    const type = outputType && getNamedType(outputType);
    if (isEnumType(type)) return "enum";
    const family = type && scalars.get(type.name)?.family;
    if (family === "number" || family === "integer") {
      if (isTime(times, place.parent ?? "", place.node.name.value)) return "time";
      return family === "integer" ? family : type?.name === "BigDecimal" ? "text" : "amount";
    }
    return family === "boolean" || family === "float" || family === "json" ? family : "text";
  }

  function typeOf({ node: { name }, parent }: Conditional<FieldNode>): GraphQLOutputType | undefined {
    const type = parent === undefined ? undefined : schema.getType(parent);
    return type && fieldDefinition(type, name.value)?.type;
  }
}

/** A row of an answer: the selected fields in the order of the selection. */
export type Row = Readonly<Record<string, unknown>>;

/** An object of an answer, and the one that it is in. */
type Nested = { readonly value: unknown; readonly above: Nested | null };

/** Builds a row with the selected fields from an answer, in their order; null if it is not an object. */
export function buildRow(value: unknown, fields: readonly Field[], above: Nested | null = null): Row | null {
  if (!isObject(value)) return null;
  if (isRow(value, fields)) return value;
  const nested = { value, above };
  // Filled in a loop, because lists of entries take six times as long.
  const row: Record<string, unknown> = {};
  for (const { name, fields: inner, units } of fields) {
    // `@skip` and `@include` can omit a field.
    if (!Object.hasOwn(value, units?.amount ?? name)) continue;
    const built =
      units !== undefined
        ? unitsOf(nested, units)
        : inner === null
          ? value[name]
          : buildInner(value[name], inner, nested);
    if (name === "__proto__") Object.defineProperty(row, name, { value: built, enumerable: true });
    else row[name] = built;
  }
  return row;
}

/** Returns whether a value has exactly the selected fields in their order, as most answers do. */
function isRow(value: Readonly<Record<string, unknown>>, fields: readonly Field[]): boolean {
  let at = 0;
  for (const key in value) {
    const field = fields[at++];
    if (field?.name !== key) return false;
    if (field.fields === null || value[key] === null) continue;
    if (field.isList || !isObject(value[key]) || !isRow(value[key], field.fields)) return false;
  }
  return at === fields.length;
}

function buildInner(value: unknown, fields: readonly Field[], above: Nested): unknown {
  return Array.isArray(value)
    ? value.map((item) => buildInner(item, fields, above))
    : buildRow(value, fields, above);
}

/** Computes an amount in whole units; null without an amount or its decimals. */
function unitsOf(nested: Nested, { amount, decimals }: Units): string | null {
  if (typeof decimals === "number") return formatUnits(valueAt(nested.value, [amount]), decimals);
  let row: Nested | null = nested;
  for (let above = decimals.above; above > 0; above--) row = row?.above ?? null;
  const text = String(valueAt(row?.value, decimals.path));
  return /^\d{1,3}$/.test(text) ? formatUnits(valueAt(nested.value, [amount]), Number(text)) : null;
}

/** Writes an integer as a decimal number, without zeros at its end; null for another value. */
export function formatUnits(amount: unknown, decimals: number): string | null {
  const [, sign = "", digits = ""] = /^(-?)(\d+)$/.exec(String(amount)) ?? [];
  if (digits === "") return null;
  const padded = digits.padStart(decimals + 1, "0");
  const whole = padded.slice(0, padded.length - decimals).replace(/^0+(?=\d)/, "");
  const part = padded.slice(padded.length - decimals).replace(/0+$/, "");
  return `${whole === "0" && part === "" ? "" : sign}${whole}${part === "" ? "" : `.${part}`}`;
}

/** A column of a table of rows. */
export type Column = {
  /** `asset.symbol` */
  readonly name: string;
  /** The keys to its value. */
  readonly path: readonly string[];
  /** The type of its values; `json` for a list. */
  readonly kind: ValueKind;
};

/** Lists the columns of rows: each field of a reference is a column, and a list is one column. */
export function listColumns(fields: readonly Field[], path: readonly string[] = []): readonly Column[] {
  return fields.flatMap(({ name, isList, kind, fields: inner }) => {
    const fieldPath = [...path, name];
    if (inner !== null && !isList) return listColumns(inner, fieldPath);
    return [{ name: fieldPath.join("."), path: fieldPath, kind: isList ? "json" : kind }];
  });
}

/** Renders a cell without loss of digits; empty for null. Lists and objects are JSON. */
export function cellText(row: unknown, { path }: Pick<Column, "path">): string {
  const value = valueAt(row, path);
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Returns the value of a column; null if it is not there. */
export function valueAt(row: unknown, path: readonly string[]): unknown {
  let value = row;
  // Exports spend much of their time here, and an iterator takes twice as long.
  for (let at = 0; at < path.length; at++) {
    const key = path[at] ?? "";
    value = isObject(value) && Object.hasOwn(value, key) ? value[key] : null;
  }
  return value;
}

/** The form of the rows of an operation. */
export type AnswerShape = {
  /** The key of the list; null if an answer is one record. */
  readonly list: string | null;
  /** The fields of a row. */
  readonly fields: readonly Field[];
  /** Reads the rows of an answer; empty for a missing record, null if the answer has another form. */
  readonly readRows: (data: unknown) => readonly Row[] | null;
};

/**
 * Reads the form of the rows of an operation: the items of its only list; else one record, its only object or the whole
 * answer.
 *
 * @param complete adds computed fields to those of a row.
 */
export function readShape(
  operation: Answered,
  complete: (fields: readonly Field[]) => readonly Field[] = (fields) => fields,
): AnswerShape {
  const roots = readFields(operation);
  const [root, ...others] = roots;
  if (!root?.fields || others.length > 0) {
    const all = complete(roots);
    return { list: null, fields: all, readRows: (data) => buildRows([data], all) };
  }
  const { name, isList } = root;
  const fields = complete(root.fields);
  return {
    list: isList ? name : null,
    fields,
    readRows: (data) => {
      const value = isObject(data) && Object.hasOwn(data, name) ? data[name] : undefined;
      if (isList) return Array.isArray(value) ? buildRows(value, fields) : null;
      return value === null ? [] : buildRows([value], fields);
    },
  };
}

/** Builds rows; null if one of them is not an object. */
export function buildRows(values: readonly unknown[], fields: readonly Field[]): readonly Row[] | null {
  const rows = values.map((value) => buildRow(value, fields));
  return rows.every((row) => row !== null) ? rows : null;
}
