import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readLogState, STATE_NAME } from "../../../src/ask/export/log-state.ts";
import { UsageError } from "../../../src/base/errors.ts";
import { IS_THOROUGH } from "../../support/is-thorough.ts";
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
import { createTruth, type Distortion, type Step } from "./histories/truth.ts";

const root = mkdtempSync(join(tmpdir(), "lockflow-log-"));
afterAll(() => rmSync(root, { recursive: true }));
const { prepare, routes } = createQuestions(join(root, "project"));
let count = 0;

const STYLES = ["subgraph", "multichain"] as const;

type RunOptions = Partial<ExportRun> & Partial<Asking>;

/** Creates indexers, and a log of their rows on base. */
function createLake(asking: Partial<Asking> = {}) {
  const truth = createTruth({ base: 8453 });
  const path = join(root, `lake${count++}`);
  let isTrue = true;
  const runOf = async ({ style = asking.style ?? "subgraph", ...more }: RunOptions = {}) => {
    const usual = { protocol: "lockup", operation: "Streams", chains: ["base"], ...asking, style } as const;
    const question = more.question ?? (await prepare(usual));
    return { question, routes, truth, path, format: "csv", confirmations: 0, ...more } satisfies ExportRun;
  };
  const step = (kind: Step["kind"], number: number) => truth.step({ kind, chain: 0, number });
  /** Runs, and returns the error of the chain; null without one, if the log equals the indexers. */
  const run = async (more: RunOptions = {}) => {
    const own = await runOf(more);
    const { chains } = await runExport(own);
    const error = chains[0]?.error ?? null;
    if (error === null && isTrue) await compare(own, truth, ["base"]);
    return error?.message ?? null;
  };
  const distort = (distortion: Distortion, styles: readonly (typeof STYLES)[number][] = STYLES) => {
    for (const style of styles) truth.distortions[style] = distortion;
    isTrue = distortion.streams === undefined && distortion.head === undefined;
  };
  /**
   * Changes the chain (`new 3`, `change 0`, `reorganized 5`, `pass 9`, `changes 20 3` for 3 of the first 20) or its indexers
   * (`lag 3`, `true` for none), or runs (`run`, `reread 20`, `run multichain`, `run any`), and returns the error.
   */
  const move = async (text: string) => {
    const [word = "", value = "", times = ""] = text.split(" ");
    const number = value === "" ? null : Number(value);
    const style = value === "any" ? { style: null, confirmations: 1 } : {};
    const reread = new Map([["base", value === "any" ? null : number]]);
    if (word === "run" && value === "multichain") return run({ style: value });
    if (word === "run" || word === "reread") return run({ ...style, ...(word === "reread" && { reread }) });
    if (word === "true") distort({});
    else if (word === "lag") distort({ lag: number ?? 0 }, ["subgraph"]);
    else if (/^(cap|streams|head)$/.test(word)) distort({ [word]: number });
    else if (/^(deployment|ids)$/.test(word)) distort({ [word]: value });
    else if (word === "changes") {
      for (let at = 0; at < Number(value) * Number(times || 1); at++) step("change", at % Number(value));
    } else step(word as Step["kind"], number ?? 0);
    return null;
  };
  return {
    path,
    step,
    run,
    runOf,
    /** Plays moves. A run that `fails` has the next error, and changes no part. */
    play: async (moves: string, ...errors: readonly string[]) => {
      const left = [...errors];
      for (const one of moves.split(", ")) {
        const before = hashParts(path);
        const fails = one.endsWith(" fails");
        expect([one, await move(one.replace(/ fails$/, ""))]).toEqual([one, fails ? left.shift() : null]);
        if (fails) expect(hashParts(path)).toEqual(before);
      }
    },
    chain: () => readLogState(path, "lake")?.chains[0],
    size: async () => (await readView(await runOf())).size,
    parts: () => [...hashParts(path).keys()],
  };
}

type Lake = ReturnType<typeof createLake>;

/** An indexer that fails while it is read. */
const isDown = (_: string | null, request: number) => request > 9;

const KEPT = "Its earlier rows are kept; add --reread base";
const BUILT = "The indexer of base was built again";
const FEWER = `${BUILT}, or lacks rows: it has 20 now, and had 40. ${KEPT}=20 to accept that.`;
const builtAgain = (reason: string) =>
  `${BUILT}: ${reason}. Earlier rows may have other values. ${KEPT} to read all of its rows again.`;

