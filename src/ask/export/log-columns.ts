import { UsageError } from "../../base/errors.ts";
import { type Column, type Field, listColumns } from "../rows.ts";
import { hasText, SQL_TYPES, TEXT } from "./column-types.ts";

/** The columns of a log after those of the selection. */
export const LOG_FIELDS: readonly Field[] = [
  { name: "_version", isList: false, kind: "count", fields: null },
  { name: "_block", isList: false, kind: "count", fields: null },
  { name: "_deleted", isList: false, kind: "boolean", fields: null },
];

export const LOG_COLUMNS: readonly Column[] = listColumns(LOG_FIELDS);

/**
 * Describes the columns of a selection by their types and fields of the schema.
 *
 * @throws UsageError if a log cannot have them.
 */
export function describeColumns(
  fields: readonly Field[],
  columns: readonly Column[],
  operation: string,
): Readonly<Record<string, string>> {
  if (!fields.some(({ name, fields: inner, isList }) => name === "id" && inner === null && !isList)) {
    throw new UsageError({
      sentence: `A folder needs the id of rows, which ${operation} does not select.`,
      hint: "select id, or name a file.",
    });
  }
  const names = namesOf([...columns, ...LOG_COLUMNS]);
  // Databases do not distinguish the case of names.
  const lower = names.map((name) => name.toLowerCase());
  const twice = names.find((_, at) => lower.indexOf(lower[at] ?? "") < at);
  if (twice !== undefined) {
    throw new UsageError({
      sentence: `${operation} selects "${twice}", which is the name of another column of an export.`,
      hint: "give the field another name, as in `own: amount`.",
    });
  }
  return Object.fromEntries(describe(fields, ""));
}

/** Returns the names of columns, with those of the text beside them. */
export function namesOf(columns: readonly Pick<Column, "name" | "kind">[]): readonly string[] {
  return columns.flatMap(({ name, kind }) => (hasText(kind) ? [name, `${name}${TEXT}`] : [name]));
}

function describe(fields: readonly Field[], above: string): readonly (readonly [string, string])[] {
  return fields.flatMap(({ name, isList, kind, fields: inner, of }) => {
    if (inner !== null) return describe(inner, `${above}${name}.`);
    const field = of ? ` of ${of.entity}.${of.field}` : "";
    return [[`${above}${name}`, `${SQL_TYPES[kind]}${isList ? "[]" : ""}${field}`] as const];
  });
}
