import type { Postgres, PostgresClient } from "../../../packages/graph-node/src/index.ts";
import type { Column } from "../../emulator/agreement/facts.ts";
import type { Question } from "../../emulator/agreement/question.ts";
import { comparisonsIn, orderedIn } from "./parts.ts";
import { CREATE_TABLES } from "./rows.ts";

/** A collation of a database, and the SQL that creates the database. */
type Collation = { readonly name: string; readonly sql: string };

/**
 * The collation of the emulator: texts in byte order, and upper and lower case in all scripts, like C.UTF-8 of the C
 * library.
 */
const EMULATED: Collation = { name: "C.UTF-8", sql: "LC_COLLATE 'C' LC_CTYPE 'C.utf8'" };

/** Other collations of hosted databases. That of the C library requires an installed locale. */
const OTHERS: readonly Collation[] = [
  { name: "C", sql: "LC_COLLATE 'C' LC_CTYPE 'C'" },
  { name: "en_US.UTF-8 of the C library", sql: "LC_COLLATE 'en_US.UTF-8' LC_CTYPE 'en_US.UTF-8'" },
  { name: "en-US of ICU", sql: "LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C'" },
  { name: "und of ICU", sql: "LOCALE_PROVIDER icu ICU_LOCALE 'und' LOCALE 'C'" },
];

export type Database = PostgresClient & { readonly name: string };

/** Creates a database with empty tables for each available collation, that of the emulator first. */
export async function createDatabases(postgres: Postgres): Promise<readonly Database[]> {
  const databases: Database[] = [];
  for (const [index, { name, sql }] of [EMULATED, ...OTHERS].entries()) {
    try {
      await postgres.query(`CREATE DATABASE collation${index} TEMPLATE template0 ${sql}`);
    } catch (error) {
      if (index === 0 || !/invalid LC_COLLATE|could not be|not recognized/.test(String(error))) throw error;
      process.stdout.write(`${name} is not installed on this machine, so nothing is asked of it.\n`);
      continue;
    }
    const client = postgres.connect(`collation${index}`);
    await client.query(SETTINGS);
    await client.query(CREATE_TABLES);
    databases.push({ ...client, name });
  }
  return databases;
}

/** Rows are read in the order they were written, so that both sides use the same order. */
const SETTINGS = [
  "timezone = 'UTC'",
  ...["hashjoin", "mergejoin", "indexscan", "bitmapscan", "presorted_aggregate"].map(
    (plan) => `enable_${plan} = off`,
  ),
  "max_parallel_workers_per_gather = 0",
  "jit = off",
]
  .map((setting) => `SET ${setting}`)
  .join("; ");

/** All kinds of queries whose answer depends on the collation, as listed in docs/styles.md. */
export const COLLATION_KINDS = [
  "order_by a text, a list of texts or JSON",
  "distinct_on one of these without an order_by",
  "min and max of these",
  "_gt, _gte, _lt and _lte of these",
  "_ilike and _iregex beyond ASCII",
  "_regex and _similar by classes of characters beyond ASCII",
] as const;

export type CollationKind = (typeof COLLATION_KINDS)[number];

/** Returns the kinds of a query. */
export function collationKindsOf(question: Question): readonly CollationKind[] {
  const [order, distinct, extreme, comparison, letterCase, classes] = COLLATION_KINDS;
  const kinds = new Set<CollationKind>();
  for (const { compared, by } of orderedIn(question)) {
    if (isText(compared)) kinds.add({ order, distinct, extreme }[by]);
  }
  for (const { compared, test } of comparisonsIn(question)) {
    const { operator, operand } = test;
    if (/^_[gl]te?$/.test(operator) && isText(compared)) kinds.add(comparison);
    if (/^_n?i(?:like|regex)$/.test(operator)) kinds.add(letterCase);
    if (/regex|similar/.test(operator) && /\\[wWdDsSmMyY]|\[:|\[\^?\[/.test(operand)) kinds.add(classes);
    if (/regex/.test(operator) && /\(\?[a-z]*i/.test(operand)) kinds.add(letterCase);
  }
  return [...kinds];
}

function isText({ scalar }: Column): boolean {
  return scalar === "String" || scalar === "jsonb";
}
