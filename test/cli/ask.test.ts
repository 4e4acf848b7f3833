import { describe, expect, it } from "vitest";
import type { Fault } from "../../emulator/faults/fault.ts";
import { asking } from "../support/asking.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { libraryProject } from "../support/library-project.ts";
import { retryAtOnce } from "../support/retry-at-once.ts";
import { run } from "../support/run.ts";
import { testServer } from "../support/test-server.ts";

retryAtOnce();

const { emulator, ask: askWith } = asking({ streams: 7 });

const library = () => libraryProject("all-streams", "assets", "recent-streams", "stream-by-id");

async function ask(
  cwd: string,
  args: readonly string[],
  options: Parameters<typeof run>[2] = {},
  faults: readonly Fault[] = [],
) {
  for (const fault of faults) await emulator().fault(fault);
  try {
    return await askWith(cwd, args, options);
  } finally {
    emulator().clearFaults();
  }
}

const RECENT = ["RecentStreams", "--var", "first=3"];
const ALL = ["AllStreams", "--pages", "--var", "first=3"];

describe("lockflow ask", () => {
  it("reports that lists in rows may have more items", async () => {
    const { root, write } = library();
    const query = (first: string, after: string) =>
      `query Curves { streams(first: 100) { id chainId segments${first} { position } ${after} } }`;
    write("capped.graphql", query("(first: 1)", ""));
    write("whole.graphql", query("", "tranches { position }"));
    const capped = await ask(root, ["capped.graphql", "--protocol", "lockup", "--chain", "base"]);
    expect(capped).toMatchObject({
      code: 0,
      err: expect.stringMatching(
        /^There may be more segments in (one row|\d+ rows): a list has at most 1\. Raise its limit\.$/m,
      ),
    });
    const whole = await ask(root, ["whole.graphql", "--protocol", "lockup", "--chain", "base"]);
    expect(whole).toMatchObject({ code: 0, err: expect.not.stringContaining("more segments") });
  });

  it("prints the rows of one chain as JSON without a terminal", async () => {
    const { code, out, err } = await ask(library().root, [...RECENT, "--chain", "8453"]);
    expect(code).toBe(0);
    const rows = JSON.parse(out);
    expect(rows).toHaveLength(3);
    expect(Object.keys(rows[0]).slice(0, 3)).toEqual(["id", "alias", "chainId"]);
    expect(err).toMatch(
      /^3 rows of base, from its multichain indexer at block \d+\.\nThere may be more rows: a list has at most 3\. Raise the limit, or order the list by a cursor to use --pages\.\n$/,
    );
  });

  it("reports that there may be more rows of a merged list, by its default", async () => {
    const { err } = await ask(library().root, ["RecentStreams", "--chain", "all"]);
    expect(err).toContain(
      "There may be more rows: a list has at most 100. Raise the limit, or order the list",
    );
  });

  it("does not mention more rows if all are printed", async () => {
    expect((await ask(library().root, ["Assets", "--chain", "base"])).err).not.toContain("more rows");
  });

  it("ends with an error if pages overlap", async () => {
    const ids = ["1", "2", "2", "3"];
    const project = library();
    project.write(
      "mine.graphql",
      `query Mine($after: BigInt! = 0, $first: Int! = 2) {
        streams(where: { subgraphId_gt: $after }, orderBy: subgraphId, first: $first) { id chainId subgraphId }
      }`,
    );
    const rows = ids.map((subgraphId) => ({ id: `0xab-8453-${subgraphId}`, chainId: "8453", subgraphId }));
    let page = 0;
    const { url } = await testServer((_, response) => {
      const from = 2 * (page++ % 2);
      const lockflow = [{ chain_id: 8453, latest_processed_block: 9, block_height: 9 }];
      response.end(JSON.stringify({ data: { lockflow, streams: rows.slice(from, from + 2) } }));
      if (page > 100) throw new Error("The pages do not end.");
    });
    const env = { LOCKFLOW_MULTICHAIN_URL: `${url}/{id}` };
    const own = ["--protocol", "lockup", "--chain", "base", "--style", "multichain", "--pages"];
    const { code, err } = await ask(project.root, ["mine.graphql", ...own], { env });
    expect(code).not.toBe(0);
    expect(err).toContain("has a row at or before that cursor");
  });

  it("prints a table on a terminal, in its width", async () => {
    const { code, out } = await ask(library().root, [...RECENT, "--chain", "base"], { width: 80 });
    expect(code).toBe(0);
    const lines = out.trimEnd().split("\n");
    expect(lines).toHaveLength(5);
    for (const line of lines.slice(0, 4)) expect(line.length).toBeLessThanOrEqual(80);
    expect(lines[4]).toMatch(/^\d+ more columns do not fit: /);
    const args = [...RECENT, "--chain", "base", "--format", "csv"];
    const [shown, piped] = [await ask(library().root, args, { width: 80 }), await ask(library().root, args)];
    expect(shown.out).toBe(piped.out);
  });

  it("prints one object, or null if there is none", async () => {
    const { root } = library();
    const [first] = JSON.parse((await ask(root, [...RECENT, "--chain", "base"])).out);
    const byId = ["StreamById", "--chain", "base"];
    const found = await ask(root, [...byId, "--var", `id=${first.id}`]);
    expect(JSON.parse(found.out)).toMatchObject({ id: first.id, asset: first.asset });
    const none = await ask(root, [...byId, "--var", "id=moon"]);
    expect([none.code, none.out]).toEqual([0, "null\n"]);
    expect(none.err).toContain("0 rows of base");
  });

  it("prints one merged list of several chains, with the chain of each row", async () => {
    const args = ["RecentStreams", "--chain", "base,optimism", "--chain", "1"];
    const { out } = await ask(library().root, [...args, "--var", "first=12", "--format", "ndjson"]);
    const rows = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows).toHaveLength(12);
    expect(Object.keys(rows[0])[0]).toBe("chain");
    expect(new Set(rows.map(({ chain, chainId }) => `${chain} ${chainId}`)).size).toBeGreaterThan(1);
    const times = rows.map(({ timestamp }) => Number(timestamp));
    expect(times).toEqual([...times].sort((a, b) => b - a));
  });

  it("reads an operation from any file, and keeps all digits of variables in a file", async () => {
    const project = library();
    project.write(
      "mine.graphql",
      "query Mine($most: BigInt!, $first: Int!) { streams(first: $first, where: { depositAmount_lt: $most }) { id depositAmount } }",
    );
    project.write(
      "v.json",
      '{ "most": 115792089237316195423570985008687907853269984665640564039457584007913129639935, "first": 1 }',
    );
    const args = ["mine.graphql", "--protocol", "lockup", "--chain", "base", "--variables", "v.json"];
    const { code, out } = await ask(project.root, [...args, "--var", "first=2", "--format", "csv"]);
    expect(code).toBe(0);
    expect(out.split("\r\n").map((line) => line.split(",").length)).toEqual([2, 2, 2, 1]);
  });

  it("uses the testing URLs of subgraphs if only these are configured", async () => {
    const { LOCKFLOW_SUBGRAPH_TESTING_URL: url = "" } = emulator().env();
    const args = ["ask", ...RECENT, "--chain", "base"];
    const options = { stopped: new Promise<void>(() => {}), env: { LOCKFLOW_SUBGRAPH_TESTING_URL: url } };
    const { code, err } = await run(library().root, args, options);
    expect([code, err]).toEqual([0, expect.stringContaining("3 rows of base, from its subgraph indexer")]);
    const production = await run(library().root, [...args, "--environment", "production"], options);
    expect([production.code, production.err]).toEqual([
      2,
      expect.stringContaining("LOCKFLOW_SUBGRAPH_PRODUCTION_URL"),
    ]);
  });

  it("uses the emulator as of now if no host is configured, and reports it", async () => {
    const args = ["ask", ...RECENT, "--chain", "base", "--style", "subgraph", "--max-lag", "600"];
    const { code, err } = await run(library().root, args, { stopped: new Promise(() => {}) });
    expect(code).toBe(0);
    expect(err.split("\n")[0]).toBe("Using the emulator on this machine, because no host is configured.");
    expect(err).toMatch(/^3 rows of base, from its subgraph indexer at block \d+, \d+ s old\.$/m);
  });
});

