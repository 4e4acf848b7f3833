import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import { findWide } from "../../../../src/tasks/ask/export/column-types.ts";
import { createExport } from "../../../../src/tasks/ask/export/create-export.ts";
import { KEEP_ALL } from "../../../../src/tasks/ask/export/drop-rows.ts";
import { openParquetFile } from "../../../../src/tasks/ask/export/parquet-file.ts";
import { folderFunction, listParts, parsePartition } from "../../../../src/tasks/ask/export/partition.ts";
import { divideRows, type Target, writeParts } from "../../../../src/tasks/ask/export/write-parts.ts";
import { type Field, listColumns, type Row, type ValueKind } from "../../../../src/tasks/ask/rows.ts";
import { tempProject } from "../../../support/temp-project.ts";

const field = (name: string, kind: ValueKind, more: Partial<Field> = {}): Field => ({
  ...{ name, kind, isList: false, fields: null },
  ...more,
});

const FIELDS: readonly Field[] = [
  field("chain", "text"),
  field("id", "text"),
  field("amount", "amount"),
  field("huge", "amount"),
  field("amount.units", "units"),
  field("timestamp", "time"),
  field("size", "integer"),
  field("share", "float"),
  field("canceled", "boolean"),
  field("category", "enum"),
  field("asset", "text", { fields: [field("symbol", "text"), field("decimals", "amount")] }),
  field("segments", "text", { isList: true, fields: [field("endTime", "time"), field("amount", "amount")] }),
  field("tags", "text", { isList: true }),
];

const MOST = "9".repeat(38);

const LEAST = "-0.000000000000000001";
const MOST_UNITS = `${"9".repeat(20)}.${"9".repeat(18)}`;

const rowOf = (index: number, more: Row = {}): Row => ({
  ...{ chain: index % 3 === 0 ? "base" : "optimism", id: `0xab-${index}`, amount: String(index), huge: "1" },
  "amount.units": "1.5",
  timestamp: String(1_740_000_000 + index * 86_400),
  ...{ size: index, share: index / 4, canceled: index % 2 === 0, category: index % 2 ? "Linear" : "Dynamic" },
  asset: { symbol: "DAI", decimals: "18" },
  segments: [{ endTime: "1740000000", amount: String(index) }],
  tags: ["a", "b"],
  ...more,
});

const ROWS: readonly Row[] = [
  rowOf(0, { amount: MOST, "amount.units": MOST_UNITS, huge: "1".repeat(39), asset: null, tags: [] }),
  rowOf(1, { amount: `-${MOST}`, segments: [], tags: null, canceled: null, timestamp: null }),
  rowOf(2, {
    ...{ amount: null, "amount.units": null },
    asset: { symbol: "=1\u{1F642}\u0000", decimals: null },
    category: null,
    share: null,
  }),
  rowOf(3, { amount: "-1", "amount.units": LEAST, size: -5, segments: null }),
];

const targetOf = (root: string, more: Partial<Target> = {}): Target => ({
  ...{ path: join(root, "rows.parquet"), shownPath: "rows.parquet", format: "parquet", partition: null },
  ...{ isFlat: false, fields: FIELDS, columns: listColumns(FIELDS), chainKey: "chain" },
  ...more,
});

async function write(target: Target, rows: readonly Row[], run = 1) {
  const wide = new Set<string>();
  findWide(rows, FIELDS, wide);
  const parts = divideRows(target, rows, "");
  await writeParts(target, { run, wide: [...wide].sort(), parts, chain: "", filter: KEEP_ALL });
}

async function query(sql: string): Promise<unknown> {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  return (await connection.runAndReadAll(sql)).getRowObjectsJson();
}

