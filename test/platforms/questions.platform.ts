import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRandom } from "../emulator/agreement/random.ts";
import { compareReplies, type Difference } from "./compare-replies.ts";
import { createIndexers, type QuestionedIndexer } from "./create-indexers.ts";
import { KNOWN_DIFFERENCES } from "./known-differences.ts";
import { RUNS, SEED } from "./seed.ts";
import { type Asked, type Both, type BothSettings, DEFAULT, post, STRICT, serveBoth } from "./serve-both.ts";
import { shrink } from "./shrink.ts";
import { shrinkRows } from "./shrink-rows.ts";
import { createQuestionWriter, type Question } from "./write-questions.ts";

/** The settings of nodes, and the share of the queries that each gets. */
const MODES: readonly (readonly [name: string, share: number, settings: BothSettings])[] = [
  ["with default settings", 0.6, DEFAULT],
  ["with strict validation", 0.25, STRICT],
  [
    "without nested conditions and child sorting",
    0.15,
    {
      node: { GRAPH_GRAPHQL_DISABLE_BOOL_FILTERS: "true", GRAPH_GRAPHQL_DISABLE_CHILD_SORTING: "true" },
      emulator: { boolFilters: false, childSorting: false },
    },
  ],
];

/** The number of concurrent queries. */
const AT_ONCE = 12;

/** The number of differences to shrink; each takes half a minute. */
const MOST_SHOWN = 3;

/** For all modes: the number of queries, and the number of different messages by known reason. */
let asked = 0;
const reworded = new Map<string, number>();

describe.each(MODES)(`questions from the seed ${SEED} to nodes %s`, (_, share, settings) => {
  const indexers = createIndexers(SEED, settings.emulator);
  let both: Both;
  beforeAll(async () => {
    both = await serveBoth(indexers, settings);
  });
  afterAll(() => both.close());

  it("get the same answers", async () => {
    const unknown: { indexer: QuestionedIndexer; question: Question; difference: Difference }[] = [];
    const count = Math.ceil(RUNS * share);
    const asks = createAsks(both, indexers);
    let next = 0;
    const worker = async () => {
      for (let number = next++; number < count; number = next++) {
        const { indexer, question } = asks.write(number);
        const difference = await asks.compare(indexer, question);
        asked += 1;
        if (difference === null) continue;
        const reason = findReason(difference, question);
        if (reason === undefined) unknown.push({ indexer, question, difference });
        else reworded.set(reason, (reworded.get(reason) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    const shown: string[] = [];
    for (const { indexer, question, difference } of unknown.slice(0, MOST_SHOWN)) {
      const isSame = (left: Difference | null, asked: Question) =>
        left?.kind === difference.kind && findReason(left, asked) === undefined;
      const smallest = await shrink(question, async (smaller) =>
        isSame(await asks.compare(indexer, smaller), smaller),
      );
      // If the deployment fails, the difference is not the same.
      const compareWith = (rows: QuestionedIndexer["rows"]) =>
        asks.compareOf({ ...indexer, rows }, smallest).catch(() => null);
      const { rows, shown: few } = await shrinkRows(indexer.rows, indexer.model, async (fewer) =>
        isSame(await compareWith(fewer), smallest),
      );
      const left = (await compareWith(rows)) ?? (await asks.compare(indexer, smallest)) ?? difference;
      const about = `${left.kind}, asked of "${indexer.name}":`;
      shown.push([about, JSON.stringify(smallest), left.node, left.emulator, JSON.stringify(few)].join("\n"));
    }
    expect(unknown.length === 0 ? "" : `${unknown.length} of ${count}\n\n${shown.join("\n\n")}`).toBe("");
  });
});

describe("the messages of all answers", () => {
  it("are equal in at least 99 %", () => {
    const count = [...reworded.values()].reduce((sum, one) => sum + one, 0);
    expect(count, JSON.stringify(Object.fromEntries(reworded), null, 2)).toBeLessThanOrEqual(asked * 0.01);
  });
});

function findReason(difference: Difference, question: Question): string | undefined {
  return KNOWN_DIFFERENCES.find(({ matches }) => matches(difference, question))?.reason;
}

function createAsks(both: Both, indexers: readonly QuestionedIndexer[]) {
  const hashes = Array.from({ length: 36 }, (_, index) => both.blockAt(index + 5).hash);
  const writers = indexers.map((indexer) => ({
    indexer,
    write: createQuestionWriter({ schema: indexer.schema, values: indexer.values, hashes }),
  }));
  return {
    write: (number: number) => {
      const random = createRandom(SEED * 1_000_003 + number);
      const writer = writers[random.chance(0.2) ? 1 : 0];
      if (!writer) throw new Error("There are two indexers.");
      return { indexer: writer.indexer, question: writer.write(random) };
    },
    compare: async (indexer: QuestionedIndexer, question: Question) =>
      compareReplies(...(await both.ask(write(question, both.pathOf(indexer)))), hasOpenOrder(question)),
    /** Of other rows than those that are served. */
    compareOf: async (indexer: QuestionedIndexer, question: Question) =>
      compareReplies(...(await both.askOf(indexer, (path) => write(question, path))), hasOpenOrder(question)),
  };
}

function write({ query, variables }: Question, path: string): Asked {
  return post(path, variables === null ? { query } : { query, variables });
}

function hasOpenOrder(question: Question): boolean {
  return JSON.stringify(question).includes("__id");
}