describe("a failure", () => {
  const DOWN: Fault = { kind: "502", deployment: "protocol-lockup-multichain" };

  it("is answered by the other style, and reported", async () => {
    const { code, out, err } = await ask(library().root, [...RECENT, "--chain", "base"], {}, [DOWN]);
    expect([code, JSON.parse(out).length]).toEqual([0, 3]);
    expect(err).toMatch(/base was answered by subgraph, because multichain failed: unavailable: /);
  });

  it("is listed, and exits with 1 if other chains have rows", async () => {
    const { code, out, err } = await ask(
      library().root,
      [...RECENT, "--chain", "base,optimism", "--format", "csv"],
      {},
      [DOWN, { kind: "502", deployment: "optimism" }],
    );
    expect(code).toBe(1);
    expect(out.split("\r\n")).toHaveLength(5);
    expect(err).toContain(
      "One of 2 chains failed, so rows are missing:\n  optimism:\n    multichain: unavailable: ",
    );
    expect(err).toMatch(/\n {4}subgraph: unavailable: /);
  });

  it("of everything prints nothing to standard output, and exits with 2", async () => {
    const project = library();
    for (const format of IS_THOROUGH ? ["table", "json", "ndjson", "csv"] : ["json"]) {
      const args = [...RECENT, "--chain", "base", "--style", "multichain", "--format", format];
      const { code, out, err } = await ask(project.root, args, {}, [DOWN]);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toMatch(/^base failed:\n {2}base: unavailable: /);
    }
    project.write("kept.csv", "as it was");
    const args = [...RECENT, "--chain", "base", "--style", "multichain", "--out", "kept.csv"];
    expect((await ask(project.root, args, {}, [DOWN])).code).toBe(2);
    expect(project.read("kept.csv")).toBe("as it was");
  });

  it("shows no key, and names the variable of a missing one", async () => {
    const args = [...RECENT, "--chain", "base", "--style", "subgraph"];
    const env = { LOCKFLOW_SUBGRAPH_API_KEY: "k3y-of-mine-and-no-other" };
    const refused = await ask(library().root, args, { env }, [{ kind: "401", deployment: "base" }]);
    expect(refused.code).toBe(2);
    expect(refused.out + refused.err).not.toContain(env.LOCKFLOW_SUBGRAPH_API_KEY);
    const missing = await ask(library().root, args, { env: { LOCKFLOW_SUBGRAPH_API_KEY: "" } });
    expect(missing.code).toBe(2);
    expect(missing.err).toContain("base: auth: protocol-lockup-base: set LOCKFLOW_SUBGRAPH_API_KEY");
  });
});

