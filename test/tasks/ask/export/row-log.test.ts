import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findWide } from "../../../../src/tasks/ask/export/column-types.ts";
import { createExport } from "../../../../src/tasks/ask/export/create-export.ts";
import { KEEP_ALL } from "../../../../src/tasks/ask/export/drop-rows.ts";
import { parseState, statePath } from "../../../../src/tasks/ask/export/export-state.ts";
import { openParquetFile } from "../../../../src/tasks/ask/export/parquet-file.ts";
import { LOG_SIZES } from "../../../../src/tasks/ask/export/row-log.ts";
import { divideRows, type Target, writeParts } from "../../../../src/tasks/ask/export/write-parts.ts";
import { type Field, listColumns, type Row, type ValueKind } from "../../../../src/tasks/ask/rows.ts";
import { IS_THOROUGH } from "../../../support/is-thorough.ts";
import { tempProject } from "../../../support/temp-project.ts";

const field = (name: string, kind: ValueKind, more: Partial<Field> = {}): Field => ({
  ...{ name, kind, isList: false, fields: null },
  ...more,
});

const FIELDS: readonly Field[] = [
  ...[field("chain", "text"), field("id", "text"), field("amount", "amount"), field("timestamp", "time")],
  ...[field("category", "enum"), field("canceled", "boolean")],
  field("asset", "text", { fields: [field("symbol", "text"), field("decimals", "amount")] }),
  field("segments", "text", { isList: true, fields: [field("amount", "amount"), field("endTime", "time")] }),
];

/** Rows of three months that arrive mixed. Late values do not fit their types; the first rows share theirs. */
const ROWS: readonly Row[] = Array.from({ length: 60 }, (_, index) => ({
  ...{ chain: "base", id: `0xab-${index}`, amount: index < 50 ? String(index) : "9".repeat(39) },
  timestamp: String(1_740_000_000 + (index % 3) * 2_700_000),
  ...{ category: index % 7 ? "Linear" : null, canceled: index % 5 === 0 },
  asset: index % 4 === 3 ? null : { symbol: index < 9 ? "DAI" : "=ü\n", decimals: index === 58 ? "x" : "18" },
  segments: index % 6 ? [{ amount: index === 59 ? "?" : "1", endTime: null }] : [],
}));

const PAGES = [
  [0, 7],
  [7, 8],
  [8, 27],
  [27, 27],
  [27, 47],
  [47, 60],
].map(([start, end]) => ROWS.slice(start, end));

const targetOf = (root: string, more: Partial<Target> = {}): Target => ({
  ...{ path: join(root, "rows"), shownPath: "rows", format: "parquet", partition: null, isFlat: false },
  ...{ fields: FIELDS, columns: listColumns(FIELDS), chainKey: "chain" },
  ...more,
});

const optionsOf = (target: Target) => ({ target, question: {}, chains: ["base"] });

const pageOf = (rows: readonly Row[], isLast: boolean) => {
  const place = { cursor: String(rows.at(-1)?.["id"] ?? ""), style: "subgraph", block: null } as const;
  return { chain: "base", rows: structuredClone(rows), place, head: null, isLast };
};

/** @param stops the pages at which a new run starts. */
async function exportPages(target: Target, stops: readonly number[] = []) {
  let sink = await createExport({ ...optionsOf(target), resumes: false });
  for (const [index, rows] of PAGES.entries()) {
    if (stops.includes(index)) {
      sink.stop();
      sink = await createExport({ ...optionsOf(target), resumes: true });
    }
    await sink.take(pageOf(rows, index === PAGES.length - 1));
  }
  await sink.finish(true);
}

const SIZES: readonly (readonly [name: string, sizes: typeof LOG_SIZES])[] = [
  ["text, because too many rows wait", { group: 6, unsaved: 1, waiting: 5 }],
  ["the usual sizes", LOG_SIZES],
  ["row groups", { group: 4, unsaved: 100, waiting: 100 }],
  ["each page saved", { group: 4, unsaved: 1, waiting: 100 }],
];

it.each(SIZES.slice(0, IS_THOROUGH ? 4 : 2))(
  "rows that are encoded as they arrive produce the same bytes as all rows together: %s",
  async (_, sizes) => {
    const wide = new Set<string>();
    findWide(ROWS, FIELDS, wide);
    expect(wide.size).toBe(3);
    for (const partition of [null, [], ["chain", "month"]] as const) {
      for (const format of partition === null ? (["parquet"] as const) : (["parquet", "csv"] as const)) {
        for (const isFlat of IS_THOROUGH || sizes === LOG_SIZES ? [false, true] : [false]) {
          const [want, found] = [tempProject(), tempProject()];
          const more = { partition, format, isFlat, sizes };
          const target = targetOf(want.root, more);
          const run = { run: 1, wide: [...wide], chain: "", filter: KEEP_ALL };
          await writeParts(target, { ...run, parts: divideRows(target, structuredClone(ROWS), "") });
          await exportPages(targetOf(found.root, more));
          const state = "rows.lockflow.json";
          expect(bytesOf(found, [state])).toEqual(bytesOf(want));
          expect(Object.keys(bytesOf(want))).toHaveLength(partition?.length === 2 ? 3 : 1);
          const stopped = tempProject();
          await exportPages(targetOf(stopped.root, more), [1, 3, 5]);
          expect(bytesOf(stopped, [state])).toEqual(bytesOf(want));
        }
      }
    }
  },
);

function bytesOf({ root, files }: ReturnType<typeof tempProject>, others: readonly string[] = []) {
  const paths = Object.keys(files()).filter((path) => !others.includes(path));
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), "latin1")]));
}

it("a stopped run keeps rows that were not saved yet", async () => {
  const { root } = tempProject();
  const target = targetOf(root);
  const sink = await createExport({ ...optionsOf(target), resumes: false });
  const stateOf = () => parseState(readFileSync(statePath(target.path), "utf8"), "state");
  await sink.take(pageOf(ROWS.slice(0, 5), false));
  expect(stateOf().pending?.extent.length).toBe(0);
  sink.stop();
  expect(stateOf().chains.get("base")).toMatchObject({ rows: 5, place: { cursor: "0xab-4" } });
});

it("only equal values of neighbouring rows are shared", async () => {
  const { root } = tempProject();
  const fields = [
    field("id", "text"),
    field("asset", "text", { fields: [field("a", "text"), field("b", "text")] }),
  ];
  const target = targetOf(root, { fields, columns: listColumns(fields), chainKey: null });
  const rows: readonly Row[] = [
    ...[
      { id: "1", asset: { a: "x", b: "y" } },
      { id: "2", asset: { a: "x", b: "y" } },
    ],
    ...[
      { id: "3", asset: { a: "x" } },
      { id: "3", asset: { a: "x", b: null } },
    ],
    ...[{ id: "4", asset: null }, { id: "5" }, { id: "6", asset: { a: "x", b: "y" } }],
  ];
  const sink = await createExport({ ...optionsOf(target), resumes: false });
  await sink.take(pageOf(rows, true));
  await sink.finish(true);
  const found: Row[] = [];
  const file = await openParquetFile(target.path, target);
  for await (const some of file.rows()) found.push(...some);
  expect(found).toEqual(
    rows.map(({ id, asset }) => ({ id, asset: asset ? { a: null, b: null, ...asset } : null })),
  );
});
