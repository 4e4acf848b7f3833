import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readLogState, STATE_NAME } from "../../../src/ask/export/log-state.ts";
import { UsageError } from "../../../src/base/errors.ts";
import { compare } from "./histories/compare.ts";
import { withAccident } from "./histories/crashing-disk.ts";
import {
  type Asking,
  createQuestions,
  type ExportRun,
  endProcess,
  hashParts,
  readView,
  runExport,
} from "./histories/lake.ts";
import { createTruth, type Step } from "./histories/truth.ts";

const root = mkdtempSync(join(tmpdir(), "lockflow-log-"));
afterAll(() => rmSync(root, { recursive: true }));
const { prepare, routes } = createQuestions(join(root, "project"));
let count = 0;

const STYLES = ["subgraph", "multichain"] as const;

/** Creates indexers, and a log of their rows on base. */
function createLake(asking: Partial<Asking> = {}) {
  const truth = createTruth({ base: 8453 });
  const path = join(root, `lake${count++}`);
  const runOf = async ({
    style = asking.style ?? "subgraph",
    ...more
  }: Partial<ExportRun> & Partial<Asking>) => {
    const usual = { protocol: "lockup", operation: "Streams", chains: ["base"], ...asking, style } as const;
    const question = more.question ?? (await prepare(usual));
    return { question, routes, truth, path, format: "csv", confirmations: 0, ...more } satisfies ExportRun;
  };
  const step = (kind: Step["kind"], number: number) => truth.step({ kind, chain: 0, number });
  /** Runs, and returns the error of the chain; null without one. */
  const run = async (more: Partial<ExportRun> & Partial<Asking> = {}) => {
    const own = await runOf(more);
    const { chains } = await runExport(own);
    const error = chains[0]?.error ?? null;
    if (error === null) await compare(own, truth, ["base"]);
    return error?.message ?? null;
  };
  return {
    ...{ truth, path, step, run, runOf },
    /** Changes the indexers, and runs without an error, in this order. */
    play: async (...steps: readonly ("run" | `${Step["kind"]} ${number}`)[]) => {
      for (const one of steps) {
        const [kind, number] = one.split(" ");
        if (kind === "run") expect(await run()).toBeNull();
        else step(kind as Step["kind"], Number(number));
      }
    },
    chain: () => readLogState(path, "lake")?.chains.get("base"),
    size: async () => (await readView(await runOf({}))).size,
    parts: () => [...hashParts(path).keys()],
  };
}

type Lake = ReturnType<typeof createLake>;

/** Creates a log of 80 rows. */
async function createFull(asking: Partial<Asking> = {}): Promise<Lake> {
  const lake = createLake(asking);
  await lake.play("new 80", "run");
  return lake;
}

const half = (chain: string | null, request: number) => chain !== undefined && request > 12;

