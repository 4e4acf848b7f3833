import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import { runs } from "../../support/runs.ts";
import { askMultichain } from "./ask-multichain.ts";
import { askSubgraph } from "./ask-subgraph.ts";
import { enlargeTables } from "./enlarge-tables.ts";
import { type Facts, readFacts } from "./facts.ts";
import { growTables } from "./grow-tables.ts";
import { normalizeAnswer } from "./normalize.ts";
import type { Question } from "./question.ts";
import { questionsOf } from "./questions.ts";
import { drawn } from "./random.ts";
import { randomSchemas } from "./random-schemas.ts";
import { RICH_SCHEMA } from "./rich-schema.ts";
import { type Answer, type Both, serveBoth } from "./serve-both.ts";
import { type Tables, tablesOf, writeTables } from "./tables.ts";
import { parseTime } from "./time.ts";

/** So many rows that the executors use an index where they have one. */
const MANY = 4000;

/** Milliseconds. A test takes two seconds of one core, and more on a busy machine. */
const PATIENCE = 120_000;

const FACTS = readFacts(parseEntities(RICH_SCHEMA, "test.graphql"));

// Two implementations that share only LIKE and the order of texts and integers must agree where the specifications do.
describe("the executors of both styles, with the same rows", () => {
  it(
    "return the same answer to random portable questions",
    () => {
      // The servers stay the same while rows change, so that stale caches would cause a difference.
      const both = serveBoth(RICH_SCHEMA, new Map());
      fc.assert(
        fc.property(many(questionsOf(FACTS), 25), tablesOf(FACTS), (questions, tables) => {
          both.replace(tables);
          for (const question of questions) compare(question, { both, facts: FACTS, tables });
        }),
        { seed: 20, numRuns: runs(8, 60) },
      );
    },
    PATIENCE,
  );

  it(
    "return the same answer at every block, equal to that of a fresh store",
    () => {
      const aged = serveBoth(RICH_SCHEMA, new Map());
      const fresh = serveBoth(RICH_SCHEMA, new Map());
      fc.assert(
        fc.property(
          many(questionsOf(FACTS), 10),
          grownTables((tables) => tables),
          (questions, { store, rows }) => {
            // The past is queried first, to fill the caches.
            for (const block of [1, 2, 3]) {
              const tables = rows(block);
              aged.replace(store.at(block));
              fresh.replace(tables);
              for (const question of questions) {
                const answer = compare(question, { both: aged, facts: FACTS, tables });
                expect(answer).toEqual(compare(question, { both: fresh, facts: FACTS, tables }));
              }
            }
          },
        ),
        { seed: 22, numRuns: runs(5, 40) },
      );
    },
    PATIENCE,
  );

  it(
    "return the same answer from tables of many rows",
    () => {
      const both = serveBoth(RICH_SCHEMA, new Map());
      let [asked, unanswered] = [0, 0];
      const large = grownTables((tables) => enlargeTables(tables, MANY));
      fc.assert(
        fc.property(many(questionsOf(FACTS), 12), large, (questions, { store, rows }) => {
          for (const block of [1, 2, 3]) {
            both.replace(store.at(block));
            for (const question of questions) {
              asked += 1;
              // Lists in each of a thousand rows may exceed the limit of the database.
              const { errors } = both.multichain(JSON.parse(askMultichain(question, FACTS)));
              if (JSON.stringify(errors ?? []).includes("database query error")) unanswered += 1;
              else compare(question, { both, facts: FACTS, tables: rows(block) });
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
        return fc.tuple(fc.constant({ schema, facts }), many(questionsOf(facts), 8), tablesOf(facts));
      });
      fc.assert(
        fc.property(cases, ([{ schema, facts }, questions, tables]) => {
          const both = serveBoth(schema, tables);
          for (const question of questions) compare(question, { both, facts, tables });
        }),
        { seed: 21, numRuns: runs(10, 80) },
      );
    },
    PATIENCE,
  );
});

function many<T>(item: fc.Arbitrary<T>, count: number): fc.Arbitrary<T[]> {
  return fc.array(item, { minLength: count, maxLength: count });
}

/** Tables that change over blocks; `prepare` changes those of the first. */
function grownTables(prepare: (tables: Tables) => Tables) {
  return drawn((random) => {
    const [before, after] = [writeTables(random, FACTS, "both"), writeTables(random, FACTS, "both")];
    return growTables(prepare(before), after, () => random.chance(0.5));
  });
}

type Served = { readonly both: Both; readonly facts: Facts; readonly tables: Tables };

function compare(question: Question, { both, facts, tables }: Served): unknown {
  const subgraph = askSubgraph(question, facts);
  const multichain = JSON.parse(askMultichain(question, facts));
  const left = read(both.subgraph(subgraph), question, (text) => text);
  const right = read(both.multichain(multichain), question, parseTime);
  if (!isDeepStrictEqual(left, right)) {
    expect(left, JSON.stringify({ subgraph, multichain, tables: [...tables] })).toEqual(right);
  }
  return left;
}

function read({ data, errors }: Answer, question: Question, readTime: (text: string) => string): unknown {
  if (errors !== undefined || data === undefined) throw new Error(`No answer: ${JSON.stringify(errors)}`);
  return normalizeAnswer(data["answer"], question.is === "aggregate" ? [] : question.of, readTime);
}
