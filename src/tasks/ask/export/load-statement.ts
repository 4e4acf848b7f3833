import { basename, extname, isAbsolute } from "node:path";
import { UsageError } from "../../../base/errors.ts";
import type { Column, Field } from "../rows.ts";
import { type ColumnType, columnType, LIMITS, type Limits, UNITS_SCALE } from "./column-types.ts";

/** The databases that a statement can be for. */
export type Database = "duckdb" | "postgres" | "bigquery";

/** The files that a statement loads. */
export type LoadedFiles = {
  readonly format: "csv" | "ndjson";
  /** The path of the file or folder, as the database gets it. */
  readonly path: string;
  readonly isFolder: boolean;
  /** The keys of the folders. */
  readonly folders: readonly string[];
  /** The fields and columns of the files: without the chain, if the folders have it. */
  readonly fields: readonly Field[];
  readonly columns: readonly Column[];
  /** The names of columns with values that do not fit the type of their kind; null before the first file exists. */
  readonly wide: readonly string[] | null;
};

/**
 * Renders the statements that create a table with the rows of files. Its columns have the types of `columnType`;
 * references are columns with dots, and lists are JSON.
 *
 * @throws UsageError for files that the database does not load.
 */
export function renderLoad(database: Database, files: LoadedFiles): string {
  const { wide } = files;
  const notes = [
    ...(wide === null
      ? [
          "The files do not exist yet. If the load refuses a number, print this again: its column is text then.",
        ]
      : []),
    ...(wide?.length ? [`Text, because a number does not fit: ${wide.join(", ")}.`] : []),
  ];
  const text = RENDERERS[database](files);
  return `${[...notes.map((note) => `-- ${note}`), text].join("\n")}\n`;
}

/** The numbers that columns of a database hold. */
export const LIMITS_OF: Readonly<Record<Database, Limits>> = {
  duckdb: LIMITS,
  postgres: { ...LIMITS, digits: 78, units: { whole: 78, scale: 999 } },
  // The end of the year 9999.
  bigquery: { ...LIMITS, units: { whole: 38, scale: 38 }, lastSecond: 253_402_300_799 },
};

function renderDuckdb(files: LoadedFiles): string {
  const { format, path, isFolder, folders, fields, columns } = files;
  const isCsv = format === "csv";
  const rawType = (type: ColumnType) => (type === "timestamp" ? "BIGINT" : DUCKDB_TYPES[type]);
  const fieldType = ({ name, kind, isList, fields: inner }: Field, above: string): string => {
    if (isList) return DUCKDB_TYPES.json;
    if (inner === null) return rawType(typeIn(files, { name: `${above}${name}`, kind }));
    const members = inner.map((field) => `${quote(field.name)} ${fieldType(field, `${above}${name}.`)}`);
    return `STRUCT(${members.join(", ")})`;
  };
  const read = isCsv
    ? columns.map((column) => [column.name, rawType(typeIn(files, column))])
    : fields.map((field) => [field.name, fieldType(field, "")]);
  const renderValue = (column: Column) => {
    const value = isCsv ? quote(column.name) : column.path.map(quote).join(".");
    return typeIn(files, column) === "timestamp" ? `make_timestamp(${value} * 1000000)` : value;
  };
  const place = isFolder ? `${escapeGlob(path)}/**/*.${format}` : escapeGlob(path);
  const types = folders.map((key) => `${key}: VARCHAR`).join(", ");
  return [
    `CREATE TABLE ${quote(tableName(files))} AS`,
    renderSelect(files, renderValue, quote),
    `FROM read_${isCsv ? "csv" : "json"}(`,
    indent([
      literal(place),
      isCsv
        ? `header = true, delim = ',', quote = '"', escape = '"', new_line = '\\r\\n', auto_detect = false`
        : "format = 'newline_delimited'",
      ...(folders.length > 0 ? [`hive_partitioning = true, hive_types = {${types}}`] : []),
      `columns = {\n${indent(read.map(([name = "", type = ""]) => `  ${literal(name)}: ${literal(type)}`))}\n  }`,
    ]),
    ");",
  ].join("\n");
}

/** Renders a script of `psql`, which sends a file of its own machine to a temporary table. */
function renderPostgres(files: LoadedFiles): string {
  const { format, path, isFolder, columns } = files;
  if (isFolder) {
    throw new UsageError({
      sentence: "--schema postgres loads one file, not a folder.",
      hint: "name a file with --out, or use --schema duckdb.",
    });
  }
  const isCsv = format === "csv";
  const rawType = (column: Column) => {
    const type = typeIn(files, column);
    return type === "timestamp" ? "bigint" : POSTGRES_TYPES[type];
  };
  const renderValue = (column: Column) => {
    const text = isCsv ? quote(column.name) : `line #>> ${literal(`{${column.path.join(",")}}`)}`;
    const value = isCsv || rawType(column) === "text" ? text : `CAST(${text} AS ${rawType(column)})`;
    return typeIn(files, column) === "timestamp" ? `to_timestamp(${value})` : value;
  };
  const raw = isCsv ? columns.map((column) => `${quote(column.name)} ${rawType(column)}`) : ["line jsonb"];
  // A line of JSON has neither of these two characters, so that it is one cell.
  const options = isCsv ? "HEADER true" : "DELIMITER E'\\x01', QUOTE E'\\x02'";
  return [
    "BEGIN;",
    "CREATE TEMPORARY TABLE lockflow_rows (",
    indent(raw),
    ") ON COMMIT DROP;",
    `\\copy lockflow_rows FROM ${literal(path)} WITH (FORMAT csv, ${options}, ENCODING 'UTF8')`,
    `CREATE TABLE ${quote(tableName(files))} AS`,
    renderSelect(files, renderValue, quote),
    "FROM lockflow_rows;",
    "COMMIT;",
  ].join("\n");
}

