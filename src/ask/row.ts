import { isObject } from "../base/is-object.ts";
import type { Field } from "./read-fields.ts";

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
