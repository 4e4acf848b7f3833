import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import { KEEP_ALL } from "../../../../src/tasks/ask/export/drop-rows.ts";
import { loadStatement } from "../../../../src/tasks/ask/export/load-files.ts";
import type { Database } from "../../../../src/tasks/ask/export/load-statement.ts";
import { divideRows, writeParts } from "../../../../src/tasks/ask/export/write-parts.ts";
import { createFormat } from "../../../../src/tasks/ask/formats.ts";
import { type Field, listColumns, type Row, type ValueKind } from "../../../../src/tasks/ask/rows.ts";
import { catchError } from "../../../support/catch-error.ts";
import { tempProject } from "../../../support/temp-project.ts";

const field = (name: string, kind: ValueKind, more: Partial<Field> = {}): Field => ({
  ...{ name, kind, isList: false, fields: null },
  ...more,
});

const FIELDS: readonly Field[] = [
  field("chain", "text"),
  field("canceledTime", "time"),
  field("id", "text"),
  field("amount", "amount"),
  field("huge", "amount"),
  field("amount.units", "units"),
  field("endTime", "time"),
  field("size", "integer"),
  field("share", "float"),
  field("canceled", "boolean"),
  field("category", "enum"),
  field("asset", "text", { fields: [field("symbol", "text"), field("decimals", "amount")] }),
  field("segments", "text", { isList: true, fields: [field("endTime", "time"), field("amount", "amount")] }),
];
const COLUMNS = listColumns(FIELDS);

const MOST = "9".repeat(38);
/** The largest amount of a contract, and the last time. */
const LARGEST = String(2n ** 256n - 1n);
const LAST_TIME = String(2n ** 40n - 1n);

const rowOf = (id: string, more: Row = {}): Row => ({
  ...{
    chain: "base",
    canceledTime: null,
    id,
    amount: "1",
    huge: "1",
    "amount.units": "-0.5",
    endTime: "1740000000",
  },
  ...{ size: -5, share: 0.25, canceled: true, category: "LockupLinear" },
  asset: { symbol: "DAI", decimals: "18" },
  segments: [{ endTime: "1740000000", amount: MOST }],
  ...more,
});

const SYMBOL = `a, "b";\r\n'c' \\ 🙂`;

const ROWS: readonly Row[] = [
  rowOf("1", { amount: MOST, asset: { symbol: SYMBOL, decimals: null } }),
  rowOf("2", { amount: `-${MOST}`, asset: null, segments: null, canceled: null, endTime: null, size: null }),
  rowOf("3", { amount: null, asset: { symbol: "=1", decimals: "6" }, segments: [], canceled: false }),
];

type TextName = "csv" | "ndjson";

/** Writes rows as `ask` does, and returns the statement that loads them. */
async function load(
  database: Database,
  rows: readonly Row[] | null,
  { name = "rows.csv", partition = null as readonly "chain"[] | null } = {},
) {
  const { root } = tempProject();
  const format: TextName = name.endsWith("ndjson") ? "ndjson" : "csv";
  const path = join(root, name);
  const files = { format, partition, fields: FIELDS, columns: COLUMNS, chainKey: "chain", isFlat: false };
  if (rows !== null) {
    const target = { ...files, path, shownPath: name };
    const parts = divideRows(target, rows, "");
    await writeParts(target, { run: 1, wide: [], parts, chain: "", filter: KEEP_ALL });
  }
  return loadStatement({ ...files, path, shownPath: path }, database);
}

const connection = await (await DuckDBInstance.create(":memory:")).connect();

/** Runs statements, and returns the rows of the last one. */
async function query(...statements: readonly string[]) {
  let rows: unknown;
  await connection.run("begin");
  try {
    for (const sql of statements) rows = (await connection.runAndReadAll(sql)).getRowObjectsJson();
  } finally {
    await connection.run("rollback");
  }
  return rows;
}

