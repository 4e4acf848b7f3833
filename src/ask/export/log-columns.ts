import { UsageError } from "../../base/errors.ts";
import type { Column, Field } from "../rows.ts";
import { hasText, TEXT, TYPES } from "./column-types.ts";

/** The columns of a log after those of the selection. */
export const LOG_FIELDS: readonly Field[] = [
  { name: "_version", isList: false, kind: "count", fields: null },
  { name: "_block", isList: false, kind: "count", fields: null },
  { name: "_deleted", isList: false, kind: "boolean", fields: null },
];

export const LOG_COLUMNS: readonly Column[] = LOG_FIELDS.map(({ name, kind }) => ({
  name,
  kind,
  path: [name],
}));

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
  const names = [...columns, ...LOG_FIELDS].map(({ name }) => name);
  names.push(...columns.flatMap(({ name, kind }) => (hasText(kind) ? `${name}${TEXT}` : [])));
  // Databases do not distinguish the case of names.
  const lower = names.map((name) => name.toLowerCase());
  const twice = names.find((_, at) => lower.indexOf(lower[at] ?? "") < at);
  if (twice !== undefined) {
    throw new UsageError({
      sentence: `${operation} selects "${twice}", which is the name of another column of an export.`,
      hint: "give the field another name, as in `own: amount`.",
    });
  }
  const described: Record<string, string> = {};
  const visit = (field: Field, above: string) => {
    const name = `${above}${field.name}`;
    for (const inner of field.fields ?? []) visit(inner, `${name}.`);
    if (field.fields !== null) return;
    const of = field.of ? ` of ${field.of.entity}.${field.of.field}` : "";
    described[name] = `${TYPES[field.kind]}${field.isList ? "[]" : ""}${of}`;
  };
  for (const field of fields) visit(field, "");
  return described;
}
