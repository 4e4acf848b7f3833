import { isObject } from "../../base/is-object.ts";
import type { ApiSchema } from "../../schema/api-schema.ts";
import { fieldsOf } from "../../schema/fields-of.ts";
import { listFields } from "../../schema/list-fields.ts";
import type { TextOrder, TextOrderProbe } from "../style.ts";

/** Asks for the least and the greatest rows by a few texts: a database orders them by the collation it was made with. */
export const multichainTextOrder: TextOrderProbe = (schema) => {
  const columns = textColumns(schema);
  if (columns.length === 0) return null;
  const parts = columns.flatMap(({ table, column }, index) =>
    ["asc_nulls_last", "desc_nulls_last"].map(
      (direction) =>
        `t${index}_${direction}: ${table}(limit: ${ROWS}, order_by: [{${column}: ${direction}}]) { text: ${column} }`,
    ),
  );
  return {
    query: `{ ${parts.join(" ")} }`,
    parse: (data) =>
      judge(
        columns.flatMap((_, index) => {
          const least = textsOf(data, `t${index}_asc_nulls_last`);
          const greatest = textsOf(data, `t${index}_desc_nulls_last`).reverse();
          const ends = [least[0], greatest.at(-1)].filter((text) => text !== undefined);
          return [least, greatest, ends];
        }),
      ),
  };
};

/** Enough to hold capitals and small letters. */
const ROWS = 100;

/** Each column is one sort of a table for the database. */
const COLUMNS = 3;

type TextColumn = { readonly table: string; readonly column: string };

/** Columns that are likely to hold names in capitals and small letters, in tables that are small. */
function textColumns(schema: ApiSchema): readonly TextColumn[] {
  const tables = fieldsOf(schema, schema.queryType)
    .map(({ name }) => name)
    .filter((name) => listFields(schema, name, "limit").some((field) => field.name === name));
  return ["symbol", "name", "id"]
    .flatMap((column) =>
      tables
        .filter((table) =>
          fieldsOf(schema, table).some(({ name, type }) => name === column && /^String!?$/.test(type)),
        )
        .map((table) => ({ table, column })),
    )
    .slice(0, COLUMNS);
}

/** Only letters and digits: where a sign comes, the rules of languages do not agree about either. */
function textsOf(data: unknown, key: string): string[] {
  const rows = isObject(data) && Object.hasOwn(data, key) ? data[key] : null;
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row) =>
    isObject(row) && typeof row["text"] === "string" && /^[A-Za-z0-9]+$/.test(row["text"])
      ? [row["text"]]
      : [],
  );
}

/** What neighbours that are in order by one rule and not by the other tell. */
function judge(lists: readonly (readonly string[])[]): TextOrder {
  let [bytes, language] = [false, false];
  for (const list of lists) {
    for (const [index, text] of list.slice(1).entries()) {
      const before = list[index] ?? "";
      const inBytes = before <= text;
      const inLanguage = before.toLowerCase() <= text.toLowerCase();
      if (inBytes && !inLanguage) bytes = true;
      if (inLanguage && !inBytes) language = true;
    }
  }
  return bytes === language ? "unknown" : bytes ? "bytes" : "language";
}
