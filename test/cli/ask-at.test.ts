import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { asking } from "../support/asking.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { libraryProject } from "../support/library-project.ts";
import { retryAtOnce } from "../support/retry-at-once.ts";
import type { TempProject } from "../support/temp-project.ts";

retryAtOnce();

const { emulator, ask: askAll } = asking({ streams: 8, asOf: "2026-01-31T12:00:00Z" });
beforeAll(() => emulator().advance(200));

let project: TempProject;

beforeEach(() => {
  project = libraryProject("all-streams", "actions-feed", "recent-streams");
});

const CHAINS = ["base", "optimism"];
const AT = "2026-01-31T12:02:00Z";
const SECONDS = Date.parse(AT) / 1000;

type Row = Readonly<Record<string, string>>;

/** Returns the id of the stream of an action. */
const streamOf = ({ stream }: Readonly<Record<string, unknown>>) =>
  (stream as { readonly id: string } | null)?.id;

async function ask(args: readonly string[]) {
  const all = [...args, "--format", "ndjson", "--chain", CHAINS.join()];
  const { code, out, err } = await askAll(project.root, all);
  const rows = out.split("\n").flatMap((line): Row[] => (line === "" ? [] : [JSON.parse(line)]));
  return { code, err, rows };
}

/** Returns the rows of an operation at the heads, up to the time. */
async function until(operation: string): Promise<readonly Row[]> {
  const { rows } = await ask([operation, "--pages", "--style", "subgraph"]);
  const before = rows.filter(({ timestamp }) => Number(timestamp) <= SECONDS);
  expect(before.length).toBeLessThan(rows.length);
  return before;
}

const factsOf = (rows: readonly Row[]) =>
  rows.map(({ chain, id, withdrawnAmount }) => `${chain} ${id} ${withdrawnAmount}`).sort();

