import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator } from "../emulator/server/start-emulator.ts";
import { groupBy } from "../src/base/collections.ts";
import { copyFromRepository, readRepositoryFile } from "./support/repository.ts";
import { run } from "./support/run.ts";
import { SPAM, serveSpam } from "./support/serve-spam.ts";

const PAGE = readRepositoryFile("docs/warehouse.md");
const [, COMMAND = ""] = /```sh\nnpx lockflow (.*)\n```/.exec(PAGE) ?? [];
/** The statements by their headings. */
const RECIPES = new Map(
  [...PAGE.matchAll(/### ([^\n]*)\n\n```sql\n(.*?)```/gs)].map(([, title = "", sql = ""]) => [title, sql]),
);
const CHAINS = "base,optimism";
const NOW = "2025-08-20 00:00:00";
const WALLET = /lower\('(0x\w+)'\)/;

type Row = Readonly<Record<string, string>> & {
  readonly asset: Readonly<Record<string, string>>;
  readonly stream: { readonly id: string } | null;
  readonly canceled: boolean;
};

type Rows = readonly (readonly unknown[])[];

const root = mkdtempSync(join(tmpdir(), "lockflow test "));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let streams: readonly Row[];
let actions: readonly Row[];
let query: (sql: string) => Promise<Rows>;

beforeAll(async () => {
  let emulator = await startEmulator({ streams: 0, asOf: "2025-08-19T00:00:00Z", dailyQueries: 1_000_000 });
  const spam = await serveSpam(() => emulator);
  writeFileSync(join(root, "lockflow.config.json"), '{ "protocols": ["lockup"] }');
  copyFromRepository(
    root,
    "generated/schemas",
    "operations/lockup/portable/fragments",
    "operations/lockup/portable/all-streams.graphql",
    "operations/lockup/portable/actions-feed.graphql",
  );
  const print = async (args: readonly string[]) => {
    const { code, out, err } = await run(root, args, {
      env: spam.env(),
      stopped: new Promise<void>(() => {}),
    });
    expect([code, err]).toEqual([0, expect.any(String)]);
    return out;
  };
  const ask = async (args: readonly string[]) =>
    (await print(args)).split("\n").flatMap((line): Row[] => (line === "" ? [] : [JSON.parse(line)]));
  const nightly = [...COMMAND.replace("mainnets", CHAINS).split(" "), "--confirmations", "0"];
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  query = async (sql) => {
    const reader = await connection.runAndReadAll(sql.replaceAll("now()", `TIMESTAMPTZ '${NOW}+00'`));
    return reader.getRowsJson();
  };
  const atRoot = (sql: string) => sql.replaceAll(/'(lake|hive)/g, `'${root}/$1`);
  const [, copy = ""] = /```sql\n(COPY.*?)```/s.exec(readRepositoryFile("docs/ask.md")) ?? [];
  const [, settings = ""] = /```sql\n(SET.*?)```/s.exec(PAGE) ?? [];
  await query(settings);
  // The first night has no rows.
  for (const isFirst of [true, false, false]) {
    await ask(nightly);
    await query(atRoot(await print([...nightly, "--schema", "duckdb"])));
    await query(atRoot(copy));
    if (isFirst) {
      expect(await query("SELECT count(*) FROM all_streams")).toEqual([["0"]]);
      await emulator.close();
      emulator = await startEmulator({ streams: 40, asOf: "2025-08-20T00:00:00Z", dailyQueries: 1_000_000 });
    } else emulator.advance(200);
  }
  await ask(nightly);
  await query(atRoot(copy));
  const all = ["--protocol", "lockup", "--chain", CHAINS, "--pages", "--format", "ndjson"];
  streams = await ask(["ask", "AllStreams", ...all]);
  actions = await ask(["ask", "ActionsFeed", ...all]);
  await emulator.close();
  spam.close();
});

const secondsOf = (date: string) =>
  Date.parse(`${date.replace(" ", "T").replace(/^(.{10})$/, "$1T00:00:00")}Z`) / 1000;
const dateOf = ({ timestamp }: Row, length: number) =>
  new Date(Number(timestamp) * 1000).toISOString().slice(0, length);
const timeOf = (seconds: unknown) =>
  new Date(Number(seconds) * 1000).toISOString().replace("T", " ").slice(0, 19);
/** Returns the sum of the amounts that fit, and the number of the others. */
const sum = (rows: readonly Row[], key: string) => {
  const fitting = rows.filter((row) => row[key] !== SPAM);
  const hasAmount = fitting.some((row) => row[key] != null);
  const total = fitting.reduce((all, row) => all + BigInt(row[key] ?? 0), 0n);
  return [hasAmount ? total : null, rows.length - fitting.length];
};
const isBefore = (seconds: unknown, date: string) => seconds !== null && Number(seconds) <= secondsOf(date);

/** Groups rows, and sorts the groups by their key. */
function group(
  rows: readonly Row[],
  keyOf: (row: Row) => readonly string[],
  valuesOf: (rows: readonly Row[]) => Rows[number],
) {
  return [...groupBy(rows, (row) => keyOf(row).join("\0"))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, some]) => [...key.split("\0"), ...valuesOf(some)]);
}

/** The expected results, computed from the rows that the indexers return. */
const TRUTH: Readonly<Record<string, () => Rows>> = {
  "Streams of a quarter, by chain and asset": () =>
    group(
      streams.filter(
        ({ timestamp }) =>
          !isBefore(Number(timestamp) + 1, "2025-04-01") && isBefore(Number(timestamp) + 1, "2025-07-01"),
      ),
      ({ chain = "", asset }) => [chain, asset["address"] ?? ""],
      (rows) => [rows[0]?.asset["symbol"], rows.length, ...sum(rows, "depositAmount")],
    ),
  "Deposits by month": () =>
    group(
      streams,
      (row) => [dateOf(row, 7), row.asset["address"] ?? ""],
      (rows) => sum(rows, "depositAmount"),
    ),
  "Top senders": () =>
    group(
      streams,
      ({ sender = "" }) => [sender],
      (rows) => [rows.length, new Set(rows.map(({ recipient }) => recipient)).size],
    )
      .sort((a, b) => Number(b[1]) - Number(a[1]))
      .slice(0, 10),
  "Withdrawals of a wallet": () =>
    actions
      .filter(({ category, addressB }) => category === "Withdraw" && addressB === wallet())
      .sort((a, b) => Number(a["timestamp"]) - Number(b["timestamp"]))
      .map((row) => [
        timeOf(row["timestamp"]),
        row["chain"],
        row.stream?.id,
        shownOf(row["amountB"]),
        row["hash"],
      ]),
  "Cliffs to come": () =>
    streams
      .filter(({ cliffTime, canceled }) => cliffTime !== null && !isBefore(cliffTime, NOW) && !canceled)
      .map((row) => [
        timeOf(row["cliffTime"]),
        ...["chain", "id", "recipient", "cliffAmount"].map((key) => row[key]),
      ])
      .sort((a, b) => (`${a[0]} ${a[2]}` < `${b[0]} ${b[2]}` ? -1 : 1)),
  "Active streams at a date": () =>
    group(
      streams.filter(
        ({ timestamp, startTime, endTime, canceledTime }) =>
          isBefore(timestamp, "2025-06-30") &&
          isBefore(startTime, "2025-06-30") &&
          !isBefore(endTime, "2025-06-30") &&
          !isBefore(canceledTime, "2025-06-30"),
      ),
      ({ chain = "" }) => [chain],
      (rows) => [rows.length],
    ),
  "Daily actions": () =>
    group(
      actions,
      (row) => [dateOf(row, 10), row["category"] ?? ""],
      (rows) => [rows.length],
    ),
  "Share of canceled streams": () =>
    group(
      streams,
      ({ category = "" }) => [category],
      (rows) => {
        const canceled = rows.filter((row) => row.canceled).length;
        return [canceled, rows.length, Math.round((1000 * canceled) / rows.length) / 10];
      },
    ),
  "New since yesterday": () =>
    [...streams]
      .filter(({ timestamp }) => Number(timestamp) >= secondsOf(NOW) - 86_400)
      .sort((a, b) => (`${a["timestamp"]} ${a["id"]}` < `${b["timestamp"]} ${b["id"]}` ? -1 : 1))
      .map((row) => [
        ...["chain", "id", "sender", "recipient"].map((key) => row[key]),
        shownOf(row["depositAmount"]),
      ]),
  "Withdrawn amounts by asset": () => {
    const byId = new Map(streams.map((row) => [row["id"], row]));
    const withdrawn = actions.filter(({ category }) => category === "Withdraw");
    const assetOf = ({ stream }: Row) => byId.get(stream?.id)?.asset ?? {};
    return group(
      withdrawn,
      (row) => [assetOf(row)["address"] ?? "", assetOf(row)["decimals"] ?? ""],
      (rows) => [new Set(rows.map(({ stream }) => stream?.id)).size, ...sum(rows, "amountB")],
    );
  },
};

const shownOf = (amount: string | undefined) => (amount === SPAM ? null : amount);

/** A wallet with withdrawals. */
const wallet = () => actions.find(({ category }) => category === "Withdraw")?.["addressB"] ?? "";

describe("the page about a warehouse", () => {
  it("has ten questions", () => {
    expect([...RECIPES.keys()]).toEqual(Object.keys(TRUTH));
  });

  it.each(Object.entries(TRUTH))("has a query with the right result: %s", async (title, truth) => {
    const sql = RECIPES.get(title) ?? "";
    const rows = await query(sql.replace(WALLET, `lower('${wallet().toUpperCase().replace("X", "x")}')`));
    const want = truth();
    expect(want.length).toBeGreaterThan(0);
    expect(rows.map((row) => row.map(String))).toEqual(want.map((row) => row.map(String)));
  });

  it("has amounts of spam, and a copy in Hive folders with all rows", async () => {
    const [[spam]] = (await query("SELECT count(depositAmount_text) FROM all_streams")) as [[string]];
    expect(Number(spam)).toBe(streams.filter((row) => row["depositAmount"] === SPAM).length);
    expect(Number(spam)).toBeGreaterThan(0);
    const count = `SELECT count(*) FROM read_parquet('${root}/hive/**/*.parquet', hive_partitioning = true)`;
    expect(await query(count)).toEqual([[String(streams.length)]]);
  });

  it("has a line for cron with the command of the first block", () => {
    const [, time = "", command = ""] =
      /```text\n(\S+(?: \S+){4}) cd \/srv\/streams && npx (.*) >> ask.log 2>&1\n```/.exec(PAGE) ?? [];
    expect(time).toMatch(/^\d+ \d+ \* \* \*$/);
    expect(command).toBe(`lockflow ${COMMAND}`);
    expect(readRepositoryFile("examples/ci/ask.yml")).toContain(`run: npx ${command}\n`);
  });
});