const TYPES = {
  ...{ chain: "VARCHAR", canceledTime: "TIMESTAMP", id: "VARCHAR", amount: "HUGEINT", huge: "HUGEINT" },
  "amount.units": "DECIMAL(38,18)",
  ...{ endTime: "TIMESTAMP", size: "INTEGER", share: "DOUBLE", canceled: "BOOLEAN", category: "VARCHAR" },
  ...{ "asset.symbol": "VARCHAR", "asset.decimals": "HUGEINT", segments: "JSON" },
};
const DESCRIBE = "select column_name n, column_type t from (describe rows)";
const asTypes = (types: Readonly<Record<string, string>>) =>
  Object.entries(types).map(([n, t]) => ({ n, t }));

describe.each<[TextName]>([["csv"], ["ndjson"]])("the statement for DuckDB and %s", (format) => {
  const name = `rows.${format}`;

  it("loads each value with its exact type", async () => {
    const sql = await load("duckdb", ROWS, { name });
    expect(await query(sql, DESCRIBE)).toEqual(asTypes(TYPES));
    const segments = `[{"endTime":"1740000000","amount":"${MOST}"}]`;
    const time = "2025-02-19 21:20:00";
    const units = `-0.5${"0".repeat(17)}`;
    const shared = {
      chain: "base",
      "amount.units": units,
      canceledTime: null,
      huge: "1",
      share: 0.25,
      category: "LockupLinear",
    };
    expect(await query(sql, 'select * from "rows" order by id')).toEqual([
      {
        ...{ ...shared, id: "1", amount: MOST, endTime: time, size: -5, canceled: true, segments },
        ...{ "asset.symbol": SYMBOL, "asset.decimals": null },
      },
      {
        ...{ ...shared, id: "2", amount: `-${MOST}`, endTime: null, size: null, canceled: null },
        ...{ "asset.symbol": null, "asset.decimals": null, segments: null },
      },
      {
        ...{ ...shared, id: "3", amount: null, endTime: time, size: -5, canceled: false, segments: "[]" },
        // CSV has an apostrophe before text that a spreadsheet would run.
        ...{ "asset.symbol": format === "csv" ? "'=1" : "=1", "asset.decimals": "6" },
      },
    ]);
  });

  it("uses text for a column with a number that does not fit", async () => {
    const row = rowOf("1", { huge: LARGEST, endTime: LAST_TIME });
    const sql = await load("duckdb", [row], { name });
    expect(sql).toMatch(/^-- Text, because a number does not fit: endTime, huge\.$/m);
    expect(await query(sql, DESCRIBE)).toEqual(asTypes({ ...TYPES, huge: "VARCHAR", endTime: "VARCHAR" }));
    expect(await query(sql, 'select huge, "endTime" from "rows"')).toEqual([
      { huge: LARGEST, endTime: LAST_TIME },
    ]);
  });

  it("reads a folder with its partition keys", async () => {
    const rows = [...ROWS, rowOf("4", { chain: "optimism" })];
    const sql = await load("duckdb", rows, { name: `rows.${format}`, partition: ["chain"] });
    const counts =
      'select chain, count(*)::int n, sum(amount)::text s from "rows.csv" group by all order by 1';
    expect(await query(sql, counts.replace("csv", format))).toEqual([
      { chain: "base", n: 3, s: "0" },
      { chain: "optimism", n: 1, s: "1" },
    ]);
  });
});