describe.each(STYLES)("the log of a %s indexer", (style) => {
  it.each<[name: string, moves: string, want: object, operation?: Asking["operation"]]>([
    ["replaces rows after a reorganization", "new 40, run, reorganized 5, run", { rows: 38 }],
    ["marks a feed without rows", "run", { feed: { id: null, block: null }, tail: { id: null } }],
    ["has changes in a feed that was empty", "run, new 2, change 0, run", { rows: 2 }],
    ["has all changes if answers have few rows", "new 40, run, changes 30, cap 7, run", { size: 40 }],
    [
      "counts rows that left, which are not fewer",
      "new 40, run, changes 20 3, run",
      { rows: 40, size: 20 },
      "Open",
    ],
    [
      "continues after a last row that left",
      "new 9, run, changes 9 3, run, new 1, run",
      { rows: 10, size: 1 },
      "Open",
    ],
  ])("%s", async (_, moves, want, operation = "Streams") => {
    const lake = createLake({ style, operation });
    await lake.play(moves);
    expect({ ...lake.chain(), size: await lake.size() }).toMatchObject(want);
  });

  it("is not replaced by fewer rows but for 1 % and 10, and a number accepts as many", async () => {
    const lake = createLake({ style });
    await lake.play("new 40, run, streams 20, reread fails, reread 21 fails", FEWER, FEWER);
    await lake.play("reread 20, streams 10, reread");
    expect([lake.chain()?.rows, await lake.size()]).toEqual([10, 10]);
  });

  it("keeps earlier rows if a further reading is interrupted", async () => {
    const lake = createLake({ style });
    await lake.play("new 40, run");
    const before = hashParts(lake.path);
    expect(await lake.run({ reread: new Map([["base", null]]), isDown })).toContain("502");
    expect(hashParts(lake.path)).toEqual(before);
    expect(lake.chain()).toMatchObject({ rows: 40, isDone: true });
    await lake.play("reread");
  });

  it("continues after an interruption, or starts again without past blocks", async () => {
    const lake = createLake({ style });
    lake.step("new", 40);
    expect(await lake.run({ isDown })).toContain("502");
    const rows = lake.chain()?.rows ?? 0;
    expect(style === "subgraph" ? rows > 0 && rows < 40 : rows === 0).toBe(true);
    // Changes of rows that were read before the interruption are found.
    await lake.play("change 1, run");
    expect(lake.chain()).toMatchObject({ rows: 40, isDone: true });
  });

  it("has changes during the first reading after the next run", async () => {
    const lake = createLake({ style });
    lake.step("new", 9);
    let rounds = 0;
    const onRows = () => {
      if (rounds++ === 2) lake.step("change", 0);
    };
    await runExport(await lake.runOf({ continues: false, onRows }));
    await lake.play("run");
  });
});