describe("--out and --pages", () => {
  it("write all rows, page by page, to a file that is complete", async () => {
    const project = library();
    const chains = ["--chain", "base,optimism"];
    const { code, out, err } = await ask(project.root, [...ALL, ...chains, "--out", "sub/rows.ndjson"]);
    expect([code, out]).toEqual([0, ""]);
    const rows = project.read("sub/rows.ndjson").trimEnd().split("\n");
    expect(err).toBe(`${rows.length} rows of 2 chains.\n${rows.length} rows in sub/rows.ndjson.\n`);
    const ids = rows.map((line) => JSON.parse(line)).map(({ chain, id }) => `${chain} ${id}`);
    expect(new Set(ids).size).toBe(ids.length);
    expect(Object.keys(project.files("sub"))).toEqual(["sub/rows.ndjson"]);
    const streamed = await ask(project.root, [...ALL, ...chains, "--format", "ndjson"]);
    expect(streamed.out).toBe(project.read("sub/rows.ndjson"));
  });

  it("leave a file as it was if they are interrupted", async () => {
    const project = library();
    const args = [...ALL, "--chain", "base,optimism", "--out", "rows.csv"];
    await ask(project.root, args);
    const whole = project.read("rows.csv");
    // Simulates Ctrl-C after the second page.
    let stop = () => {};
    const stopped = new Promise<void>((resolve) => {
      stop = resolve;
    });
    let pages = 0;
    const cut = await ask(project.root, args, {
      stopped,
      isTerminal: true,
      onErr: (text) => {
        if (text.includes("so far") && ++pages === 2) stop();
      },
    });
    expect(cut.code).toBe(130);
    expect(cut.err).toMatch(/Interrupted after \d+ rows\.\n$/);
    expect(project.read("rows.csv")).toBe(whole);
    expect(Object.keys(project.files()).filter((path) => path.startsWith("rows"))).toEqual(["rows.csv"]);
  });

  it("retry failed chains of a folder with --since-last", async () => {
    const project = library();
    const chains = ["--chain", "base,optimism", "--style", "subgraph"];
    const args = [...ALL, ...chains, "--out", "lake/", "--format", "ndjson", "--since-last"];
    const down: Fault = { kind: "502", deployment: "base" };
    const first = await ask(project.root, args, {}, [down]);
    expect(first.code).toBe(1);
    expect(first.err).toMatch(
      /rows added to lake\/AllStreams\/: the next run with --since-last requests the missing rows\.\n$/,
    );
    const some = project.read("lake/AllStreams/part-000001.ndjson").trim().split("\n");
    expect(new Set(some.map((line) => JSON.parse(line).chain))).toEqual(new Set(["optimism"]));
    expect(await ask(project.root, args)).toMatchObject({ code: 0 });
    expect(project.read("lake/AllStreams/part-000002.ndjson")).toContain('"chain":"base"');
  });

  it("begin a CSV file with a byte order mark for Excel with --bom", async () => {
    const project = library();
    await ask(project.root, ["Assets", "--chain", "base", "--out", "rows.csv", "--bom"]);
    expect(project.read("rows.csv")).toMatch(/^\uFEFFid,/);
  });

  it.runIf(IS_THOROUGH)("show progress on a terminal only", async () => {
    const project = library();
    const args = [...ALL, "--chain", "base", "--out", "rows.csv"];
    expect((await ask(project.root, args, { isTerminal: true })).err).toContain(
      "\r\u001b[2Kbase: 3 rows so far",
    );
    expect((await ask(project.root, args)).err).not.toContain("\u001b");
  });

  it.each<[args: string[], want: string]>([
    [
      ["--out", "a.csv", "--format", "ndjson"],
      '--format ndjson does not match "a.csv", whose extension means csv.',
    ],
    [
      ["--out", "a.jsonl", "--format", "json"],
      '--format json does not match "a.jsonl", whose extension means ndjson.',
    ],
    [
      ["--resume"],
      "--resume was removed from `lockflow ask`.\nHint: an interrupted folder continues with --since-last; an interrupted file starts again.",
    ],
    [
      ["--latest"],
      "--latest was removed from `lockflow ask`.\nHint: query the view that --schema duckdb prints",
    ],
    [
      ["--partition=chain,month"],
      "--partition was removed from `lockflow ask`.\nHint: write the folders from the view: COPY (FROM all_streams) TO 'hive' (FORMAT parquet, PARTITION_BY (chain)).",
    ],
    [
      ["--pages", "--since-last", "--out", "x.csv"],
      '--since-last adds files to a folder, but "x.csv" is a file.\nHint: write, for example, --out lake/.',
    ],
    [["--pages", "--since-last"], "--since-last adds files to a folder, so it needs --out."],
    [["--since-last", "--out", "lake/"], '"lake/" is a folder, which only an export of all rows fills.'],
    [
      ["--pages", "--since-last", "--out", "lake/", "--block", "5"],
      "--since-last and --block exclude each other.",
    ],
    [["--pages", "--out", "lake/", "--format", "json"], "A folder has no JSON"],
    [["--pages", "--out", "lake/", "--reread", "base"], "--reread needs --since-last."],
    [
      ["--pages", "--since-last", "--out", "lake/", "--reread", "optimism"],
      '--reread must be a chain of --chain, a chain with a number of rows, or all; got "optimism".',
    ],
    [["--out", "rows.ndjson", "--bom"], "--bom is for CSV, not for ndjson."],
    [["--out", "rows.xlsx"], 'The extension of "rows.xlsx" is not a known format.'],
    [["--pages", "--out", "operations", "--format", "csv"], "operations is a folder."],
    [["--out", "lockflow.config.json/rows.csv"], "/"],
    [["--block", "latest"], '--block must be a block number or a block hash; got "latest".'],
    [["--format", "xml"], '--format must be table, json, ndjson, csv or parquet; got "xml".'],
    [["--variables", "moon.json"], 'The file "moon.json" does not exist.'],
    [["--var", "frst=1"], "AllStreams has no variable $frst.\nHint: did you mean $first?"],
    [["--style", "subgrap"], "--style must be"],
  ])("are rejected with %j", async (args, want) => {
    const project = library();
    const before = Object.keys(project.files());
    const { code, out, err } = await ask(project.root, ["AllStreams", "--chain", "base", ...args]);
    expect(Object.keys(project.files())).toEqual(before);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(`lockflow: ${want}`);
  });
});

describe("a closed output", () => {
  it("ends the requests without an error message", async () => {
    let parts = 0;
    const { code, err } = await ask(library().root, [...ALL, "--chain", "all", "--format", "csv"], {
      deliver: async () => ++parts < 2,
    });
    expect([code, err, parts]).toEqual([1, "", 2]);
  });
});

describe("--block", () => {
  it("queries the state at a block of a subgraph", async () => {
    const { root } = library();
    const args = [...RECENT, "--chain", "base", "--style", "subgraph"];
    const block = /at block (\d+)/.exec((await ask(root, args)).err)?.[1] ?? "";
    const then = await ask(root, [...args, "--block", block]);
    expect([then.code, then.err]).toEqual([0, expect.stringContaining(`at block ${block}`)]);
    const never = await ask(root, [...args, "--block", "2000000000"]);
    expect([never.code, never.err]).toEqual([2, expect.stringContaining("base: behind: ")]);
    const both = await ask(root, [...RECENT, "--chain", "base,10", "--block", block]);
    expect([both.code, both.err]).toEqual([2, expect.stringContaining("--block needs exactly one chain")]);
  });
});
