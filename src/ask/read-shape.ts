import { isObject } from "../base/is-object.ts";
import type { FoundOperation } from "./found-operation.ts";
import { type Field, readFields } from "./read-fields.ts";
import { buildRow, type Row } from "./row.ts";

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
export function readShape({
  node,
  fragments,
  schema,
}: Pick<FoundOperation, "node" | "fragments" | "schema">): AnswerShape {
  const roots = readFields(node, fragments, schema);
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