describe("the log of a chain", () => {
  it.each<[name: string, moves: string, want: object, ...errors: string[]]>([
    [
      "has changes that the other style has",
      "new 9, run, change 5, run multichain, change 6, run",
      { rows: 9 },
    ],
    [
      "is not read at a lower block, but by a style that has the known one",
      "new 40, run, lag 3, reread fails, reread any",
      { head: 40 },
      "The indexer of base is at block 37, before block 40.",
    ],
    [
      "is read at a lower block if no style has the known one",
      "new 9, run, head 5000000, run multichain, true, run fails, reread any",
      { head: 8 },
      builtAgain("it is at block 9, and was at block 5000000"),
    ],
    [
      "is not of another deployment, but with --reread",
      "new 9, run, deployment second, run any fails, reread, run",
      { deployments: { subgraph: "second" } },
      builtAgain("it is another deployment than before"),
    ],
    ["has no anchor if all blocks are recent", "new 3, run", { anchor: null }],
    [
      "has its anchor below the recent blocks, which must stay there, and above it blocks that are replaced",
      "new 3, pass 5000, new 2, run, ids -new, run fails, true, reorganized 1, run",
      { anchor: { block: 3 } },
      builtAgain("a row of block 3 is not there any more"),
    ],
    [
      "moves its anchor forward",
      "new 3, run, pass 5000, new 1, run, pass 5000, run, new 1, run",
      { anchor: { block: 5004 } },
    ],
    [
      "is not of an indexer that is far behind, or behind",
      "new 3, pass 5000, run, lag 4000, run fails, lag 100, run fails",
      { head: 5003 },
      builtAgain("it is at block 1003, and was at block 5003"),
      "The indexer of base is at block 4903, before block 5003.",
    ],
  ])("%s", async (_, moves, want, ...errors) => {
    const lake = createLake();
    await lake.play(moves, ...errors);
    expect(lake.chain()).toMatchObject(want);
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
        for (const moves of ["new 12", "new 3, run, new 9"]) {
          const lake = createLake({ operation });
          await lake.play(moves);
          expect(await lake.run({ confirmations, onRows: replaceAfter(lake, 2) })).toBeNull();
        }
      });

      it("in the next run, if the reading is interrupted", async () => {
        for (const requests of [7, 8, 9]) {
          const lake = createLake({ operation });
          lake.step("new", 15);
          const isDown = (_: string | null, request: number) => request >= requests;
          expect(await lake.run({ onRows: replaceAfter(lake, 3), isDown })).toContain("502");
          await lake.play("new 1, run");
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

  it.each([
    ["Streams", []],
    ["Actions", [expect.stringContaining("`updatedBy` of lockup does not apply to Actions.")]],
  ] as const)("has changed rows of %s, or a notice that it has not", async (operation, notices) => {
    expect((await createLake({ operation }).runOf()).question.notices).toEqual(notices);
  });

  it("has the changes of one feed", async () => {
    const lake = createLake();
    await lake.play("new 9, run");
    const question = { ...(await lake.runOf()).question, changes: null };
    expect(await lake.run({ question })).toBe(
      `Changes of base are now found by no feed instead of ActionsFeed.stream. ${KEPT} to read all of its rows again.`,
    );
    expect(await lake.run({ question, reread: new Map([["base", null]]) })).toBeNull();
    expect(await lake.run()).toContain("found by ActionsFeed.stream instead of no feed");
  });
});

describe("a style", () => {
  it("is not followed by the other one after its first rows", async () => {
    const lake = createLake();
    lake.step("new", 40);
    const isDown = (chain: string | null, request: number) => chain === "base" && request > 4;
    expect(await lake.run({ style: null, confirmations: 1, isDown })).toContain("502");
    expect(lake.chain()?.deployments).toEqual({ subgraph: "first" });
  });

  it("is followed by the other one if it fails at once", async () => {
    const lake = createLake();
    lake.step("new", 4);
    expect(await lake.run({ style: null, confirmations: 1, isDown: (chain) => chain === "base" })).toBeNull();
    expect(await lake.size()).toBe(4);
  });

  it.each([
    [64, 0],
    [250, 50],
  ])("is read 10 minutes of blocks below its head by default: at block %i", async (blocks, head) => {
    const lake = createLake();
    lake.step("new", blocks);
    expect(await lake.run({ confirmations: undefined })).toBeNull();
    expect(lake.chain()?.head ?? 0).toBe(head);
  });

  it("refuses a head that is not a block", async () => {
    const lake = createLake();
    lake.step("new", 4);
    await lake.play("head 1.5");
    expect(await lake.run({ style: "multichain" })).toMatch(/has not started indexing base$/);
  });
});

describe("a folder", () => {
  it.each<[string, (at: (name: string) => string) => void, RegExp]>([
    ["a missing part", (at) => rmSync(at("part-000001.csv")), /part-000001\.csv is missing/],
    ["a cut part", (at) => writeFileSync(at("part-000001.csv"), "chain"), /part-000001\.csv has 5 bytes/],
    ["a longer part", (at) => appendFileSync(at("part-000001.csv"), "x"), /has \d+ bytes instead of/],
    [
      "a part that the state does not name",
      (at) => copyFileSync(at("part-000001.csv"), at("part-000999.csv")),
      /part-000999\.csv, which its _lockflow\.json does not name/,
    ],
    ["no state", (at) => rmSync(at(STATE_NAME)), /but no _lockflow\.json/],
    ["an earlier export", (at) => mkdirSync(at("chain=base")), /earlier version of Lockflow/],
    ["an earlier state", (at) => writeFileSync(`${at("")}.lockflow.json`, "{}"), /earlier version/],
    ["a broken state", (at) => writeFileSync(at(STATE_NAME), "{}"), /is not the state of an export/],
    ...[
      ["tail", { before: "abc" }],
      ["tail", { cursor: "1.5" }],
      ["tail", { cursor: null }],
      ["feed", { before: "zzz" }],
      ["anchor", { id: "9", cursor: " 1", block: 1 }],
    ].map(([key, damage]) => {
      const edit = (at: (name: string) => string) => {
        const state = JSON.parse(readFileSync(at(STATE_NAME), "utf8"));
        const chain = state.chains[0];
        chain[key as string] = { ...(chain[key as string] ?? chain.tail), ...(damage as object) };
        writeFileSync(at(STATE_NAME), JSON.stringify(state));
      };
      const sentence = new RegExp(`^lake/_lockflow\\.json is not the state .* in chain 1, "${key}" does not`);
      return [`a state whose ${key} is ${JSON.stringify(damage)}`, edit, sentence] satisfies [
        unknown,
        unknown,
        unknown,
      ];
    }),
  ])("with %s is refused, and nothing is written", async (_, damage, sentence) => {
    const lake = createLake();
    await lake.play("new 9, run");
    damage((name) => join(lake.path, name));
    const names = readdirSync(lake.path);
    const before = hashParts(lake.path);
    await expect(lake.run()).rejects.toThrow(sentence);
    expect(readdirSync(lake.path)).toEqual(names);
    expect(hashParts(lake.path)).toEqual(before);
  });

  it("whose last part has its temporary name is completed", async () => {
    const lake = createLake();
    await lake.play("new 3, run");
    renameSync(join(lake.path, "part-000001.csv"), join(lake.path, "_part-000001.csv.lockflow-tmp"));
    writeFileSync(join(lake.path, "_part-000002.csv.lockflow-tmp"), "not committed");
    await lake.play("run");
    expect(lake.parts()).toEqual(["part-000001.csv"]);
  });

  it("is only added to with --since-last", async () => {
    const lake = createLake();
    await lake.play("new 1, run");
    const other = await prepare({ protocol: "lockup", operation: "Open", style: null, chains: ["base"] });
    const { question } = await lake.runOf();
    const lists = question.lists.replace('"0"', '"5"');
    expect(lists).not.toBe(question.lists);
    for (const [more, sentence] of [
      [{ continues: false }, /is not empty/],
      [{ format: "ndjson" }, /differs in: format/],
      [{ question: other }, /differs in: operation, arguments/],
      [{ question: { ...question, lists } }, /differs in: arguments/],
    ] as const) {
      const error = await lake.run(more).catch((cause: unknown) => cause);
      expect(error).toBeInstanceOf(UsageError);
      expect(String(error)).toMatch(sentence);
    }
  });

  it.each(["csv", "ndjson", "parquet"] as const)(
    "has a %s part without rows, so that its view exists",
    async (format) => {
      const lake = createLake();
      expect(await lake.run({ format })).toBeNull();
      expect(lake.parts()).toEqual([`part-000001.${format}`]);
    },
  );

  it("gets more columns, and refuses another field of the same name", async () => {
    const lake = createLake();
    await lake.play("new 9, run");
    const usual = { protocol: "lockup", operation: "Streams", style: null, chains: ["base"] } as const;
    const wide = await prepare({ ...usual, isWide: true });
    expect(await lake.run({ question: wide })).toBeNull();
    await lake.play("run");
    const of = { entity: "Stream", field: "sender" };
    const fields = wide.fields.map((field) => (field.name === "hash" ? { ...field, of } : field));
    await expect(lake.run({ question: { ...wide, fields } })).rejects.toThrow(
      "differs in: column hash (VARCHAR of Stream.sender, was VARCHAR of Stream.hash)",
    );
  });

  it("keeps what was committed if the run is stopped", async () => {
    const lake = createLake();
    lake.step("new", 40);
    const stop = new AbortController();
    let batches = 0;
    const onRows = () => {
      if (batches++ === 5) stop.abort();
    };
    const run = await lake.runOf({ signal: stop.signal, onRows });
    expect(await runExport(run)).toMatchObject({ ended: "interrupted" });
    expect(lake.chain()).toMatchObject({ rows: 18, isDone: false });
    await lake.play("run");
  });
});

it.each(["killed", "lost", "reordered", "full"] as const)(
  "a process that is killed at a call of the disk leaves a log that the next run completes: %s",
  async (kind) => {
    // By default all calls of the kind that finds most, and a few of the others.
    const stride = IS_THOROUGH || kind === "reordered" ? 1 : 5;
    let isOver = false;
    for (let after = kind.length % stride; !isOver; after += stride) {
      const lake = createLake();
      await lake.play("new 4, run, new 2, change 3");
      const before = hashParts(lake.path);
      const run = await lake.runOf({ sizes: { part: 2, held: 100 } });
      const error = await withAccident(lake.path, { kind, after }, () => runExport(run)).catch(
        (cause) => cause,
      );
      isOver = !(error instanceof Error);
      endProcess(run);
      // The view never has less than before, also before the next run.
      expect(await lake.size()).toBeGreaterThanOrEqual(4);
      expect([after, await lake.run()]).toEqual([after, null]);
      for (const [name, hash] of before) expect(hashParts(lake.path).get(name)).toBe(hash);
    }
  },
);
