import {
  type FieldNode,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isListType,
  type SelectionSetNode,
} from "graphql";
import { isObject } from "../../base/parse-json.ts";
import { type Conditional, collectFields, fieldDefinition } from "../../operations/collect-fields.ts";
import type { FoundOperation } from "./find-in-surface.ts";

/** A field of an answer, by what the operation selects: known before any answer. */
export type Field = {
  /** Its key in the answer. */
  readonly name: string;
  readonly isList: boolean;
  /** What is selected below it; null for a value. */
  readonly fields: readonly Field[] | null;
};

/** Reads what an operation selects, in the order of the selection. */
export function readFields({
  node,
  fragments,
  schema,
}: Pick<FoundOperation, "node" | "fragments" | "schema">): readonly Field[] {
  const byName = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  const root = schema.getRootType(node.operation);
  return root ? read([{ node: node.selectionSet, conditions: [], parent: root.name }]) : [];

  function read(sets: readonly Conditional<SelectionSetNode>[]): readonly Field[] {
    const collected = collectFields(sets, { findFragment: (name) => byName.get(name) });
    return [...collected].map(([name, places]) => {
      const found = places.map((place) => ({ place, type: typeOf(place) }));
      const below = found.filter(({ place }) => place.node.selectionSet !== undefined);
      return {
        name,
        isList: found.some(({ type }) => isListType(getNullableType(type))),
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

  function typeOf({ node: { name }, parent }: Conditional<FieldNode>): GraphQLOutputType | undefined {
    const type = parent === undefined ? undefined : schema.getType(parent);
    return type && fieldDefinition(type, name.value)?.type;
  }
}

/** A row of an answer: what the operation selects, in its order, and nothing else. */
export type Row = Readonly<Record<string, unknown>>;

/** Builds a row of what an indexer answered, with the keys of the selection in its order; null for what is no object. */
export function buildRow(value: unknown, fields: readonly Field[]): Row | null {
  if (!isObject(value)) return null;
  return Object.fromEntries(
    fields.flatMap(({ name, fields: inner }) => {
      // What a directive leaves out is not there.
      if (!Object.hasOwn(value, name)) return [];
      return [[name, inner === null ? value[name] : buildInner(value[name], inner)]];
    }),
  );
}

function buildInner(value: unknown, fields: readonly Field[]): unknown {
  return Array.isArray(value) ? value.map((item) => buildInner(item, fields)) : buildRow(value, fields);
}

/** A column of a table of rows. */
export type Column = {
  /** `asset.symbol` */
  readonly name: string;
  /** The keys that lead to its value. */
  readonly path: readonly string[];
};

/** The columns of rows: what is selected of a reference has one each, and a list has one for all that is in it. */
export function listColumns(fields: readonly Field[], path: readonly string[] = []): readonly Column[] {
  return fields.flatMap(({ name, isList, fields: inner }) => {
    const own = [...path, name];
    return inner === null || isList ? [{ name: own.join("."), path: own }] : listColumns(inner, own);
  });
}

/** The text of a cell: exact, and empty where there is nothing. Lists and what has no type of its own are JSON. */
export function cellText(row: unknown, { path }: Column): string {
  let value = row;
  for (const key of path) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : null;
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** What the rows of an operation are, and how they are found in its answers. */
export type AnswerShape = {
  /** The key of the one list that is asked for; null where an answer is one record. */
  readonly list: string | null;
  /** What a row has. */
  readonly fields: readonly Field[];
  /** The rows of an answer, none for a record that is not there; null for what is of another form. */
  readonly readRows: (data: unknown) => readonly Row[] | null;
};

/**
 * Reads what the rows of an operation are: the items of the one list that it asks for; else one record, of the one
 * object that it asks for or of everything.
 */
export function readShape(operation: Pick<FoundOperation, "node" | "fragments" | "schema">): AnswerShape {
  const roots = readFields(operation);
  const [root, ...others] = roots;
  if (!root?.fields || others.length > 0) {
    return { list: null, fields: roots, readRows: (data) => buildRows([data], roots) };
  }
  const { name, isList, fields } = root;
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

/** Builds rows; null where one of them is none. */
export function buildRows(values: readonly unknown[], fields: readonly Field[]): readonly Row[] | null {
  const rows = values.map((value) => buildRow(value, fields));
  return rows.every((row) => row !== null) ? rows : null;
}