describe("the statement for DuckDB", () => {
  it.each([
    ["it's; drop table x.csv"],
    ['a"b.csv'],
    ["[a]*?{b}.csv"],
    ["back\\slash ::x.csv"],
    ["- -- * $1 %s.csv"],
    ["émoji 🙂.ndjson"],
  ])("quotes the name of the file: %s", async (name) => {
    const sql = await load("duckdb", ROWS, { name });
    const table = name.replace(/\.\w+$/, "").replaceAll('"', '""');
    expect(await query(sql, `select count(*)::int n from "${table}"`)).toEqual([{ n: 3 }]);
  });

  it("reports that types are assumed before the file exists", async () => {
    expect(await load("duckdb", null)).toMatch(/^-- The files do not exist yet\./);
  });

  it("is rejected for a file with other columns, and for a name with a line break", async () => {
    const { root, write } = tempProject({ "rows.csv": "" });
    const target = {
      ...{ path: join(root, "rows.csv"), shownPath: "rows.csv", format: "csv" as const, partition: null },
      ...{ fields: FIELDS, columns: COLUMNS, chainKey: "chain" },
    };
    const format = createFormat("csv", { columns: COLUMNS.slice(1), isRecord: false, width: null });
    write("rows.csv", format.begin);
    expect(String(catchError(() => loadStatement(target, "duckdb")))).toContain(
      "rows.csv has other columns than the operation.",
    );
    const named = { ...target, shownPath: "a\n\\! touch b.csv" };
    expect(String(catchError(() => loadStatement(named, "postgres")))).toContain("a control character");
  });
});

// Each of them returned the rows above in a real PostgreSQL 15.
describe("the statement for other databases", () => {
  const few = ["id", "huge", "endTime", "asset"];
  const lines = async (database: Database, name: string) => {
    const own = FIELDS.filter((one) => few.includes(one.name));
    const files = { format: name.endsWith("ndjson") ? "ndjson" : "csv", partition: null } as const;
    const columns = { fields: own, columns: listColumns(own), chainKey: null };
    return loadStatement({ ...files, ...columns, path: "/missing", shownPath: `exports/${name}` }, database)
      .split("\n")
      .slice(1);
  };

  it.each([
    ["it's.csv", "FORMAT csv, HEADER true", '"huge" numeric(78,0)', '"huge"'],
    [
      "it's.ndjson",
      "FORMAT csv, DELIMITER E'\\x01', QUOTE E'\\x02'",
      "line jsonb",
      `CAST(line #>> '{huge}' AS numeric(78,0)) AS "huge"`,
    ],
  ])("PostgreSQL copies %s to a temporary table", async (name, options, raw, value) => {
    const sql = await lines("postgres", name);
    expect(sql).toContain(
      `\\copy lockflow_rows FROM 'exports/it''s${name.slice(4)}' WITH (${options}, ENCODING 'UTF8')`,
    );
    expect(sql.map((line) => line.trim().replace(/,$/, ""))).toEqual(expect.arrayContaining([raw, value]));
    expect(sql.find((line) => line.includes("to_timestamp("))).toMatch(/bigint\)\)|\("endTime"\)/);
  });

  it.each([
    ["rows.csv", (column: string) => `NULLIF(\`${column.replace(".", "_")}\`, '')`],
    ["rows.ndjson", (column: string) => `JSON_VALUE(line, '$.${column}')`],
  ])("BigQuery reads the text of %s", async (name, value) => {
    const sql = (await lines("bigquery", name)).join("\n");
    expect(sql).toContain(`uris = ["gs://BUCKET/exports/${name}"]`);
    expect(sql).toContain(`CAST(${value("huge")} AS BIGNUMERIC) AS \`huge\``);
    expect(sql).toContain(`TIMESTAMP_SECONDS(CAST(${value("endTime")} AS INT64)) AS \`endTime\``);
    expect(sql).toContain(`${value("asset.symbol")} AS \`asset_symbol\``);
  });

  it("BigQuery reads a folder with its partition keys, and has no times after 9999", async () => {
    const rows = [rowOf("1", { endTime: "253402300800" })];
    const sql = await load("bigquery", rows, { name: "lake.csv", partition: ["chain"] });
    expect(sql).toContain('uris = ["gs://BUCKET/lake.csv/*.csv"]');
    expect(sql).toContain(
      'hive_partition_uri_prefix = "gs://BUCKET/lake.csv"\n)\nWITH PARTITION COLUMNS (`chain` STRING);',
    );
    expect(sql).toContain("  NULLIF(`endTime`, '') AS `endTime`,");
    await expect(load("postgres", rows, { partition: ["chain"] })).rejects.toThrow(
      "loads one file, not a folder",
    );
  });
});
