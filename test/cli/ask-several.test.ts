import { describe, expect, it } from "vitest";
import { asking } from "../support/asking.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { libraryProject } from "../support/library-project.ts";
import { retryAtOnce } from "../support/retry-at-once.ts";

retryAtOnce();

const { emulator, ask } = asking({ streams: 5 });

const library = () => libraryProject("all-streams", "actions-feed", "recent-streams");

const BOTH = ["AllStreams", "ActionsFeed"];
// The rows of subgraphs are created chain by chain.
const CHAINS = ["--chain", "base,optimism", "--style", "subgraph"];

describe("several operations", () => {
  it("fill a folder each, like single runs", async () => {
    const [single, several] = [library(), library()];
    const more = [...CHAINS, "--format", "csv"];
    const { code, err } = await ask(several.root, [...BOTH, "--out", "lake", ...more]);
    for (const name of BOTH) await ask(single.root, [name, "--pages", "--out", "lake/", ...more]);
    const partsOf = ({ files }: typeof single) =>
      Object.fromEntries(Object.entries(files("lake")).filter(([path]) => path.endsWith(".csv")));
    const files = partsOf(several);
    expect(files).toEqual(partsOf(single));
    const rows = (name: string) =>
      Object.entries(files)
        .filter(([path]) => path.startsWith(`lake/${name}/`))
        .reduce((sum, [, text]) => sum + text.split("\n").length - 2, 0);
    const [streams, actions] = BOTH.map(rows);
    expect(code).toBe(0);
    expect(err).toBe(
      [
        "AllStreams:",
        `  ${streams} rows of 2 chains.`,
        `  ${streams} rows added to lake/AllStreams/.`,
        "ActionsFeed:",
        `  ${actions} rows of 2 chains.`,
        `  ${actions} rows added to lake/ActionsFeed/.`,
        `2 operations: ${Number(streams) + Number(actions)} rows of 2 chains, no failures, ${Number(streams) + Number(actions)} rows added to lake.`,
        "",
      ].join("\n"),
    );
  });

  it.runIf(IS_THOROUGH)("share the block of each subgraph, even if its chain advances", async () => {
    const { root, read } = library();
    const out = ["--out", "lake/", "--var", "first=40"];
    const onErr = () => emulator().advance(1);
    expect(await ask(root, [...BOTH, ...out, ...CHAINS], { isTerminal: true, onErr })).toMatchObject({
      code: 0,
    });
    const blocksOf = (name: string) =>
      JSON.parse(read(`lake/${name}/_lockflow.json`)).chains.map(({ head }: { head: unknown }) => head);
    const blocks = blocksOf("AllStreams");
    expect(blocks).toEqual([expect.any(Number), expect.any(Number)]);
    expect(blocksOf("ActionsFeed")).toEqual(blocks);
  });

  it.runIf(IS_THOROUGH)("continue failed chains, and exit with the worst code", async () => {
    const { root, files } = library();
    const args = [...BOTH, "--out", "lake/", ...CHAINS, "--format", "ndjson"];
    await emulator().fault({ kind: "502", deployment: "base" });
    const failed = await ask(root, args);
    expect(failed.code).toBe(1);
    expect(failed.err).toContain("  One of 2 chains failed, so rows are missing:\n    base: unavailable");
    expect(failed.err).toContain(", 2 failures, ");
    emulator().clearFaults();
    expect(await ask(root, args)).toMatchObject({ code: 2 });
    const continued = [...args, "--since-last"];
    expect([(await ask(root, continued)).code, (await ask(root, continued)).code]).toEqual([0, 0]);
    const whole = library();
    await ask(whole.root, args);
    const sorted = (all: Readonly<Record<string, string>>) =>
      Object.entries(all)
        .filter(([path]) => path.endsWith(".ndjson"))
        .flatMap(([, text]) => text.trim().split("\n"))
        .map((line) => line.replace(/,"_version".*/, ""))
        .sort();
    expect(sorted(files("lake"))).toEqual(sorted(whole.files("lake")));
  });

  it("use the variables that they declare", async () => {
    const project = library();
    const query = (name: string, variable: string) =>
      `query ${name}($after: BigInt! = 0, $first: Int! = 1000, $${variable}: BigInt! = "0") {
        streams(where: { subgraphId_gt: $after, depositAmount_gt: $${variable} }, orderBy: subgraphId, first: $first) { id chainId subgraphId }
      }`;
    project.write("a.graphql", query("A", "least"));
    project.write("b.graphql", query("B", "min"));
    const args = ["a.graphql", "b.graphql", "--out", "lake/", ...CHAINS, "--protocol", "lockup"];
    const { code, err } = await ask(project.root, [...args, "--var", `least=${10n ** 60n}`]);
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/A:\n {2}0 rows of 2[^B]*B:\n {2}\d\d+ rows of 2/),
    ]);
  });

  it.each([
    [
      [...BOTH],
      "Several operations fill a folder, so they need --out.\nHint: write, for example, --out lake/.",
    ],
    [[...BOTH, "--out", "a.csv"], '"a.csv" is a file, but several operations fill a folder.'],
    [["AllStreams", "AllStreams", "--out", "lake/"], "Two operations have the name AllStreams."],
    [
      ["AllStreams", "own.graphql", "--out", "lake/"],
      "Two operations have the name AllStreams, apart from its case: allStreams.",
    ],
    [
      [...BOTH, "--out", "lake/", "--var", "frist=3"],
      "No operation has a variable $frist.\nHint: did you mean $first?",
    ],
    [[...BOTH, "--out", "lake/", "--var", "first=x"], "$first must be of type Int; got "],
    [[...BOTH, "--out", "lake/", "--var", "first=0"], "$first must be an integer from 1 to 1000; got 0."],
    [["AllStreams", "RecentStreams", "--out", "lake/"], "The rows of RecentStreams cannot be paged."],
    [
      ["AllStreams", "ActionsFeed", "--out", "old/"],
      "old/AllStreams has an export of an earlier version of Lockflow.",
    ],
  ])("are rejected before any request: %j", async (args, message) => {
    const project = library();
    project.write(
      "own.graphql",
      "query allStreams($after: BigInt! = 0, $first: Int! = 9) { streams(where: { subgraphId_gt: $after }, orderBy: subgraphId, first: $first) { id chainId subgraphId } }",
    );
    project.write("old/AllStreams/part-0001.parquet", "");
    const before = project.files();
    const { code, err } = await ask(project.root, [...args, ...CHAINS, "--protocol", "lockup"]);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    expect(project.files()).toEqual(before);
  });
});