describe("a chain that is read again", () => {
  it.each(STYLES)("keeps its earlier rows if the reading is interrupted: %s", async (style) => {
    const lake = await createFull({ style });
    const before = hashParts(lake.path);
    const reread = new Map([["base", null]]);
    expect(await lake.run({ reread, isDown: half })).toContain("502");
    expect(hashParts(lake.path)).toEqual(before);
    expect(await lake.size()).toBe(80);
    expect(lake.chain()).toMatchObject({ rows: 80, isDone: true });
    expect(await lake.run({ reread })).toBeNull();
  });

  it.each(STYLES)("replaces its rows after a reorganization: %s", async (style) => {
    const lake = await createFull({ style });
    await lake.play("reorganized 5", "run");
    expect(lake.chain()).toMatchObject({ rows: 78 });
  });

  describe.each(["Streams", "Actions"] as const)(
    "if it was reorganized between two pages: %s",
    (operation) => {
      /** Replaces the block of the pages after certain batches. */
      const replaceAfter = (lake: Lake, ...batches: readonly number[]) => {
        let count = 0;
        return () => {
          if (batches.includes(++count)) lake.step("reorganized", 9);
        };
      };

      it.each([0, 2])("in the same run, with %i confirmations", async (confirmations) => {
        for (const [first, later] of [
          [12, 0],
          [3, 9],
        ] as const) {
          const lake = createLake({ operation });
          await lake.play(`new ${first}`, ...(later > 0 ? (["run", `new ${later}`] as const) : []));
          expect(await lake.run({ confirmations, onRows: replaceAfter(lake, 2) })).toBeNull();
        }
      });

      it("in the next run, if the reading is interrupted", async () => {
        for (const requests of [7, 8, 9]) {
          const lake = createLake({ operation });
          lake.step("new", 15);
          const isDown = (_: string | null, request: number) => request >= requests;
          expect(await lake.run({ onRows: replaceAfter(lake, 3), isDown })).toContain("502");
          await lake.play("new 1", "run");
        }
      });

      it("twice, the chain fails, and the next run reads it", async () => {
        const lake = createLake({ operation });
        lake.step("new", 12);
        expect(await lake.run({ onRows: replaceAfter(lake, 2, 6) })).toBe(
          "base was reorganized while its rows were read. Run the export again.",
        );
        await lake.play("run");
      });
    },
  );

  it("is not replaced by fewer rows, and a number accepts as many", async () => {
    const lake = await createFull();
    Object.assign(lake.truth.distortions.subgraph, { streams: 20 });
    const again = (count: number | null) =>
      lake.run({ reread: new Map([["base", count]]) }).catch(() => "other rows");
    const sentence =
      "The indexer of base was built again, or lacks rows: it has 20 now, and had 80. Its earlier rows are kept; add --reread base=20 to accept that.";
    expect(await again(null)).toBe(sentence);
    expect(await again(21)).toBe(sentence);
    expect(await lake.size()).toBe(80);
    await again(20);
    expect(await lake.size()).toBe(20);
    expect(lake.chain()?.rows).toBe(20);
  });

  it("may have 1 % and 10 rows fewer", async () => {
    const lake = await createFull();
    Object.assign(lake.truth.distortions.subgraph, { streams: 70 });
    await lake.run({ reread: new Map([["base", null]]) }).catch(() => null);
    expect(await lake.size()).toBe(70);
  });

  it("is not read at a lower block, unless the known one is above that of the other style", async () => {
    const lake = await createFull();
    Object.assign(lake.truth.distortions.subgraph, { lag: 3 });
    const reread = new Map([["base", null]]);
    expect(await lake.run({ reread })).toBe("The indexer of base is at block 77, before block 80.");
    // The other style is at the known block.
    expect(await lake.run({ reread, style: null, confirmations: 1 })).toBeNull();
    Object.assign(lake.truth.distortions.subgraph, { lag: 0, head: 5_000_000 });
    Object.assign(lake.truth.distortions.multichain, { head: 5_000_000 });
    await lake.run({ style: "multichain" }).catch(() => null);
    expect(lake.chain()?.head).toBe(5_000_000);
    Object.assign(lake.truth.distortions, { subgraph: {}, multichain: {} });
    expect(await lake.run()).toContain("was built again: it is at block 80, and was at block 5000000.");
    expect(await lake.run({ reread, style: null })).toBeNull();
    expect(lake.chain()?.head).toBe(80);
  });
});

describe("an indexer that was built again", () => {
  const hint = "Its earlier rows are kept; add --reread base to read all of its rows again.";

  it("fails the chain if the deployment is another one, and is accepted with --reread", async () => {
    const lake = await createFull();
    Object.assign(lake.truth.distortions.subgraph, { deployment: "second" });
    expect(await lake.run({ style: null, confirmations: 1 })).toBe(
      `The indexer of base was built again: it is another deployment than before. Earlier rows may have other values. ${hint}`,
    );
    expect(await lake.run({ reread: new Map([["base", null]]) })).toBeNull();
    expect(await lake.run()).toBeNull();
  });

  it("fails the chain if a row below the recent blocks is not there any more", async () => {
    const lake = createLake();
    await lake.play("new 3", "pass 5000", "new 2", "run");
    expect(lake.chain()?.anchor).toMatchObject({ block: 3 });
    Object.assign(lake.truth.distortions.subgraph, { ids: "-new" });
    const built = `The indexer of base was built again: a row of block 3 is not there any more. Earlier rows may have other values. ${hint}`;
    expect(await lake.run()).toBe(built);
    Object.assign(lake.truth.distortions.subgraph, { ids: "" });
    // Above it, the chain was reorganized.
    await lake.play("reorganized 1", "run");
  });

  it("moves the row to be found forward", async () => {
    const lake = createLake();
    await lake.play("new 3", "run");
    expect(lake.chain()?.anchor).toBeNull();
    await lake.play("pass 5000", "new 1", "run", "pass 5000", "run", "new 1", "run");
    expect(lake.chain()?.anchor).toMatchObject({ block: 5004 });
  });

  it("fails the chain if it is far behind", async () => {
    const lake = createLake();
    await lake.play("new 3", "pass 5000", "run");
    Object.assign(lake.truth.distortions.subgraph, { lag: 4000 });
    expect(await lake.run()).toContain("was built again: it is at block 1003, and was at block 5003.");
    Object.assign(lake.truth.distortions.subgraph, { lag: 100 });
    expect(await lake.run()).toBe("The indexer of base is at block 4903, before block 5003.");
  });
});

