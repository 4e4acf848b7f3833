import { isObject } from "../base/parse-json.ts";
import type { Field, Row } from "./rows.ts";

/** A list in rows that has as many items as it can return, so that there may be more. */
export type CappedList = {
  /** The field, such as `segments`. */
  readonly name: string;
  /** Its limit. */
  readonly limit: number;
  /** How many such lists there are. */
  readonly count: number;
};

/** Counts the lists in rows that have as many items as they can return. */
export function countCapped(rows: readonly Row[], fields: readonly Field[]): readonly CappedList[] {
  return fields.flatMap(({ name, fields: inner, isList, limit }) => {
    if (inner === null) return [];
    const values = rows.map((row) => row[name]);
    const lists = isList ? values.filter((value) => Array.isArray(value)) : [];
    const count = limit === undefined ? 0 : lists.filter((list) => list.length >= limit).length;
    const objects = (isList ? lists.flat() : values).filter((value) => isObject(value));
    return [
      ...(limit !== undefined && count > 0 ? [{ name, limit, count }] : []),
      ...countCapped(objects, inner),
    ];
  });
}

export function addCapped(all: readonly CappedList[], more: readonly CappedList[]): readonly CappedList[] {
  if (more.length === 0) return all;
  const isSame = (a: CappedList) => (b: CappedList) => a.name === b.name && a.limit === b.limit;
  const added = all.map((list) => ({ ...list, count: list.count + (more.find(isSame(list))?.count ?? 0) }));
  return [...added, ...more.filter((list) => !all.some(isSame(list)))];
}
