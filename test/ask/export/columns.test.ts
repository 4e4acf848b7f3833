import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { LogBatch } from "../../../src/ask/asked-rows.ts";
import { describeColumns, findMisfit } from "../../../src/ask/export/columns.ts";
import { createLog } from "../../../src/ask/export/create-log.ts";
import { renderLoad, renderView } from "../../../src/ask/export/load-statement.ts";
import { preparePartFiles } from "../../../src/ask/export/part-file.ts";
import { type Field, listColumns, type Row, type ValueKind } from "../../../src/ask/rows.ts";
import { tempProject } from "../../support/temp-project.ts";
import { query } from "./histories/lake.ts";

const field = (name: string, kind: ValueKind, more: Partial<Field> = {}): Field => ({
  name,
  kind,
  isList: false,
  fields: null,
  ...more,
});

const FIELDS: readonly Field[] = [
  field("chain", "text"),
  field("id", "text"),
  field("from", "text"),
  field("amount", "amount"),
  field("amount.units", "units"),
  field("timestamp", "time"),
  field("size", "integer"),
  field("share", "float"),
  field("canceled", "boolean"),
  field("category", "enum"),
  field("asset", "text", { fields: [field("symbol", "text"), field("decimals", "amount")] }),
  field("segments", "text", { isList: true, fields: [field("endTime", "time"), field("amount", "amount")] }),
  field("tags", "text", { isList: true }),
  field("amounts", "amount", { isList: true }),
];
const COLUMNS = listColumns(FIELDS);

const MOST = "9".repeat(34);
const MORE = `1${"0".repeat(34)}`;
const UNITS = `-${"9".repeat(16)}.${"9".repeat(18)}`;

const rowOf = (id: string, more: Row = {}): Row => ({
  chain: "base",
  id,
  from: "0x1",
  amount: "1",
  "amount.units": "1.5",
  timestamp: "1740000000",
  size: -5,
  share: 0.25,
  canceled: true,
  category: "Linear",
  asset: { symbol: "DAI", decimals: "18" },
  segments: [{ endTime: "1740000000", amount: "7" }],
  tags: ["a", "b"],
  amounts: ["1", MORE, null],
  ...more,
});

const SYMBOL = "a, \"b\";\r\n'c' \\ 🙂";

const ROWS: readonly Row[] = [
  rowOf("1", { amount: MOST, "amount.units": UNITS, asset: { symbol: SYMBOL, decimals: null } }),
  rowOf("2", {
    amount: `-${MOST}`,
    asset: null,
    segments: null,
    tags: null,
    canceled: null,
    timestamp: null,
  }),
  rowOf("3", {
    amount: MORE,
    "amount.units": `1${"0".repeat(16)}`,
    timestamp: String(10n ** 12n),
    segments: [],
  }),
  rowOf("4", {
    amount: null,
    "amount.units": "1.5000",
    size: null,
    segments: [{ endTime: "0", amount: MORE }],
  }),
];

/** How DuckDB shows the numbers of the rows. */
const NUMBERS = [
  ["1", MOST, null, UNITS, null, "2025-02-19 21:20:00", null],
  ["2", `-${MOST}`, null, "1.500000000000000000", null, null, null],
  ["3", null, MORE, null, `1${"0".repeat(16)}`, null, String(10n ** 12n)],
  ["4", null, null, null, "1.5000", "2025-02-19 21:20:00", null],
].map(([id, a, b, c, d, e, f]) => ({ id, a, b, c, d, e, f }));

const NUMBER_COLUMNS = `id, amount a, amount_text b, "amount.units" c, "amount.units_text" d, "timestamp" e, timestamp_text f`;

const options = { fields: FIELDS, columns: COLUMNS, isFlat: false };

async function write(
  path: string,
  rows: readonly Row[],
  more: Partial<Parameters<typeof preparePartFiles>[0]> = {},
) {
  const file = (await preparePartFiles({ ...options, format: "parquet", ...more }))(path);
  file.write(structuredClone(rows));
  return file.finish();
}