describe("a Parquet file", () => {
  it("has types and values that DuckDB reads exactly", async () => {
    const { root } = tempProject();
    await write(targetOf(root), ROWS);
    const path = `'${join(root, "rows.parquet")}'`;
    expect(await query(`select column_name n, column_type t from (describe select * from ${path})`)).toEqual(
      [
        ["chain", "VARCHAR"],
        ["id", "VARCHAR"],
        ["amount", "DECIMAL(38,0)"],
        ["huge", "VARCHAR"],
        ["amount.units", "DECIMAL(38,18)"],
        ["timestamp", "TIMESTAMP"],
        ["size", "INTEGER"],
        ["share", "DOUBLE"],
        ["canceled", "BOOLEAN"],
        ["category", "VARCHAR"],
        ["asset", "STRUCT(symbol VARCHAR, decimals DECIMAL(38,0))"],
        ["segments", "STRUCT(endTime TIMESTAMP, amount DECIMAL(38,0))[]"],
        ["tags", "VARCHAR[]"],
      ].map(([n, t]) => ({ n, t })),
    );
    expect(
      await query(`select id, amount, huge, "timestamp", size, asset, segments, tags from ${path}`),
    ).toEqual([
      {
        ...{ id: "0xab-0", amount: MOST, huge: "1".repeat(39), timestamp: "2025-02-19 21:20:00", size: 0 },
        ...{ asset: null, segments: [{ endTime: "2025-02-19 21:20:00", amount: "0" }], tags: [] },
      },
      {
        ...{ id: "0xab-1", amount: `-${MOST}`, huge: "1", timestamp: null, size: 1 },
        ...{ asset: { symbol: "DAI", decimals: "18" }, segments: [], tags: null },
      },
      {
        ...{ id: "0xab-2", amount: null, huge: "1", timestamp: "2025-02-21 21:20:00", size: 2 },
        asset: { symbol: "=1\u{1F642}\u0000", decimals: null },
        ...{ segments: [{ endTime: "2025-02-19 21:20:00", amount: "2" }], tags: ["a", "b"] },
      },
      {
        ...{ id: "0xab-3", amount: "-1", huge: "1", timestamp: "2025-02-22 21:20:00", size: -5 },
        ...{ asset: { symbol: "DAI", decimals: "18" }, segments: null, tags: ["a", "b"] },
      },
    ]);
    expect(await query(`select "amount.units"::text u from ${path} order by id`)).toEqual(
      [MOST_UNITS, `1.5${"0".repeat(17)}`, null, LEAST].map((u) => ({ u })),
    );
    // Statistics must not hide rows from a filter.
    expect(await query(`select count(*)::int n from ${path} where amount < 0`)).toEqual([{ n: 2 }]);
    expect(await query(`select count(*)::int n from ${path} where "amount.units" < 0`)).toEqual([{ n: 1 }]);
    const [{ types }] = (await query(
      `select decode(value) as types from parquet_kv_metadata(${path}) where decode(key) = 'lockflow.columns'`,
    )) as [{ types: string }];
    expect(JSON.parse(types)).toMatchObject({
      amount: "DECIMAL(38,0)",
      huge: "TEXT",
      "asset.symbol": "TEXT",
    });
  });

  it("has dotted columns, and lists as JSON, with --flat", async () => {
    const { root } = tempProject();
    await write(targetOf(root, { isFlat: true }), ROWS);
    const [first, second] = (await query(
      `select "asset.decimals" d, segments s, tags t from '${join(root, "rows.parquet")}' order by id limit 2`,
    )) as unknown[];
    expect(first).toEqual({ d: null, s: '[{"endTime":"1740000000","amount":"0"}]', t: "[]" });
    expect(second).toEqual({ d: "18", s: "[]", t: null });
  });

  it.each([[false], [true]])(
    "is read back unchanged, also after a column became text: flat %s",
    async (isFlat) => {
      const { root } = tempProject();
      const target = targetOf(root, { isFlat });
      await write(
        target,
        ROWS.map((row) => ({ ...row, huge: "7" })),
      );
      await write(target, ROWS, 2);
      // An interrupted run is repeated.
      await write(target, ROWS, 2);
      const found: Row[] = [];
      const file = await openParquetFile(target.path, { ...target, columns: listColumns(FIELDS) });
      for await (const some of file.rows()) found.push(...some);
      const read = found.map((row) =>
        isFlat && row["asset"] !== null ? { ...row, asset: flatAsset(row) } : row,
      );
      const want = [...ROWS.map((row) => ({ ...row, huge: "7" })), ...ROWS];
      expect(read).toEqual(want.map((row) => (isFlat ? { ...row, asset: flatAsset(row) } : row)));
    },
  );

  it("has one row group if rows of many folders arrive mixed", async () => {
    const { root, files } = tempProject();
    const fields = FIELDS.filter(({ name }) => ["id", "amount", "timestamp"].includes(name));
    const target = targetOf(root, { fields, columns: listColumns(fields), chainKey: null });
    const sizes = { group: 500, unsaved: 1_000, waiting: 1_000 };
    const folders = { ...target, path: join(root, "lake"), partition: ["day"] as const, sizes };
    const pages = Array.from({ length: 25 }, (_, page) =>
      Array.from({ length: 100 }, (_, index) => ({
        ...{ id: String(page * 100 + index), amount: index, timestamp: String((index % 50) * 86_400) },
      })),
    );
    const sink = await createExport({ target: folders, question: {}, chains: ["base"], resumes: false });
    for (const rows of pages) {
      await sink.take({ chain: "base", rows, place: null, head: null, isLast: rows === pages.at(-1) });
    }
    await sink.finish(true);
    expect(Object.keys(files("lake")).every((path) => path.endsWith("part-0001.parquet"))).toBe(true);
    expect(
      await query(
        `select count(*)::int n, count(distinct id)::int ids, bool_and(id::int % 50 = epoch(timestamp) / 86400) placed
         from '${root}/lake/**/*.parquet'`,
      ),
    ).toEqual([{ n: 2_500, ids: 2_500, placed: true }]);
    expect(
      await query(
        `select count(distinct file_name)::int files, max(row_group_id)::int g from parquet_metadata('${root}/lake/**/*.parquet')`,
      ),
    ).toEqual([{ files: 50, g: 0 }]);
  });

  it("has bounded row groups, and is deterministic", async () => {
    const { root } = tempProject();
    const fields = FIELDS.filter(({ name }) => ["id", "amount", "timestamp"].includes(name));
    const rows = Array.from({ length: 6_000 }, (_, index) => ({
      id: "a",
      amount: index,
      timestamp: "1740000000",
    }));
    const target = targetOf(root, { fields, columns: listColumns(fields), chainKey: null });
    await write(target, rows);
    const path = join(root, "rows.parquet");
    const groups = await query(
      `select distinct row_group_id::int g, row_group_num_rows::int n from parquet_metadata('${path}') order by g`,
    );
    expect(groups).toEqual([5_000, 1_000].map((n, g) => ({ g, n })));
    const bytes = readFileSync(path);
    await write({ ...target, path: join(root, "again.parquet") }, rows);
    expect(readFileSync(join(root, "again.parquet")).equals(bytes)).toBe(true);
    expect(bytes.includes(Buffer.from(String(new Date().getFullYear())))).toBe(false);
  });
});

