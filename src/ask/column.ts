import { isObject } from "../base/is-object.ts";
import type { Field } from "./read-fields.ts";

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
