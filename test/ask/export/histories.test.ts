import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { FileError, UsageError } from "../../../src/base/errors.ts";
import { runs } from "../../support/runs.ts";
import { tempProject } from "../../support/temp-project.ts";
import { compare } from "./histories/compare.ts";
import { type Accident, Killed, withAccident } from "./histories/crashing-disk.ts";
import {
  CHAINS,
  createQuestions,
  type ExportRun,
  endProcess,
  hashParts,
  openExport,
  runExport,
} from "./histories/lake.ts";
import { createTruth, type Distortion, type Step, type Truth } from "./histories/truth.ts";

const STEP: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom("new", "new", "change", "change", "reorganized", "pass"),
  chain: fc.nat(1),
  number: fc.integer({ min: 1, max: 7 }),
});

const DISTORTION: fc.Arbitrary<Distortion> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  fc.record({ lag: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ cap: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ deployment: fc.constant("second"), streams: fc.nat(3) }),
);

const NIGHT = fc.record({
  before: fc.array(STEP, { maxLength: 6 }),
  /** Changes while rows are read. */
  during: fc.array(STEP, { maxLength: 2 }),
  /** The first request that fails, as do all later ones. */
  down: fc.option(fc.record({ chain: fc.constantFrom(...Object.keys(CHAINS)), from: fc.nat(12) }), {
    freq: 4,
  }),
  accident: fc.option(
    fc.record({
      kind: fc.constantFrom("killed", "lost", "reordered", "full"),
      after: fc.nat(60),
    }) satisfies fc.Arbitrary<Accident>,
    { freq: 2 },
  ),
  style: fc.constantFrom("multichain", "subgraph", null),
  multichain: DISTORTION,
  subgraph: DISTORTION,
  chains: fc.constantFrom(["base", "optimism"], ["base", "optimism"], ["optimism"], ["base"]),
  reread: fc.option(fc.constantFrom("base", "optimism"), { freq: 6 }),
  isWide: fc.boolean(),
  /** Whether a part was copied away before the run. */
  isCut: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
});

const HISTORY = fc.record({
  protocol: fc.constantFrom("lockup", "flow"),
  operation: fc.constantFrom("Streams", "Open", "Actions"),
  format: fc.constantFrom("csv", "ndjson", "parquet"),
  confirmations: fc.constantFrom(0, 2),
  nights: fc.array(NIGHT, { minLength: 1, maxLength: 5 }),
});

type History = typeof HISTORY extends fc.Arbitrary<infer T> ? T : never;
type Night = History["nights"][number];

const QUIET: Night = {
  before: [],
  during: [],
  down: null,
  accident: null,
  style: "subgraph",
  multichain: {},
  subgraph: {},
  chains: ["base", "optimism"],
  reread: null,
  isWide: false,
  isCut: false,
};

const history = (nights: readonly Partial<Night>[], more: Partial<History> = {}): [History] => [
  {
    protocol: "lockup",
    operation: "Streams",
    format: "csv",
    confirmations: 0,
    nights: nights.map((night) => ({ ...QUIET, ...night })),
    ...more,
  },
];

const step = (kind: Step["kind"], number = 1): Step => ({ kind, chain: 0, number });

/** Histories that once failed, of this and earlier forms of the export. */
const EXAMPLES: readonly [History][] = [
  // A change that was read before its action, and then reverted.
  history([{ before: [step("new")], during: [step("change")] }, { before: [step("reorganized")] }]),
  // A change that was committed before the chain failed, and then reverted.
  history([
    { before: [step("new", 3)] },
    { before: [step("change"), step("new", 2)], down: { chain: "base", from: 5 } },
    { before: [step("reorganized", 3)] },
  ]),
  // A row that left the filter.
  history(
    [{ before: [step("new", 3)] }, { before: [step("change", 2), step("change", 2), step("change", 2)] }, {}],
    { operation: "Open" },
  ),
  // A reorganization between two pages of an operation without a feed.
  history([{ before: [step("new", 6)], during: [step("reorganized", 4)] }], {
    operation: "Actions",
    confirmations: 2,
  }),
  // Confirmations in later runs.
  history([{ before: [step("new", 5)] }, { before: [step("new")] }], { confirmations: 2 }),
];

