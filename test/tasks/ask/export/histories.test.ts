import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FileError } from "../../../../src/base/errors.ts";
import { runs } from "../../../support/runs.ts";
import { tempProject } from "../../../support/temp-project.ts";
import { compare } from "./histories/compare.ts";
import { type Accident, Killed, withAccident } from "./histories/crashing-disk.ts";
import {
  CHAINS,
  createQuestions,
  type ExportRun,
  endProcess,
  openExport,
  runExport,
} from "./histories/lake.ts";
import { createTruth, type Step, type Truth } from "./histories/truth.ts";

const STEP: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom("new", "new", "change", "change", "reorganized"),
  chain: fc.nat(1),
  number: fc.integer({ min: 1, max: 7 }),
});

const NIGHT = fc.record({
  before: fc.array(STEP, { maxLength: 6 }),
  /** Changes while rows are read. */
  during: fc.array(STEP, { maxLength: 2 }),
  /** The first request that fails, as do all later ones. */
  down: fc.option(fc.record({ chain: fc.constantFrom(...Object.keys(CHAINS)), from: fc.nat(9) }), {
    freq: 4,
  }),
  accident: fc.option(
    fc.record({
      kind: fc.constantFrom("killed", "full"),
      after: fc.nat(80),
    }) satisfies fc.Arbitrary<Accident>,
    { freq: 2 },
  ),
  isLatest: fc.boolean(),
});

const HISTORY = fc.record({
  protocol: fc.constantFrom("lockup", "flow"),
  operation: fc.constantFrom("Streams", "Open", "Actions"),
  style: fc.constantFrom("multichain", "subgraph"),
  form: fc.constantFrom(
    ...(["csv", "ndjson", "json", "parquet"] as const).map((format) => ({ format, partition: null })),
    ...(["csv", "ndjson", "parquet"] as const).map((format) => ({
      format,
      partition: ["chain", "month"] as const,
    })),
    { format: "parquet", partition: [] } as const,
  ),
  confirmations: fc.constantFrom(0, 2),
  nights: fc.array(NIGHT, { minLength: 1, maxLength: 5 }),
});

type History = typeof HISTORY extends fc.Arbitrary<infer T> ? T : never;
type Night = History["nights"][number];

const history = (nights: readonly Partial<Night>[], more: Partial<History> = {}): [History] => [
  {
    ...{ protocol: "lockup", operation: "Streams", style: "multichain", confirmations: 0 },
    form: { format: "csv", partition: null },
    nights: nights.map((night) => ({ ...QUIET, ...night })),
    ...more,
  },
];

const QUIET: Night = { before: [], during: [], down: null, accident: null, isLatest: false };

const step = (kind: Step["kind"], number = 1): Step => ({ kind, chain: 0, number });
const killed = (after: number): Accident => ({ kind: "killed", after });

/** Histories that once failed. */
const EXAMPLES: readonly [History][] = [
  // Killed before the first row, so that the file got no header.
  history([{ accident: killed(5) }]),
  // Killed with a row beside the export that the state did not know.
  history([{ before: [step("new")] }, { before: [step("reorganized")], accident: killed(8) }]),
  // Versions without anything new after them.
  history([{}, { during: [step("new")] }, { isLatest: true }]),
  // Killed between the merge of versions and the state.
  history([
    { before: [step("new", 2)] },
    { before: [step("new", 2), step("reorganized", 2)] },
    { isLatest: true, accident: killed(20) },
  ]),
  // A row that left the filter before versions were merged.
  history(
    [
      { before: [step("new", 3)] },
      { before: [step("change"), step("change"), step("change"), step("change")] },
      { isLatest: true },
    ],
    { operation: "Open" },
  ),
  // A change that was read before its action, and then reverted.
  history([{ before: [step("new")], during: [step("change")] }, { before: [step("reorganized")] }]),
  // A change that was exported before the chain failed, and then reverted.
  history([
    { before: [step("new")] },
    { before: [step("change"), step("new", 2)], down: { chain: "base", from: 5 } },
    { before: [step("reorganized", 3)] },
  ]),
  // Confirmations in later runs.
  history([{ before: [step("new", 5)] }, { before: [step("new")] }], { style: "subgraph", confirmations: 2 }),
];

describe("runs of an export", () => {
  it("write a lake that equals the indexers, with any changes, failures and crashes", async () => {
    const { root } = tempProject();
    const { prepare, routes } = createQuestions(join(root, "project"));
    let count = 0;
    await fc.assert(
      fc.asyncProperty(HISTORY, async ({ nights, form, confirmations, ...asking }) => {
        const folder = join(root, String(count++));
        mkdirSync(folder);
        const common = {
          ...{ question: await prepare(asking), routes, truth: createTruth(CHAINS), ...form },
          path: join(folder, form.partition === null ? `rows.${form.format}` : "lake"),
          confirmations: asking.style === "subgraph" ? confirmations : 0,
        };
        const last = { ...QUIET, isLatest: nights.at(-1)?.isLatest ?? false };
        for (const night of [...nights, last, last]) await spend(night, common);
      }),
      { numRuns: runs(10, 200), examples: [...EXAMPLES] },
    );
  }, 600_000);
});

/** Exports once while the indexers change. */
async function spend(
  { before, during, down, accident, isLatest }: Night,
  common: Omit<ExportRun, "isLatest" | "isDown" | "onOpen" | "onRows"> & { readonly truth: Truth },
) {
  const { truth, question, path } = common;
  for (const one of before) truth.step(one);
  const isSubgraph = question.styles.includes("subgraph");
  // Pages of a multichain indexer are not of one block, so the block of pages before an interruption is unknown.
  const isQuiet = !isSubgraph && (down !== null || accident !== null);
  const steps = isQuiet ? [] : during.filter(({ kind }) => isSubgraph || kind !== "reorganized");
  const run: ExportRun = {
    ...common,
    isLatest,
    isDown: (chain, request) => down !== null && (chain ?? down.chain) === down.chain && request >= down.from,
    onRows: () => {
      const one = steps.shift();
      if (one) truth.step(one);
    },
    onOpen: async () => {
      if (accident === null) await expect(openExport(run)).rejects.toThrow("is being written by");
    },
  };
  const errors = await withAccident(dirname(path), accident, () => runExport(run)).then(
    ({ chains }) => chains.flatMap(({ error }) => error ?? []),
    (error: unknown) => {
      const isExpected =
        error instanceof Killed || (error instanceof FileError && error.code === "FILE_UNWRITABLE");
      if (accident !== null && isExpected) return [error];
      throw error;
    },
  );
  endProcess(run);
  if (down === null && accident === null && during.length === 0) expect(errors).toEqual([]);
  if (errors.length === 0 && during.length === 0) await compare(run, truth);
}