describe("a Parquet file", () => {
  it("has types by the schema, and values that do not fit as text beside them", async () => {
    const path = join(tempProject().root, "rows.parquet");
    await write(path, ROWS);
    const from = (what: string, rest: string) => query(`select ${what} from '${path}' ${rest}`);
    const types = await query(`select column_name || ' ' || column_type t from (describe from '${path}')`);
    expect(types.map(({ t }) => t)).toEqual([
      ...["chain VARCHAR", "id VARCHAR", "from VARCHAR", "amount DECIMAL(38,0)", "amount_text VARCHAR"],
      ...["amount.units DECIMAL(38,18)", "amount.units_text VARCHAR", "timestamp TIMESTAMP"],
      ...["timestamp_text VARCHAR", "size INTEGER", "share DOUBLE", "canceled BOOLEAN", "category VARCHAR"],
      "asset STRUCT(symbol VARCHAR, decimals DECIMAL(38,0), decimals_text VARCHAR)",
      "segments STRUCT(endTime TIMESTAMP, endTime_text VARCHAR, amount DECIMAL(38,0), amount_text VARCHAR)[]",
      ...["tags VARCHAR[]", "amounts DECIMAL(38,0)[]", "amounts_text VARCHAR[]"],
    ]);
    expect(await from(NUMBER_COLUMNS, "order by id")).toEqual(NUMBERS);
    const lists = { tags: ["a", "b"], amounts: ["1", null, null], amounts_text: [null, MORE, null] };
    expect(await from("asset, tags, amounts, amounts_text, segments", "where id in ('1', '4')")).toEqual([
      {
        ...lists,
        asset: { symbol: SYMBOL, decimals: null, decimals_text: null },
        segments: [{ endTime: "2025-02-19 21:20:00", endTime_text: null, amount: "7", amount_text: null }],
      },
      {
        ...lists,
        asset: { symbol: "DAI", decimals: "18", decimals_text: null },
        segments: [{ endTime: "1970-01-01 00:00:00", endTime_text: null, amount: null, amount_text: MORE }],
      },
    ]);
  });

  it("has the same bytes for the same rows, and all rows of several row groups", async () => {
    const { root } = tempProject();
    const rows = Array.from({ length: 6000 }, (_, at) => rowOf(String(at), { amount: String(at - 3000) }));
    const paths = ["a.parquet", "b.parquet"].map((name) => join(root, name));
    for (const path of paths) await write(path, rows);
    const [one, other] = paths.map((path) => readFileSync(path));
    expect(other && one?.equals(other)).toBe(true);
    const sums = "count(*) n, sum(amount) s, count(*) filter (amount < 0) less";
    expect(await query(`select ${sums} from '${paths[0]}'`)).toEqual([
      { n: "6000", s: "-3000", less: "3000" },
    ]);
  });

  it("keeps sums within the type, whatever 10,000 rows of spam have", async () => {
    const spam = [MOST, String(2n ** 128n - 1n)];
    const rows = Array.from({ length: 10_000 }, (_, at) => ({ amount: spam[at] ?? MOST }));
    const path = join(tempProject().root, "rows.parquet");
    await write(path, rows, { fields: [field("amount", "amount")] });
    expect(await query(`select sum(amount)::text s, count(amount_text) t from '${path}'`)).toEqual([
      { s: String(BigInt(MOST) * 9_999n), t: "1" },
    ]);
  });
});

it.each<[Row, string | null]>([
  [{ size: 2 ** 31 }, "size"],
  [{ size: "1" }, "size"],
  [{ share: "much" }, "share"],
  [{ canceled: "yes" }, "canceled"],
  [{ asset: "DAI" }, "asset"],
  [{ segments: ["x"] }, "segments"],
  [{ amount: "not a number", size: null, asset: null }, null],
])("a value that has no place in its column is found: %j", (more, found) => {
  expect(findMisfit([rowOf("1"), rowOf("2", more)], FIELDS)).toBe(found);
});

it.each(["csv", "ndjson"] as const)("--schema loads a %s file with the types of Parquet", async (format) => {
  const path = join(tempProject().root, `it's\n[1]*${format}.${format}`);
  await write(path, ROWS, { format });
  await query(renderLoad({ ...options, path, format }));
  const table = `"it's\n[1]*${format}"`;
  expect(await query(`select ${NUMBER_COLUMNS} from ${table} order by id`)).toEqual(NUMBERS);
  const columns = `"asset.symbol" s, canceled c, typeof("asset.decimals") d, typeof(segments) t`;
  expect(await query(`select ${columns} from ${table} where id = '1'`)).toEqual([
    { s: SYMBOL, c: true, d: "DECIMAL(38,0)", t: "JSON" },
  ]);
});

