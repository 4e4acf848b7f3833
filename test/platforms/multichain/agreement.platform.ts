import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Row, RowValue } from "../../../emulator/styles/read-view.ts";
import { type Postgres, startPostgres } from "../../../packages/graph-node/src/index.ts";
import { askMultichain } from "../../emulator/agreement/ask-multichain.ts";
import { type Column, entityOf } from "../../emulator/agreement/facts.ts";
import type { Page, Question, Test } from "../../emulator/agreement/question.ts";
import { isComparable, isExact, isOpen, questionsOf } from "../../emulator/agreement/questions.ts";
import { drawn } from "../../emulator/agreement/random.ts";
import { type Tables, tablesOf } from "../../emulator/agreement/tables.ts";
import { testOf } from "../../emulator/agreement/tests.ts";
import { valueFor } from "../../emulator/agreement/values.ts";
import { SEED } from "../seed.ts";
import {
  COLLATION_KINDS,
  type CollationKind,
  collationKindsOf,
  createDatabases,
  type Database,
} from "./collations.ts";
import { findDifference, type SqlAnswer, sameAnswers, withoutProse } from "./compare.ts";
import { comparisonsIn, hasConstant } from "./parts.ts";
import { replaceRows } from "./rows.ts";
import { columnOf, FACTS } from "./schema.ts";
import { createEmulated } from "./serve.ts";
import { writeFaultSql, writeSql } from "./write-sql.ts";

/** The approximate number of queries. */
const RUNS = Number(process.env["RUNS"] ?? 8000);

/** Milliseconds. */
const PATIENCE = 600_000;

/** Without a row cap, and with a small one. */
const EMULATED = new Map([null, 3].map((cap) => [cap, createEmulated(cap)] as const));

let postgres: Postgres;
let databases: readonly Database[];
const asked = { questions: 0, comparisons: 0, refusals: 0 };
/** By collation: the number of different answers by kind of query. */
const depending = new Map<string, Map<CollationKind, number>>();

beforeAll(async () => {
  postgres = await startPostgres();
  databases = await createDatabases(postgres);
  say(`SEED=${SEED}, databases: ${databases.map(({ name }) => name).join("; ")}`);
}, PATIENCE);

afterAll(async () => {
  await postgres?.close();
  say(
    `${asked.questions} questions, ${asked.refusals} refused by both; ${asked.comparisons} comparisons with other collations.`,
  );
  for (const [name, kinds] of depending) {
    say(
      `${name}: ${[...kinds].map(([kind, count]) => `${count} ${kind}`).join(", ") || "no answer differs"}`,
    );
  }
});

describe(`the multichain executor and PostgreSQL, over the same rows (SEED=${SEED})`, () => {
  it(
    "return the same answers, and collations change only the listed kinds",
    async () => {
      await hold(
        fc.tuple(
          many(questionsOf(FACTS, 2, "multichain")),
          tablesOf(FACTS, "multichain"),
          fc.constantFrom(...EMULATED.keys()),
        ),
        Math.ceil(RUNS / 80),
        async ([some, tables, cap]) => {
          await replace(tables);
          // A row cap may keep any of several tied rows.
          for (const question of some) await compare(question, isOpen(question) ? null : cap, databases);
        },
      );
    },
    PATIENCE,
  );

  it.each(VALUES)(
    "compare and match values of %s equally",
    async (name) => {
      const column = columnOf("Thing", name);
      const isText = column.scalar === "String";
      const rows = drawn((random) => {
        const one = () => valueFor(random, column, "multichain");
        return random.some(1, 60, (index) =>
          rowHolding(column, column.list ? random.some(0, 3, one) : one(), index),
        );
      });
      await hold(
        fc.tuple(many(drawn((random) => testOf(random, column, "multichain"))), rows),
        Math.ceil(RUNS / (isText ? 200 : 640)),
        async ([tests, things]) => {
          await replace(new Map([["Thing", things]]));
          for (const question of [...ordersOf(column), ...tests.map((test) => filter(column, test))]) {
            await compare(question, null, isText ? databases : databases.slice(0, 1));
          }
        },
      );
    },
    PATIENCE,
  );

  it.each(WITNESSES)("return different answers for %s by collation", async (kind, question) => {
    await replace(
      new Map([["Thing", ["a", "B", "É", "é"].map((text, index) => rowHolding(WORDS, text, index))]]),
    );
    await compare(question, null, databases);
    expect(collationKindsOf(question)).toEqual([kind]);
    expect([...depending.values()].some((kinds) => kinds.has(kind))).toBe(true);
  });
});

/** A column of every type. */
const VALUES = [
  ...["words", "count", "big", "price", "cents", "ratio", "paid", "mood", "at", "data"],
  ...["tags", "sizes", "rates", "sums", "texts"],
];

const WHOLE: Page = { where: null, order: [], distinctOn: [], limit: null, offset: null };

/** The rows for which a comparison holds. */
function filter(column: Column, test: Test): Question {
  const page: Page = { ...WHOLE, where: { is: "column", column, tests: [test] } };
  return { is: "rows", entity: "Thing", page, of: [{ is: "column", column, path: null }] };
}

