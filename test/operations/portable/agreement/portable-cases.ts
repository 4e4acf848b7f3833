import fc from "fast-check";
import { enlargeTables } from "../../../emulator/agreement/enlarge-tables.ts";
import type { EntityFacts } from "../../../emulator/agreement/facts.ts";
import type { Question } from "../../../emulator/agreement/question.ts";
import { questionsOf } from "../../../emulator/agreement/questions.ts";
import { type Tables, tablesOf } from "../../../emulator/agreement/tables.ts";
import { createChoices } from "./choices.ts";
import { dressOperation, type RandomOperation } from "./dress-operation.ts";
import type { World } from "./portable-world.ts";
import { withoutLost } from "./rows-on-chains.ts";

/** Rows, and operations to run on them. */
export type Case = { readonly tables: Tables; readonly operations: readonly RandomOperation[] };

/** More rows than a list returns by default. */
const MANY = 130;

/** Random rows and random operations of a world's entities. */
export function casesOf(world: World, count: number): fc.Arbitrary<Case> {
  return fc
    .tuple(rowsOf(world), operationsOf(world, count))
    .map(([tables, operations]) => ({ tables, operations }));
}

/** Random rows; now and then, more rows of an entity than a list returns by default. */
export function rowsOf({ facts }: World): fc.Arbitrary<Tables> {
  return fc.tuple(tablesOf(facts), fc.nat(2)).map(([tables, size]) =>
    withoutLost(size === 2 ? enlargeTables(tables, MANY) : tables, "Page", {
      entity: "Log",
      field: "page",
    }),
  );
}

/** Random operations of a given number. */
export function operationsOf({ facts, context }: World, count: number): fc.Arbitrary<RandomOperation[]> {
  const asked = new Map(
    [...facts].flatMap(([name, entity]) => (name === "Lonely" ? [] : [[name, usable(entity)]])),
  );
  const shallow = questionsOf(asked, 1);
  const questions: fc.Arbitrary<readonly Question[]> = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(shallow) },
    { weight: 2, arbitrary: fc.array(shallow, { minLength: 2, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.tuple(questionsOf(asked, 2)) },
  );
  const one = fc.tuple(questions, fc.array(fc.nat(9999), { maxLength: 100, size: "max" }));
  // Shrinking can remove each operation that does not fail.
  const some = fc.array(fc.option(one, { freq: 100_000 }), { minLength: count, maxLength: count });
  return some.map((operations) =>
    operations.flatMap((given: [readonly Question[], number[]] | null, index) => {
      if (given === null) return [];
      const { graphql } = context.schemas.subgraph;
      return dressOperation(`Q${index}`, given[0], asked, graphql, createChoices(given[1]));
    }),
  );
}

/** Removes fields whose names end like operators, or equal another field plus an operator: few queries can use them. */
function usable(entity: EntityFacts): EntityFacts {
  return {
    ...entity,
    columns: entity.columns.filter(({ name }) => !/^amount|__/.test(name)),
  };
}