function flatAsset({ asset }: Row) {
  return asset ?? { symbol: null, decimals: null };
}

describe("a partitioned folder", () => {
  const partition = ["chain", "month"] as const;

  it.each<[Target["format"]]>([["parquet"], ["csv"], ["ndjson"]])(
    "is divided by chain and month: %s",
    async (format) => {
      const { root } = tempProject();
      const target = targetOf(root, { path: join(root, "lake"), format, partition });
      const rows = Array.from({ length: 60 }, (_, index) =>
        rowOf(index, index === 7 ? { timestamp: null } : {}),
      );
      await write(target, rows);
      await write(target, [rowOf(60)], 2);
      const names = listParts(target.path).map(({ folder, name }) => `${folder}/${name}`);
      expect(names).toEqual([
        ...["2025-02", "2025-03", "2025-04"].map((month) => `chain=base/month=${month}/part-0001.${format}`),
        `chain=base/month=2025-04/part-0002.${format}`,
        ...["2025-02", "2025-03", "2025-04", "__HIVE_DEFAULT_PARTITION__"].map(
          (month) => `chain=optimism/month=${month}/part-0001.${format}`,
        ),
      ]);
      const read = { parquet: "read_parquet", csv: "read_csv", ndjson: "read_json" }[format as "csv"];
      const sql = `select chain, count(*)::int n from ${read}('${target.path}/**/*.${format}', hive_partitioning = true) group by all order by chain`;
      expect(await query(sql)).toEqual([
        { chain: "base", n: 21 },
        { chain: "optimism", n: 40 },
      ]);
      // A new export replaces all files, and no others.
      await write(target, [rowOf(3)]);
      expect(listParts(target.path)).toHaveLength(1);
    },
  );

  it("rewrites earlier files if a column becomes text", async () => {
    const { root } = tempProject();
    const target = targetOf(root, { path: join(root, "lake"), partition });
    await write(target, [rowOf(0), rowOf(40)]);
    const units = `${"1".repeat(21)}.5`;
    await write(target, [rowOf(1, { huge: "1".repeat(39), "amount.units": units })], 2);
    const sql = `select count(*)::int n, typeof(any_value(huge)) t, max("amount.units") u from '${target.path}/**/*.parquet'`;
    expect(await query(sql)).toEqual([{ n: 3, t: "VARCHAR", u: units }]);
  });

  it("is found for any time", () => {
    const folder = folderFunction(["year", "month", "day"], listColumns(FIELDS));
    const of = (timestamp: unknown) => folder({ timestamp }, "base");
    expect(of("1740000000")).toBe("year=2025/month=2025-02/day=2025-02-19");
    expect(of(-1)).toBe("year=1969/month=1969-12/day=1969-12-31");
    expect(of("1099511627775")).toBe("year=+036812/month=+036812-02/day=+036812-02-20");
    expect(of("9".repeat(30))).toMatch(/^(\w+=__HIVE_DEFAULT_PARTITION__\/?){3}$/);
  });

  it.each<[names: string[], fields: readonly Field[], message: string]>([
    [["week"], FIELDS, '--partition takes chain, year, month, day; got "week".'],
    [["month"], [field("month", "text"), field("timestamp", "time")], 'The operation has a column "month"'],
    [["month"], [field("id", "text")], "--partition by year, month or day needs a column with times."],
  ])("is rejected: %j", (names, fields, message) => {
    const rows = { columns: listColumns(fields), chainKey: null };
    expect(() => parsePartition(names, rows)).toThrow(message);
  });
});