describe("the view of a log", () => {
  const VERSIONS: readonly (Pick<LogBatch, "rows" | "gone"> & { readonly chain?: string })[] = [
    { rows: [rowOf("1"), rowOf("2"), rowOf("3")], gone: [] },
    { rows: [rowOf("1", { amount: "2" })], gone: ["2", "never"] },
    { rows: [rowOf("1", { chain: "optimism", amount: "8" })], gone: [], chain: "optimism" },
    { rows: [rowOf("3", { amount: "3" }), rowOf("4", { amount: MORE })], gone: [null] },
    // More than 10 versions: their numbers are compared, not their text.
    ...Array.from({ length: 9 }, (_, at) => ({
      rows: [rowOf("5", { amount: String(at) })],
      gone: [],
    })),
  ];
  const WANTED = [
    { chain: "base", id: "3", a: "3", b: null, _block: "7" },
    { chain: "base", id: "4", a: null, b: MORE, _block: "7" },
    { chain: "base", id: "5", a: "8", b: null, _block: "7" },
    { chain: "optimism", id: "1", a: "8", b: null, _block: "7" },
  ];
  const SHOWN = "select chain, id, amount a, amount_text b, _block from all_streams order by chain, id";

  const next = {
    head: 7,
    time: 0,
    tail: { before: null, id: null, cursor: null },
    feed: null,
    end: null,
    anchor: null,
    rows: 0,
    deployments: {},
    isDone: true,
  };

  type TextFormat = "parquet" | "csv" | "ndjson";
  const viewOf = (path: string, format: TextFormat, isFlat = false) =>
    renderView({ ...options, path, format, isFlat }, { operation: "AllStreams", chainKey: "chain" });

  function openLog(path: string, format: TextFormat, { isFlat = false, held = 100 } = {}) {
    mkdirSync(path, { recursive: true });
    return createLog({
      ...options,
      isFlat,
      path,
      shownPath: "lake",
      format,
      chainKey: "chain",
      continues: false,
      question: {},
      types: describeColumns(FIELDS, COLUMNS, "AllStreams"),
      isCursor: () => true,
      sizes: { part: 4, held },
    });
  }

  async function writeLog(format: TextFormat, isFlat = false) {
    const path = join(tempProject().root, "AllStreams");
    const sink = await openLog(path, format, { isFlat });
    for (const { chain = "base", ...version } of structuredClone(VERSIONS)) {
      await sink.take({ ...version, chain, block: 7, next });
    }
    await sink.finish();
    return path;
  }

  it.each([
    ["parquet", false],
    ["parquet", true],
    ["csv", false],
    ["ndjson", false],
  ] as const)("has the last version of each row: %s, flat: %s", async (format, isFlat) => {
    await query(viewOf(await writeLog(format, isFlat), format, isFlat));
    expect(await query(SHOWN)).toEqual(WANTED);
    expect(await query(`select "from", "timestamp" t from all_streams where id = '4'`)).toEqual([
      { from: "0x1", t: "2025-02-19 21:20:00" },
    ]);
  });

  it("has rows that waited in files beside those of another chain", async () => {
    const path = join(tempProject().root, "AllStreams");
    const sink = await openLog(path, "csv", { held: 1 });
    const take = (chain: string, ids: readonly string[], isCounted: boolean) => {
      const rows = ids.map((id) => rowOf(id));
      return sink.take({ chain, rows, gone: [], block: 7, next: isCounted ? next : null });
    };
    await take("base", ["1"], true);
    for (const ids of [["2", "3"], ["4"], ["5", "6", "7"]]) await take("optimism", ids, false);
    await take("optimism", [], true);
    await sink.finish();
    await query(viewOf(path, "csv"));
    const [all] = await query("select string_agg(id, '' order by id) ids from all_streams");
    expect(all).toEqual({ ids: "1234567" });
  });

  it("is standard SQL over a table with the rows of the files", async () => {
    const path = await writeLog("parquet");
    await query(
      `create table log_of_streams as from read_parquet('${path}/part-*.parquet', union_by_name = true)`,
    );
    const view = viewOf(path, "parquet");
    await query(view.replace(/read_parquet\(.*\)/, "log_of_streams"));
    expect(await query(SHOWN)).toEqual(WANTED);
    expect(view).not.toMatch(/QUALIFY|FILTER|EXCLUDE|IS NOT TRUE/);
  });

  it("is written out", () => {
    const few = FIELDS.filter(({ name }) => ["chain", "id", "from", "amount", "asset"].includes(name));
    const files = { fields: few, columns: listColumns(few), isFlat: false, path: "lake/AllStreams" };
    const view = (format: TextFormat) =>
      renderView({ ...files, format }, { operation: "AllStreams", chainKey: "chain" });
    expect([view("parquet"), view("csv"), view("ndjson")].join("\n")).toMatchSnapshot();
  });
});

it.each<[readonly Field[], string]>([
  [[field("amount", "amount")], "needs the id of rows, which AllStreams does not select"],
  [[field("id", "text"), field("_version", "text")], 'selects "_version"'],
  [[field("id", "text"), field("amount", "amount"), field("Amount_text", "text")], 'selects "Amount_text"'],
])("columns of a log are refused: %j", (fields, sentence) => {
  expect(() => describeColumns(fields, listColumns(fields), "AllStreams")).toThrow(sentence);
});
