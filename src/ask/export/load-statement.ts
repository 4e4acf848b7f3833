import { basename, extname } from "node:path";
import type { FormatName } from "../formats.ts";
import type { Field, ValueKind } from "../rows.ts";
import { FITTING, hasText, LOG_COLUMNS, LOG_FIELDS, namesOf, SQL_TYPES, TEXT } from "./columns.ts";
import type { ColumnOptions } from "./parquet-columns.ts";

export type LoadedFiles = ColumnOptions & {
  readonly format: FormatName;
  /** The path of the file or folder, as the database gets it. */
  readonly path: string;
};

/**
 * Renders the statement that creates a table of DuckDB with the rows of one CSV or NDJSON file. Its columns are those of a
 * Parquet file with `--flat`.
 */
export function renderLoad(files: LoadedFiles): string {
  const table = basename(files.path, extname(files.path));
  return `CREATE TABLE ${quote(table)} AS\n${renderCasts(files, escapeGlob(files.path))};\n`;
}

/**
 * Renders the view of a log, `all_streams` for `AllStreams`: the last version of each row. It is standard SQL for all databases
 * that read the files, but for the function that names them.
 */
export function renderView(
  files: LoadedFiles,
  { operation, chainKey }: { readonly operation: string; readonly chainKey: string },
): string {
  const { format, path, fields, columns, isFlat } = files;
  const place = `${escapeGlob(path)}/part-*.${format}`;
  const isParquet = format === "parquet";
  const source = isParquet
    ? `read_parquet(${literal(place)}, union_by_name = true)`
    : `(\n${renderCasts({ ...files, columns: [...columns, ...LOG_COLUMNS] }, place).replaceAll(/^/gm, "    ")}\n  ) AS parts`;
  const names = namesOf(isParquet && !isFlat ? fields : columns);
  const view = operation.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, "_").toLowerCase();
  const key = `PARTITION BY ${quote(chainKey)}`;
  return [
    `CREATE OR REPLACE VIEW ${quote(view).replace(/^"(\w+)"$/, "$1")} AS`,
    `SELECT\n  ${[...names.map(quote), "_block"].join(",\n  ")}`,
    "FROM (",
    `  SELECT *, row_number() OVER (${key}, id ORDER BY _version DESC) AS _rank,`,
    `    max(CASE WHEN id IS NULL THEN _version END) OVER (${key}) AS _void`,
    `  FROM ${source}`,
    ") AS log",
    "WHERE _rank = 1 AND id IS NOT NULL AND (_deleted IS NULL OR NOT _deleted) AND (_void IS NULL OR _version > _void);",
    "",
  ].join("\n");
}

/** Renders the query that gives the text of files its types. */
function renderCasts({ format, fields, columns }: LoadedFiles, place: string): string {
  const isCsv = format === "csv";
  const members = [...fields, ...LOG_FIELDS].map(
    (field) => `${literal(field.name)}: ${literal(textType(field))}`,
  );
  const values = columns.flatMap(({ name, path, kind }) => {
    const text = isCsv ? quote(name) : path.map(quote).join(".");
    if (!hasText(kind)) return [`${castTo(kind, text)} AS ${quote(name)}`];
    const fits = `regexp_full_match(${text}, ${literal(FITTING[kind])})`;
    return [
      `CASE WHEN ${fits} THEN ${castTo(kind, text)} END AS ${quote(name)}`,
      `CASE WHEN NOT ${fits} THEN ${text} END AS ${quote(`${name}${TEXT}`)}`,
    ];
  });
  const options = isCsv
    ? `header = true, all_varchar = true, union_by_name = true, auto_detect = false, delim = ',', quote = '"', escape = '"', new_line = '\\r\\n'`
    : `format = 'newline_delimited', columns = { ${members.join(", ")} }`;
  const read = isCsv ? "read_csv" : "read_json";
  return `SELECT\n  ${values.join(",\n  ")}\nFROM ${read}(${literal(place)}, ${options})`;
}

/** Returns the type of a field in JSON, whose values are text: numbers would lose digits. */
function textType({ isList, fields }: Field): string {
  if (isList) return "JSON";
  if (fields === null) return "VARCHAR";
  return `STRUCT(${fields.map((field) => `${quote(field.name)} ${textType(field)}`).join(", ")})`;
}

function castTo(kind: ValueKind, text: string): string {
  if (kind === "text" || kind === "enum") return text;
  if (kind === "time") return `make_timestamp(CAST(${text} AS BIGINT) * 1000000)`;
  return `CAST(${text} AS ${SQL_TYPES[kind]})`;
}

/** Quotes an identifier. */
function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Quotes text by the SQL standard, in which only the quote is special. */
function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Encloses characters that DuckDB would match with others. */
function escapeGlob(path: string): string {
  return path.replaceAll(/[*?[]/g, "[$&]");
}