describe("a chain without past blocks", () => {
  it("starts again after an interruption, and one with past blocks continues", async () => {
    for (const style of STYLES) {
      const lake = createLake({ style });
      lake.step("new", 80);
      expect(await lake.run({ isDown: half })).toContain("502");
      const rows = lake.chain()?.rows ?? 0;
      expect(style === "subgraph" ? rows > 0 && rows < 80 : rows === 0).toBe(true);
      // Changes of rows that were read before the interruption are found.
      await lake.play("change 1", "run");
      expect(lake.chain()).toMatchObject({ rows: 80, isDone: true });
    }
  });
});

describe("changes", () => {
  it.each(STYLES)("during the first reading are found by the next run: %s", async (style) => {
    const lake = createLake({ style });
    lake.step("new", 9);
    let rounds = 0;
    const run = await lake.runOf({
      continues: false,
      onRows: () => {
        if (rounds++ === 2) lake.step("change", 0);
      },
    });
    await runExport(run);
    expect(await lake.run()).toBeNull();
  });

  it("are found in a feed that was empty", async () => {
    const lake = createLake();
    expect(await lake.run()).toBeNull();
    expect(lake.chain()).toMatchObject({
      feed: { id: null, name: "ActionsFeed.stream" },
      tail: { id: null },
    });
    await lake.play("new 2", "change 0", "run");
    expect(lake.chain()).toMatchObject({ rows: 2 });
  });

  it("are found by the other style, whose values differ", async () => {
    const lake = await createFull();
    lake.step("change", 5);
    expect(await lake.run({ style: "multichain" })).toBeNull();
    lake.step("change", 6);
    expect(await lake.run({ style: "subgraph" })).toBeNull();
    expect(lake.chain()).toMatchObject({ rows: 80 });
  });

  it.each(STYLES)("are all found if answers have few rows: %s", async (style) => {
    const lake = await createFull({ style });
    for (let one = 0; one < 40; one++) lake.step("change", one);
    Object.assign(lake.truth.distortions[style], { cap: 7 });
    expect(await lake.run()).toBeNull();
    expect(await lake.size()).toBe(80);
  });

  it("leave tombstones of rows that do not match any more, which do not count as fewer rows", async () => {
    const lake = await createFull({ operation: "Open" });
    for (let round = 0; round < 3; round++) for (let one = 0; one < 40; one++) lake.step("change", one);
    expect(await lake.run()).toBeNull();
    expect(await lake.size()).toBe(40);
    expect(lake.chain()).toMatchObject({ rows: 80 });
    // The last row of the list left the filter, too.
    for (let round = 0; round < 3; round++) lake.step("change", 79);
    await lake.play("run", "new 1", "run");
    expect(await lake.size()).toBe(40);
  });

  it("found by another feed fail the chain", async () => {
    const lake = await createFull();
    const { question } = await lake.runOf({});
    const without = { ...question, changes: null };
    expect(await lake.run({ question: without })).toBe(
      "Changes of base are now found by no feed instead of ActionsFeed.stream. Its earlier rows are kept; add --reread base to read all of its rows again.",
    );
    expect(await lake.run({ question: without, reread: new Map([["base", null]]) })).toBeNull();
    expect(await lake.run()).toContain("found by ActionsFeed.stream instead of no feed");
  });
});

describe("a style", () => {
  it("is not followed by the other one after its first rows", async () => {
    const lake = createLake();
    lake.step("new", 80);
    const error = await lake.run({
      style: null,
      confirmations: 1,
      isDown: (chain, request) => chain === "base" && request > 4,
    });
    expect(error).toContain("502");
    expect(lake.chain()?.deployments).toEqual({ subgraph: "first" });
  });

  it("is followed by the other one if it fails at once", async () => {
    const lake = createLake();
    lake.step("new", 4);
    expect(await lake.run({ style: null, confirmations: 1, isDown: (chain) => chain === "base" })).toBeNull();
    expect(await lake.size()).toBe(4);
  });

  it.each([
    ["base", 64, 0],
    ["base", 250, 50],
  ])("is read 10 minutes of blocks below its head by default: %s at %i", async (_, blocks, head) => {
    const lake = createLake();
    lake.step("new", blocks);
    expect(await lake.run({ confirmations: undefined })).toBeNull();
    expect(lake.chain()?.head ?? 0).toBe(head);
  });

  it("refuses a head that is not a block", async () => {
    const lake = createLake();
    lake.step("new", 4);
    Object.assign(lake.truth.distortions.multichain, { head: 1.5 });
    expect(await lake.run({ style: "multichain" })).toMatch(/has not started indexing base$/);
  });
});

