import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import { asking } from "../support/asking.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { libraryProject } from "../support/library-project.ts";

const { emulator, ask: askAll } = asking({ streams: 8 });

const library = () => libraryProject("all-streams", "actions-feed");

const CHAINS = ["base", "optimism"];

async function ask(root: string, args: readonly string[], first = 20) {
  return askAll(root, [...args, "--chain", CHAINS.join(), "--pages", "--var", `first=${first}`]);
}

async function query(sql: string, before = "") {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  await connection.run(before);
  return (await connection.runAndReadAll(sql)).getRowObjectsJson();
}

type Row = Readonly<Record<string, string | boolean | null>>;

/** The rows of an operation, read in one run. */
async function truth(root: string, operation: string): Promise<readonly Row[]> {
  const { out } = await ask(root, [operation, "--format", "ndjson"], 1000);
  return out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const sum = (rows: readonly Row[], column: string) =>
  String(rows.reduce((total, row) => total + BigInt(String(row[column] ?? 0)), 0n));

describe("--since-last", () => {
  it("writes a lake whose view equals the indexers after each run", async () => {
    const { root } = library();
    const cases = (["parquet", "csv", "ndjson"] as const)
      .slice(0, IS_THOROUGH ? 3 : 1)
      .flatMap((format) => (["multichain", "subgraph"] as const).map((style) => ({ format, style })));
    for (let night = 0; night < 2; night++) {
      const streams = await truth(root, "AllStreams");
      const actions = await truth(root, "ActionsFeed");
      for (const { format, style } of cases) {
        const lake = ["--out", `${style}-${format}/`, "--format", format, "--since-last"];
        const args = ["AllStreams", "ActionsFeed", ...lake, "--style", style];
        const none = ["--confirmations", "0"];
        expect(await ask(root, [...args, ...none])).toMatchObject({ code: 0 });
        const { out } = await ask(root, [...args, "--schema", "duckdb"]);
        const rows = await query(
          `select count(*)::text n, count(distinct chain || id)::text ids, sum(depositAmount)::text deposits,
             sum(withdrawnAmount)::text withdrawn, count(depositAmount_text)::text t from all_streams
           union all select count(*)::text, count(distinct chain || id)::text, sum(amountA)::text, sum(amountB)::text,
             count(amountA_text)::text from actions_feed`,
          out.replaceAll(`'${style}-`, `'${root}/${style}-`),
        );
        const totals = (all: readonly Row[], a: string, b: string) => {
          const n = String(all.length);
          return { n, ids: n, deposits: sum(all, a), withdrawn: sum(all, b), t: "0" };
        };
        expect(rows).toEqual([
          totals(streams, "depositAmount", "withdrawnAmount"),
          totals(actions, "amountA", "amountB"),
        ]);
      }
      emulator().advance(100);
    }
  });

  it.each([
    ["AllStreams", '{ "lockup": { "updatedBy": "Unknown.stream" } }', true],
    ["AllStreams", '["lockup"]', false],
    ["ActionsFeed", '["lockup"]', false],
  ])("reports if `updatedBy` does not apply to %s: %s", async (operation, protocols, isNoticed) => {
    const { root, write } = library();
    write("lockflow.config.json", `{ "protocols": ${protocols} }`);
    const { code, err } = await ask(root, [operation, "--out", "lake/", "--since-last"]);
    expect(code).toBe(0);
    expect(err.includes("`updatedBy` of lockup does not apply")).toBe(isNoticed);
  });
});
