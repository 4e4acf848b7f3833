import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator/server/start-emulator.ts";
import { IS_THOROUGH } from "../../support/is-thorough.ts";
import { libraryProject } from "../../support/library-project.ts";
import { readRepositoryFile } from "../../support/repository.ts";
import { run } from "../../support/run.ts";

let emulator: Emulator;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  emulator = await startEmulator({ streams: 8, dailyQueries: 1_000_000 });
  env = emulator.env();
});
afterAll(() => emulator.close());

const library = () => libraryProject("all-streams", "actions-feed");

const CHAINS = ["base", "optimism"];

async function ask(root: string, args: readonly string[], first = 20) {
  const all = ["ask", ...args, "--chain", CHAINS.join(), "--pages", "--var", `first=${first}`];
  return run(root, all, { env, stopped: new Promise<void>(() => {}) });
}

async function query(sql: string) {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
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

const sorted = (rows: readonly string[]) => [...rows].sort();

describe("--since-last", () => {
  it.runIf(IS_THOROUGH).each(["multichain", "subgraph"])(
    "writes a lake that equals the indexers after each run: %s",
    async (style) => {
      const { root } = library();
      const base = ["--style", style, "--since-last"];
      for (let night = 0; night < 2; night++) {
        for (const [operation, more] of [
          ["AllStreams", ["--latest"]],
          ["ActionsFeed", []],
        ] as const) {
          const out = ["--out", `${operation}/`, "--partition", "chain,month"];
          const { code, err } = await ask(root, [operation, ...base, ...more, ...out]);
          expect([code, err]).toEqual([0, expect.stringContaining(`rows in ${operation}/`)]);
        }
        const streams = await truth(root, "AllStreams");
        const actions = await truth(root, "ActionsFeed");
        const [found] = await query(
          `select count(*)::text as n, count(distinct id)::text ids, sum(depositAmount)::text deposits,
             sum(withdrawnAmount)::text withdrawn, sum(canceled::int)::text canceled
           from '${root}/AllStreams/**/*.parquet'`,
        );
        expect(found).toEqual({
          n: String(streams.length),
          ids: String(streams.length),
          deposits: sum(streams, "depositAmount"),
          withdrawn: sum(streams, "withdrawnAmount"),
          canceled: String(streams.filter(({ canceled }) => canceled).length),
        });
        expect(
          await query(
            `select count(*)::text as n, sum(amountA)::text a, count(distinct id)::text ids from '${root}/ActionsFeed/**/*.parquet'`,
          ),
        ).toEqual([{ n: String(actions.length), a: sum(actions, "amountA"), ids: String(actions.length) }]);
        emulator.advance(100);
      }
    },
  );

  it.runIf(IS_THOROUGH)("writes folders that the SQL of docs/ask.md can read", async () => {
    const { root } = library();
    const out = ["--out", "lake/", "--partition", "chain,month"];
    expect(await ask(root, ["AllStreams", ...out])).toMatchObject({ code: 0 });
    const blocks = [...readRepositoryFile("docs/ask.md").matchAll(/```sql\n(.*?)```/gs)];
    expect(blocks).not.toEqual([]);
    for (const [, sql = ""] of blocks) {
      const rows = await query(sql.replaceAll("'lake/", `'${root}/lake/`));
      expect(sorted(rows.map(({ chain }) => String(chain)))).toEqual(CHAINS);
    }
  });

  it("keeps one file up to date, in every format", async () => {
    const { root, read } = library();
    const formats = IS_THOROUGH ? ["csv", "ndjson", "json", "parquet"] : ["json", "parquet"];
    const key = "id || withdrawnAmount as k";
    const keysOf = async (name: string) =>
      /parquet|csv/.test(name)
        ? (
            await query(
              name.endsWith("csv")
                ? `select ${key} from read_csv('${join(root, name)}', all_varchar = true)`
                : `select ${key} from '${join(root, name)}'`,
            )
          ).map(({ k }) => String(k))
        : read(name)
            .split("\n")
            .filter((line) => line.includes("{"))
            .map((line) => keyOf(JSON.parse(line.replace(/,$/, ""))));
    const keyOf = ({ id, withdrawnAmount }: Row) => `${id}${withdrawnAmount}`;
    for (let night = 0; night < 2; night++) {
      const want = sorted((await truth(root, "AllStreams")).map(keyOf));
      for (const name of formats.map((format) => `rows.${format}`)) {
        const { code } = await ask(root, ["AllStreams", "--out", name, "--since-last", "--latest"]);
        expect([name, code, sorted(await keysOf(name))]).toEqual([name, 0, want]);
      }
      emulator.advance(100);
    }
  });

  it.each([
    ["AllStreams", '{ "lockup": { "updatedBy": "Unknown.stream" } }', true],
    ["AllStreams", '["lockup"]', false],
    ["ActionsFeed", '["lockup"]', false],
  ])("reports if `updatedBy` does not apply to %s: %s", async (operation, protocols, isNoticed) => {
    const { root, write } = library();
    write("lockflow.config.json", `{ "protocols": ${protocols} }`);
    const { code, err } = await ask(root, [operation, "--out", "rows.csv", "--since-last"]);
    expect(code).toBe(0);
    expect(err.includes("`updatedBy` of lockup does not apply")).toBe(isNoticed);
  });
});