describe("a folder", () => {
  it.each<[string, (at: (name: string) => string) => void, RegExp]>([
    ["a missing part", (at) => rmSync(at("part-000002.csv")), /part-000002\.csv is missing/],
    ["a cut part", (at) => writeFileSync(at("part-000001.csv"), "chain"), /part-000001\.csv has 5 bytes/],
    ["a longer part", (at) => appendFileSync(at("part-000001.csv"), "x"), /has \d+ bytes instead of/],
    [
      "a part that the state does not name",
      (at) => copyFileSync(at("part-000001.csv"), at("part-000999.csv")),
      /part-000999\.csv, which its _lockflow\.json does not name/,
    ],
    ["no state", (at) => rmSync(at(STATE_NAME)), /but no _lockflow\.json/],
    ["an export of an earlier version", (at) => mkdirSync(at("chain=base")), /earlier version of Lockflow/],
    [
      "a state of an earlier version",
      (at) => writeFileSync(`${at("")}.lockflow.json`, "{}"),
      /earlier version/,
    ],
    ["a broken state", (at) => writeFileSync(at(STATE_NAME), "{}"), /is not the state of an export/],
  ])("with %s is refused, and nothing is written", async (_, damage, sentence) => {
    const lake = await createFull();
    damage((name) => join(lake.path, name));
    const names = readdirSync(lake.path);
    const before = hashParts(lake.path);
    await expect(lake.run()).rejects.toThrow(sentence);
    expect(readdirSync(lake.path)).toEqual(names);
    expect(hashParts(lake.path)).toEqual(before);
  });

  it("whose last part has its temporary name is completed", async () => {
    const lake = createLake();
    await lake.play("new 3", "run");
    renameSync(join(lake.path, "part-000001.csv"), join(lake.path, "_part-000001.csv.lockflow-tmp"));
    writeFileSync(join(lake.path, "_part-000002.csv.lockflow-tmp"), "not committed");
    expect(await lake.run()).toBeNull();
    expect(lake.parts()).toEqual(["part-000001.csv"]);
  });

  it("is only added to with --since-last", async () => {
    const lake = await createFull();
    await expect(lake.run({ continues: false })).rejects.toThrow("is not empty");
    await expect(lake.run({ format: "ndjson" })).rejects.toThrow(/differs in: format/);
    const other = await prepare({ protocol: "lockup", operation: "Open", style: null, chains: ["base"] });
    await expect(lake.run({ question: other })).rejects.toThrow(/differs in: operation, arguments/);
    await expect(lake.run({ question: other })).rejects.toThrow(UsageError);
    const { question } = await lake.runOf({});
    const lists = question.lists.replace('"0"', '"5"');
    await expect(lake.run({ question: { ...question, lists } })).rejects.toThrow(/differs in: arguments/);
    expect(lists).not.toBe(question.lists);
  });

  it("has a part without rows, so that its view exists", async () => {
    for (const format of ["csv", "ndjson", "parquet"] as const) {
      const lake = createLake();
      expect(await lake.run({ format })).toBeNull();
      expect(lake.parts()).toEqual([`part-000001.${format}`]);
    }
  });

  it("gets more columns, and refuses another field of the same name", async () => {
    const lake = await createFull();
    const usual = { protocol: "lockup", operation: "Streams", style: null, chains: ["base"] } as const;
    const wide = await prepare({ ...usual, isWide: true });
    expect(await lake.run({ question: wide })).toBeNull();
    expect(await lake.run()).toBeNull();
    const fields = wide.fields.map((field) =>
      field.name === "hash" ? { ...field, of: { entity: "Stream", field: "sender" } } : field,
    );
    await expect(lake.run({ question: { ...wide, fields } })).rejects.toThrow(
      "differs in: column hash (text of Stream.sender, was text of Stream.hash)",
    );
  });

  it("keeps what was committed if the run is stopped", async () => {
    const lake = createLake();
    lake.step("new", 80);
    const stop = new AbortController();
    let batches = 0;
    const run = await lake.runOf({
      signal: stop.signal,
      onRows: () => {
        if (batches++ === 5) stop.abort();
      },
    });
    expect(await runExport(run)).toMatchObject({ ended: "interrupted" });
    expect(lake.chain()).toMatchObject({ rows: 18, isDone: false });
    expect(await lake.run()).toBeNull();
  });
});

describe("a process that is killed", () => {
  it.each(["killed", "lost", "reordered", "full"] as const)(
    "at any call of the disk leaves a log that the next run completes: %s",
    async (kind) => {
      let isOver = false;
      for (let after = 0; !isOver; after++) {
        const lake = createLake();
        await lake.play("new 9", "run", "new 2", "change 3");
        const before = hashParts(lake.path);
        const run = await lake.runOf({ sizes: { part: 2, held: 100 } });
        const error = await withAccident(lake.path, { kind, after }, () => runExport(run)).catch(
          (cause) => cause,
        );
        isOver = !(error instanceof Error);
        endProcess(run);
        // The view never has less than before, also before the next run.
        expect(await lake.size()).toBeGreaterThanOrEqual(9);
        expect([after, await lake.run()]).toEqual([after, null]);
        for (const [name, hash] of before) expect(hashParts(lake.path).get(name)).toBe(hash);
      }
    },
  );
});