/** Rows in order, each value once, the least and the greatest, and how many there are. */
function ordersOf(column: Column): readonly Question[] {
  const of = [{ is: "column", column, path: null }] as const;
  const order = [{ path: [], aggregate: null, column, direction: "desc" }] as const;
  const distinct = { is: "count", columns: [column], distinct: true } as const;
  const extremes = ["min", "max"].map((operator) => ({ is: "value", operator, column }) as const);
  const values = isComparable(column) ? [distinct, ...extremes] : [distinct];
  return [
    { is: "rows", entity: "Thing", page: { ...WHOLE, order }, of },
    ...(isExact(column)
      ? [{ is: "rows", entity: "Thing", page: { ...WHOLE, distinctOn: [column] }, of } as const]
      : []),
    { is: "aggregate", entity: "Thing", page: WHOLE, of: { values, nodes: null } },
  ];
}

const WORDS = columnOf("Thing", "words");

/** A question of each kind whose answer depends on the collation. */
const WITNESSES = COLLATION_KINDS.map((kind, index) => {
  const [order, distinct, extremes] = ordersOf(WORDS);
  const tests = [
    ["_gt", "a"],
    ["_ilike", "é"],
    ["_regex", "^[[:alpha:]]"],
  ].map(([operator = "", text]) =>
    filter(WORDS, { operator, operand: JSON.stringify(text), sent: "literal" }),
  );
  return [kind, [order, distinct, extremes, ...tests][index] as Question] as const;
});

function many<T>(one: fc.Arbitrary<T>): fc.Arbitrary<readonly T[]> {
  return fc.array(one, { minLength: 1, maxLength: 40, size: "max" });
}

/** Tests a property, and reports the smallest case that breaks it, as far as the time allows. */
async function hold<T>(
  cases: fc.Arbitrary<T>,
  numRuns: number,
  holds: (one: T) => Promise<void>,
): Promise<void> {
  const { failed, counterexample, errorInstance, counterexamplePath } = await fc.check(
    fc.asyncProperty(cases, holds),
    { seed: SEED, numRuns, interruptAfterTimeLimit: 0.9 * PATIENCE, markInterruptAsFailure: true },
  );
  if (!failed) return;
  if (!(errorInstance instanceof Error)) throw new Error("The time ended before all cases were tried.");
  const [, rows] = (counterexample?.[0] ?? []) as readonly unknown[];
  const shown = JSON.stringify(rows instanceof Map ? [...rows] : rows);
  throw new Error(`${errorInstance.message}\nof ${shown}\n(SEED=${SEED}, path ${counterexamplePath})`, {
    cause: errorInstance,
  });
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function rowHolding(column: Column, value: RowValue, index: number): Row {
  const empty = entityOf(FACTS, "Thing").columns.map(({ name, required, list, scalar }) => [
    name,
    !required ? null : list ? [] : scalar === "String" ? "" : scalar === "Boolean" ? false : 0,
  ]);
  return { ...Object.fromEntries(empty), id: String(index), [column.name]: value } as Row;
}

async function replace(tables: Tables): Promise<void> {
  for (const emulated of EMULATED.values()) emulated.replace(tables);
  for (const database of databases) await database.query(replaceRows(tables));
}

async function compare(
  question: Question,
  cap: number | null,
  [own, ...others]: readonly Database[],
): Promise<void> {
  const body = askMultichain(question, FACTS);
  const sql = writeSql(question, cap);
  const wanted = await ask(own as Database, sql);
  asked.questions++;
  const answer = EMULATED.get(cap)?.ask(body) ?? { refused: "" };
  if ("refused" in answer) {
    const faults = await faultsOf(own as Database, question);
    if ("code" in wanted) asked.refusals++;
    // The database may report another error first, and does not evaluate what a constant decides.
    if (faults.has(withoutProse(answer.refused)) && ("code" in wanted || hasConstant(question))) return;
  }
  const difference = findDifference(question.is, answer, wanted);
  if (difference !== null) throw new Error(`${difference}\n${body}\n${sql}`);
  for (const other of others) {
    asked.comparisons++;
    if (sameAnswers(await ask(other, sql), wanted)) continue;
    const kinds = collationKindsOf(question);
    if (kinds.length === 0)
      throw new Error(`${other.name} answers something else than C.UTF-8.\n${body}\n${sql}`);
    const counts = depending.get(other.name) ?? new Map<CollationKind, number>();
    depending.set(other.name, counts);
    // Other kinds of the query may not matter.
    const [only] = kinds;
    if (only !== undefined && kinds.length === 1) counts.set(only, (counts.get(only) ?? 0) + 1);
  }
}

async function ask(database: Database, sql: string): Promise<SqlAnswer> {
  try {
    return { rows: (await database.query(sql)) as never };
  } catch (error) {
    const { code = "", message } = error as { readonly code?: string; readonly message: string };
    return { code, message };
  }
}

/** The result of PostgreSQL for each comparison alone. */
async function faultsOf(database: Database, question: Question): Promise<ReadonlySet<string>> {
  const faults = new Set<string>();
  for (const { compared, test } of comparisonsIn(question)) {
    const answer = await ask(database, writeFaultSql(compared, test));
    if ("code" in answer) faults.add(withoutProse(answer.message));
  }
  return faults;
}