it("runs of a log leave a view that equals the indexers, with any changes, failures and crashes", async () => {
  const { root } = tempProject();
  const { prepare, routes } = createQuestions(join(root, "project"));
  let count = 0;
  await fc.assert(
    fc.asyncProperty(HISTORY, async ({ nights, protocol, operation, ...form }) => {
      const path = join(root, String(count++), "lake");
      mkdirSync(join(path, ".."));
      const truth = createTruth(CHAINS);
      const last = { ...QUIET, style: nights.at(-1)?.style ?? null };
      const parts = new Map<string, string>();
      for (const night of [...nights, last, last]) {
        const { style, chains, isWide } = night;
        const question = await prepare({ protocol, operation, style, chains, isWide });
        await spend(night, { question, routes, truth, path, ...form }, parts);
      }
    }),
    { numRuns: runs(20, 1000), examples: [...EXAMPLES] },
  );
}, 3_600_000);

/** Exports once while the indexers change. */
async function spend(
  { before, during, down, accident, reread, multichain, subgraph, isCut, style }: Night,
  common: ExportRun & { readonly truth: Truth },
  parts: Map<string, string>,
) {
  const { truth, path, question } = common;
  for (const one of before) truth.step(one);
  Object.assign(truth.distortions, { multichain, subgraph });
  // Pages of a multichain indexer are of several blocks: a reorganization between them may stay unseen.
  const steps = during.filter(({ kind }) => style === "subgraph" || kind !== "reorganized");
  const run: ExportRun = {
    ...common,
    // A mark of 0 confirmations also prefers the order of the client.
    ...(style === null && { confirmations: 0 }),
    reread: new Map(reread === null ? [] : [[reread, null]]),
    isDown: (chain, request) => down !== null && (chain ?? down.chain) === down.chain && request >= down.from,
    onRows: () => {
      const one = steps.shift();
      if (one) truth.step(one);
    },
    onOpen: async () => {
      if (accident === null) await expect(openExport(run)).rejects.toThrow("is being written by");
    },
  };
  const [first] = hashParts(path).keys();
  if (isCut && first !== undefined) {
    renameSync(join(path, first), join(path, "..", first));
    await expect(runExport(run)).rejects.toThrow(UsageError);
    renameSync(join(path, "..", first), join(path, first));
  }
  const results = await withAccident(path, accident, () => runExport(run)).then(
    ({ chains }) => chains,
    (error: unknown) => {
      const isExpected =
        error instanceof Killed || (error instanceof FileError && error.code === "FILE_UNWRITABLE");
      if (accident !== null && isExpected) return [];
      throw error;
    },
  );
  endProcess(run);
  for (const [name, hash] of hashParts(path)) {
    expect([name, parts.get(name) ?? hash]).toEqual([name, hash]);
    parts.set(name, hash);
  }
  for (const name of parts.keys()) expect(hashParts(path).has(name) || accident !== null).toBe(true);
  // A last run of each history has no accident, so that all parts are there.
  const isQuiet = Object.keys({ ...multichain, ...subgraph }).every(
    (name) => name === "cap" || name === "lag",
  );
  if (!isQuiet) return;
  const complete = results.flatMap(({ chain, error, style: by }) => {
    // The rows of a multichain indexer that changes meanwhile are not of one block.
    const isOfOneBlock =
      during.length === 0 || (by === "subgraph" && during.every(({ kind }) => kind !== "reorganized"));
    return error === null && isOfOneBlock ? [chain] : [];
  });
  if (accident === null || results.length > 0) await compare(run, truth, complete);
  expect(question.chains.length).toBeGreaterThan(0);
}
