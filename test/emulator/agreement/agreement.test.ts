import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import { runs } from "../../support/runs.ts";
import { askMultichain } from "./ask-multichain.ts";
import { askSubgraph } from "./ask-subgraph.ts";
import { enlargeTables } from "./enlarge-tables.ts";
import { type EntityFacts, readFacts } from "./facts.ts";
import { growTables } from "./grow-tables.ts";
import { MULTICHAIN_WRITING, normalizeAnswer, SUBGRAPH_WRITING, type Writing } from "./normalize.ts";
import type { Question, Selected } from "./question.ts";
import { questionsOf } from "./questions.ts";
import { randomSchemas } from "./random-schemas.ts";
import { RICH_SCHEMA } from "./rich-schema.ts";
import { type Answer, type Both, serveBoth } from "./serve-both.ts";
import { type Tables, tablesOf } from "./tables.ts";

/** So many rows that the executors use an index where they have one. */
const MANY = 4000;

/** Milliseconds. A test takes two seconds of one core, and more on a busy machine. */
const PATIENCE = 120_000;

// Two implementations without shared query logic must agree wherever the specifications agree.
describe("the executors of both styles, with the same rows", () => {
  it(
    "return the same answer to random portable questions",
    () => {
      const facts = readFacts(parseEntities(RICH_SCHEMA, "test.graphql"));
      const cases = fc.tuple(tablesOf(facts), many(questionsOf(facts), 25));
      // The servers stay the same while rows change, so that stale caches would cause a difference.
      const both = serveBoth(RICH_SCHEMA, new Map());
      fc.assert(
        fc.property(cases, ([tables, questions]) => {
          both.replace(tables);
          for (const question of questions) compare(both, question, facts, tables);
        }),
        { seed: 20, numRuns: runs(8, 60) },
      );
    },
    PATIENCE,
  );

  it(
    "return the same answer at every block, equal to that of a fresh store",
    () => {
      const facts = readFacts(parseEntities(RICH_SCHEMA, "test.graphql"));
      const cases = fc.tuple(
        tablesOf(facts),
        tablesOf(facts),
        fc.infiniteStream(fc.boolean()),
        many(questionsOf(facts), 10),
      );
      const aged = serveBoth(RICH_SCHEMA, new Map());
      const fresh = serveBoth(RICH_SCHEMA, new Map());
      fc.assert(
        fc.property(cases, ([before, after, chances, questions]) => {
          const { store, rows } = growTables(before, after, () => chances.next().value === true);
          // The past is queried first, to fill the caches.
          for (const block of [1, 2, 3]) {
            aged.replace(store.at(block));
            fresh.replace(rows(block));
            for (const question of questions) {
              const answer = compare(aged, question, facts, rows(block));
              expect(answer).toEqual(compare(fresh, question, facts, rows(block)));
            }
          }
        }),
        { seed: 22, numRuns: runs(5, 40) },
      );
    },
    PATIENCE,
  );

  it(
    "return the same answer from tables of many rows",
    () => {
      const facts = readFacts(parseEntities(RICH_SCHEMA, "test.graphql"));
      const cases = fc.tuple(
        tablesOf(facts),
        tablesOf(facts),
        fc.infiniteStream(fc.boolean()),
        many(questionsOf(facts), 12),
      );
      const both = serveBoth(RICH_SCHEMA, new Map());
      let [asked, unanswered] = [0, 0];
      fc.assert(
        fc.property(cases, ([small, after, chances, questions]) => {
          const { store, rows } = growTables(
            enlargeTables(small, MANY),
            after,
            () => chances.next().value === true,
          );
          for (const block of [1, 2, 3]) {
            both.replace(store.at(block));
            for (const question of questions) {
              asked += 1;
              // Lists in each of a thousand rows may exceed the limit of the database.
              const answer = both.multichain(askMultichain(question, facts));
              if (isTooCostly(answer)) unanswered += 1;
              else compare(both, question, facts, rows(block));
            }
          }
        }),
        { seed: 23, numRuns: runs(2, 20), endOnFailure: true },
      );
      expect(unanswered).toBeLessThanOrEqual(asked / 100);
    },
    PATIENCE,
  );

  it(
    "return the same answer for random schemas",
    () => {
      const cases = randomSchemas.chain((schema) => {
        const facts = readFacts(parseEntities(schema, "test.graphql"));
        return fc.tuple(
          fc.constant(schema),
          fc.constant(facts),
          tablesOf(facts),
          many(questionsOf(facts), 8),
        );
      });
      fc.assert(
        fc.property(cases, ([schema, facts, tables, questions]) => {
          const both = serveBoth(schema, tables);
          for (const question of questions) compare(both, question, facts, tables);
        }),
        { seed: 21, numRuns: runs(10, 80) },
      );
    },
    PATIENCE,
  );
});

function many<T>(one: fc.Arbitrary<T>, count: number): fc.Arbitrary<T[]> {
  return fc.array(one, { minLength: count, maxLength: count });
}

function compare(
  both: Both,
  question: Question,
  facts: ReadonlyMap<string, EntityFacts>,
  tables: Tables,
): unknown {
  const subgraph = askSubgraph(question, facts);
  const multichain = askMultichain(question, facts);
  const left = read(both.subgraph(subgraph), question.of, SUBGRAPH_WRITING);
  const right = read(both.multichain(multichain), question.of, MULTICHAIN_WRITING);
  if (!isDeepStrictEqual(left, right)) {
    expect(left, JSON.stringify({ subgraph, multichain, tables: [...tables] })).toEqual(right);
  }
  return left;
}

function isTooCostly({ errors }: Answer): boolean {
  return JSON.stringify(errors ?? []).includes("database query error");
}

function read({ data, errors }: Answer, of: readonly Selected[], writing: Writing): unknown {
  if (errors !== undefined || data === undefined) throw new Error(`No answer: ${JSON.stringify(errors)}`);
  return normalizeAnswer(data["answer"], of, writing);
}