describe("--at", () => {
  it("returns the rows of each chain at the time, and prints the blocks", async () => {
    const actions = await until("ActionsFeed");
    const streams = await until("AllStreams");
    const { code, err, rows } = await ask(["AllStreams", "--pages", "--at", AT]);
    const withdrawn = (id: string | undefined) =>
      actions
        .filter((action) => action["category"] === "Withdraw" && streamOf(action) === id)
        .reduce((sum, { amountB }) => sum + BigInt(amountB ?? 0), 0n);
    const want = streams.map((row) => ({ ...row, withdrawnAmount: String(withdrawn(row["id"])) }));
    expect(code).toBe(0);
    expect(factsOf(rows)).toEqual(factsOf(want));
    const blocks = CHAINS.map((chain) => {
      const own = actions
        .filter((action) => action["chain"] === chain)
        .map((action) => Number(action["block"]));
      return [chain, Math.max(...own)] as const;
    });
    for (const [chain, block] of blocks) {
      expect(err).toMatch(new RegExp(`^${chain}: block ${block} of 2026-01-31T12:0[0-2]:\\d\\dZ$`, "m"));
    }
    // A table with these blocks has the same rows, without a request for them.
    project.write("blocks.csv", ["chain,block", ...blocks.map((row) => row.join())].join("\r\n"));
    expect((await ask(["AllStreams", "--pages", "--blocks", "blocks.csv"])).rows).toEqual(rows);
    const times = blocks.flatMap(([chain, block]) => [
      `${chain},"${AT}",${block}`,
      `${chain},${SECONDS + 1},${block + 9}`,
    ]);
    project.write("times.csv", ["chain,timestamp,block", ...times].join("\n"));
    expect((await ask(["AllStreams", "--pages", "--at", AT, "--blocks", "times.csv"])).rows).toEqual(rows);
  });

  it("merges the lists of chains in their order", async () => {
    const streams = await until("AllStreams");
    const order = (row: Row) => [-Number(row["timestamp"]), row["id"]] as const;
    const newest = [...streams].sort((a, b) => order(a)[0] - order(b)[0]);
    for (const [more, from] of [
      [[], 0],
      [["--var", "skip=2"], 2],
    ] as const) {
      const { rows } = await ask(["RecentStreams", "--var", "first=4", ...more, "--at", AT]);
      expect(rows.map(({ timestamp }) => timestamp)).toEqual(
        newest.slice(from, from + 4).map(({ timestamp }) => timestamp),
      );
    }
  });

  it("fills a folder with the rows of the blocks", async () => {
    const args = ["AllStreams", "--pages", "--at", AT];
    expect(await ask([...args, "--out", "at/", "--format", "ndjson"])).toMatchObject({ code: 0 });
    const { rows } = await ask(args);
    const lines = project.read("at/AllStreams/part-000001.ndjson").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(rows.map(({ id }) => id));
    const blocks = new Set(lines.map((line) => JSON.parse(line)._block));
    const heads = JSON.parse(project.read("at/AllStreams/_lockflow.json")).chains.map(
      ({ head }: { head: number }) => head,
    );
    expect([...blocks]).toEqual(heads);
  });

  it.runIf(IS_THOROUGH)("counts relative times of an export from its first run", async () => {
    project.write(
      "since.graphql",
      `query Since($from: BigInt!, $after: BigInt! = "0", $first: Int! = 1000) {
        streams(where: { timestamp_gte: $from, subgraphId_gt: $after }, orderBy: subgraphId, first: $first) { id subgraphId }
      }`,
    );
    const args = ["since.graphql", "--protocol", "lockup", "--pages", "--out", "since/", "--since-last"];
    const began = Math.floor(Date.now() / 1000);
    expect(await ask([...args, "--var", "from=-600w"])).toMatchObject({ code: 0 });
    const { question, versions } = JSON.parse(project.read("since/Since/_lockflow.json"));
    const variables = JSON.parse(question.variables);
    expect(Number(question.now)).toBeGreaterThanOrEqual(began);
    expect(variables.from).toBe(String(Number(question.now) - 600 * 604_800));
    expect(versions).toBeGreaterThan(0);
    // As if the export had begun a day earlier.
    const earlier = project
      .read("since/Since/_lockflow.json")
      .replaceAll(question.now, String(question.now - 86_400))
      .replaceAll(variables.from, String(variables.from - 86_400));
    project.write("since/Since/_lockflow.json", earlier);
    const { code, err } = await ask([...args, "--var", "from=-600w"]);
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/^Times such as -7d count from \S+Z, when the export began\.$/m),
    ]);
    const another = await ask([...args, "--var", "from=-601w"]);
    expect([another.code, another.err]).toEqual([2, expect.stringContaining("differs in: variables")]);
  });

  it("returns no rows of a chain before its first change", async () => {
    const { code, err, rows } = await ask(["RecentStreams", "--at", "2020-01-01"]);
    expect([code, rows]).toEqual([0, []]);
    expect(err).toMatch(/^base: no rows at that time; the first change is of 202\d-.*Z$/m);
  });

  it.each<[args: string[], want: string]>([
    [["--at", "2026-01-31T12:02"], '--at must be a time; got "2026-01-31T12:02".'],
    [["--at", "now"], "--at must be in the past; got"],
    [["--at", AT, "--style", "multichain"], "--at needs subgraphs, because multichain indexers only have"],
    [["--at", AT, "--block", "5"], "--at and --block exclude each other."],
    [["--at", AT, "--follow"], "--at and --follow exclude each other."],
    [["--at", AT, "--max-lag", "5"], "--at and --max-lag exclude each other."],
    [
      ["--blocks", "blocks.csv", "--pages", "--out", "x/", "--since-last"],
      "--blocks and --since-last exclude",
    ],
    [["--blocks", "none.csv"], 'The file "none.csv" does not exist.'],
    [["--blocks", "bad.csv"], 'Line 3 of bad.csv must have a chain and a block number; got "base,x".'],
    [["--blocks", "empty.csv"], "The first line of empty.csv must name the columns chain and block."],
    [["--blocks", "few.csv"], "The table of blocks has no block of optimism."],
    [["--blocks", "twice.csv"], "The table of blocks has several blocks of base."],
    [["--blocks", "few.csv", "--at", AT], "With --at, the table of blocks needs a column `timestamp`."],
    [["--blocks", "unknown.csv"], 'Unknown chain "bsae" in the table of blocks.'],
  ])("is rejected: %j", async (args, want) => {
    project.write("bad.csv", "chain,block\nbase,1\nbase,x\n");
    project.write("empty.csv", "\n");
    project.write("few.csv", "\uFEFFblock,chain\n5,8453\n");
    project.write("twice.csv", "chain,block\nbase,1\n8453,2\n");
    project.write("unknown.csv", "chain,block\nbsae,1\n");
    const { code, err } = await ask(["RecentStreams", ...args]);
    expect([code, err]).toEqual([2, expect.stringContaining(want)]);
  });
});