/** Renders a script that reads text, because JSON has amounts as text and CSV has no null. */
function renderBigquery(files: LoadedFiles): string {
  const { format, path, isFolder, folders, columns } = files;
  const isCsv = format === "csv";
  const nameOf = uniqueNames(columns);
  const renderValue = (column: Column) => {
    const type = typeIn(files, column);
    const keys = column.path.map((key) => (/^\w+$/.test(key) ? `.${key}` : `."${key}"`));
    const text = isCsv
      ? `NULLIF(${tick(nameOf(column.name))}, '')`
      : `JSON_${type === "json" ? "QUERY" : "VALUE"}(line, '$${keys.join("")}')`;
    if (type === "text") return text;
    if (type === "json") return `PARSE_JSON(${text}, wide_number_mode => 'round')`;
    return type === "timestamp"
      ? `TIMESTAMP_SECONDS(CAST(${text} AS INT64))`
      : `CAST(${text} AS ${BIGQUERY_TYPES[type]})`;
  };
  const raw = isCsv ? columns.map(({ name }) => `${tick(nameOf(name))} STRING`) : ["line STRING"];
  const isBelow = !isAbsolute(path) && !/^\.\.([/\\]|$)/.test(path);
  const place = isBelow ? path.replace(/^\.[/\\]/, "").replaceAll("\\", "/") : basename(path);
  const uri = (end: string) => escaped(`gs://BUCKET/${place}${end}`);
  return [
    "-- Copy the files to Cloud Storage, replace BUCKET, and run this with a default dataset.",
    "LOAD DATA OVERWRITE TEMP TABLE lockflow_rows (",
    indent(raw),
    ")",
    "FROM FILES (",
    indent([
      `uris = [${uri(isFolder ? `/*.${format}` : "")}]`,
      isCsv
        ? "format = 'CSV', skip_leading_rows = 1, allow_quoted_newlines = TRUE"
        : "format = 'CSV', field_delimiter = '\\x01', quote = ''",
      ...(folders.length > 0 ? [`hive_partition_uri_prefix = ${uri("")}`] : []),
    ]),
    folders.length === 0
      ? ");"
      : `)\nWITH PARTITION COLUMNS (${folders.map((key) => `${tick(key)} STRING`).join(", ")});`,
    `CREATE TABLE ${tick(tableName(files).replaceAll(/[^\w-]/g, "_"))} AS`,
    renderSelect(files, renderValue, (name) => tick(nameOf(name))),
    "FROM lockflow_rows;",
  ].join("\n");
}

const RENDERERS: Readonly<Record<Database, (files: LoadedFiles) => string>> = {
  duckdb: renderDuckdb,
  postgres: renderPostgres,
  bigquery: renderBigquery,
};

type Types = Readonly<Record<ColumnType, string>>;

const DUCKDB_TYPES: Types = {
  decimal: "HUGEINT",
  units: `DECIMAL(38,${UNITS_SCALE})`,
  timestamp: "TIMESTAMP",
  int32: "INTEGER",
  double: "DOUBLE",
  boolean: "BOOLEAN",
  text: "VARCHAR",
  json: "JSON",
};

const POSTGRES_TYPES: Types = {
  decimal: "numeric(78,0)",
  units: "numeric",
  timestamp: "timestamptz",
  int32: "integer",
  double: "double precision",
  boolean: "boolean",
  text: "text",
  json: "jsonb",
};

const BIGQUERY_TYPES: Types = {
  decimal: "BIGNUMERIC",
  units: "BIGNUMERIC",
  timestamp: "TIMESTAMP",
  int32: "INT64",
  double: "FLOAT64",
  boolean: "BOOL",
  text: "STRING",
  json: "JSON",
};

function typeIn({ wide }: LoadedFiles, { name, kind }: Pick<Column, "name" | "kind">): ColumnType {
  return columnType(kind, wide?.includes(name) ?? false);
}

/** Renders the list of values, each with the name of its column. */
function renderSelect(
  { folders, columns }: LoadedFiles,
  renderValue: (column: Column) => string,
  nameOf: (name: string) => string,
): string {
  const values = columns.map((column) => {
    const value = renderValue(column);
    const name = nameOf(column.name);
    return value === name ? value : `${value} AS ${name}`;
  });
  return `SELECT\n${indent([...folders.map(nameOf), ...values])}`;
}

function indent(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join(",\n");
}

/** Returns the name of the table: `streams` for `exports/streams.csv`. */
function tableName({ path, isFolder }: LoadedFiles): string {
  return isFolder ? basename(path) : basename(path, extname(path));
}

/** Quotes an identifier. */
function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Quotes text by the SQL standard, in which only the quote is special. */
function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Quotes an identifier of BigQuery that has word characters and dashes only. */
function tick(name: string): string {
  return `\`${name}\``;
}

/** Quotes text for BigQuery, whose strings have the escapes of JSON. */
function escaped(text: string): string {
  return JSON.stringify(text);
}

/** Encloses characters that DuckDB would match with others. */
function escapeGlob(path: string): string {
  return path.replaceAll(/[*?[]/g, "[$&]");
}

/** Returns a function from a column to its name in BigQuery, which has no dots in names and ignores case. */
function uniqueNames(columns: readonly Column[]): (name: string) => string {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const { name } of columns) {
    let free = name.replaceAll(/\W/g, "_");
    while (taken.has(free.toLowerCase())) free += "_";
    taken.add(free.toLowerCase());
    names.set(name, free);
  }
  return (name) => names.get(name) ?? name;
}
