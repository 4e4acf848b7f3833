import fc from "fast-check";
import type { Column, EntityFacts } from "./facts.ts";
import type { Condition, Operand, Order, Page, Question, Selected } from "./question.ts";
import { type Value, valuesOf } from "./values.ts";

type Facts = ReadonlyMap<string, EntityFacts>;

/**
 * Generates questions about a schema to which both specifications give the same answer.
 *
 * @param depth the maximum depth of relations.
 */
export function questionsOf(facts: Facts, depth = 2): fc.Arbitrary<Question> {
  return fc.constantFrom(...facts.keys()).chain((entity) => {
    const of = selections(entity, facts, depth);
    return fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          is: fc.constant("page" as const),
          entity: fc.constant(entity),
          page: pages(entity, facts, 0),
          of,
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          is: fc.constant("one" as const),
          entity: fc.constant(entity),
          id: operands(entityOf(facts, entity).id),
          of,
        }),
      },
    );
  });
}

function pages(entity: string, facts: Facts, depth: number): fc.Arbitrary<Page> {
  return fc.record({
    condition: fc.option(conditions(entity, facts, 3 - depth, true), { nil: null, freq: 6 }),
    order: fc.option(orders(entity, facts, depth === 0), { nil: null, freq: 4 }),
    first: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.constant(1000)),
    skip: fc.oneof(
      { weight: 3, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 8 }) },
    ),
  });
}

/** Excludes enums, lists and references, which one style refuses; fields of references are allowed only at the root. */
function orders(entity: string, facts: Facts, root: boolean): fc.Arbitrary<Order> {
  const sortable = (name: string) =>
    entityOf(facts, name).columns.filter(
      ({ kind, list, target }) => kind !== "enum" && !list && target === null,
    );
  const own = sortable(entity).map(({ name }) => ({ reference: null, column: name }));
  const others = root
    ? entityOf(facts, entity).columns.flatMap(({ name, target, list }) =>
        // Ordered by the id of a reference, a subgraph does not define the order of ties.
        target === null || list
          ? []
          : sortable(target)
              .filter((column) => column.name !== "id")
              .map((column) => ({ reference: name, column: column.name })),
      )
    : [];
  return fc
    .tuple(fc.constantFrom<Omit<Order, "descending">>(...own, ...own, ...others), fc.boolean())
    .map(([order, descending]) => ({ ...order, descending }));
}

/** Related conditions are never nested, because subgraphs support only one level. */
function conditions(entity: string, facts: Facts, depth: number, outside: boolean): fc.Arbitrary<Condition> {
  const { columns, lists } = entityOf(facts, entity);
  const leaf = fc.constantFrom(...columns).chain(columnConditions);
  if (depth <= 0) return leaf;
  const inner = conditions(entity, facts, depth - 1, outside);
  const choices: { weight: number; arbitrary: fc.Arbitrary<Condition> }[] = [
    { weight: 4, arbitrary: leaf },
    {
      weight: 2,
      arbitrary: fc.record({
        is: fc.constantFrom("all" as const, "any" as const),
        of: fc.array(inner, { maxLength: 3 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc
        .uniqueArray(fc.constantFrom(...columns), {
          minLength: 1,
          maxLength: 3,
          selector: ({ name }) => name,
        })
        .chain((some) => fc.tuple(...some.map(columnConditions)))
        .map((of): Condition => ({ is: "beside", of })),
    },
  ];
  const related = [
    ...columns.flatMap(({ name, target, list }) =>
      target === null || list ? [] : [{ field: name, target }],
    ),
    ...lists.map(({ name, target }) => ({ field: name, target })),
  ];
  if (outside && related.length > 0) {
    choices.push({
      weight: 2,
      arbitrary: fc
        .constantFrom(...related)
        .chain(({ field, target }) =>
          fc
            .oneof(
              { weight: 6, arbitrary: conditions(target, facts, depth - 1, false) },
              { weight: 1, arbitrary: fc.constant<Condition>({ is: "beside", of: [] }) },
            )
            .map((condition): Condition => ({ is: "related", field, condition })),
        ),
    });
  }
  return fc.oneof(...choices);
}

function columnConditions(column: Column): fc.Arbitrary<Condition> {
  const { kind, list, target, required } = column;
  const choices: fc.Arbitrary<Condition>[] = [];
  if (!required) {
    choices.push(fc.boolean().map((negated) => ({ is: "null", column, negated })));
  }
  if (list) {
    choices.push(
      fc.record({
        is: fc.constant("compared"),
        column: fc.constant(column),
        operator: fc.constantFrom("equals", "not"),
        operand: listOperands(column, 0),
      }),
      fc.record({
        is: fc.constant("holding"),
        column: fc.constant(column),
        operand: listOperands(column, 0),
      }),
    );
    return fc.oneof(...choices);
  }
  const ordered = kind !== "Boolean" && kind !== "enum";
  choices.push(
    fc.record({
      is: fc.constant("compared"),
      column: fc.constant(column),
      operator: ordered
        ? fc.constantFrom("equals", "not", "gt", "gte", "lt", "lte")
        : fc.constantFrom("equals", "not"),
      operand: operands(column),
    }),
    fc.record({
      is: fc.constant("compared"),
      column: fc.constant(column),
      operator: fc.constant("in"),
      operand: listOperands(column, 0),
    }),
    // For an empty list the styles return opposite results.
    fc.record({
      is: fc.constant("compared"),
      column: fc.constant(column),
      operator: fc.constant("not_in"),
      operand: listOperands(column, 1),
    }),
  );
  if (kind === "String" || (target !== null && kind === "ID")) {
    choices.push(
      fc.record({
        is: fc.constant("like"),
        column: fc.constant(column),
        operator: fc.constantFrom(
          "contains",
          "not_contains",
          "starts_with",
          "not_starts_with",
          "ends_with",
          "not_ends_with",
        ),
        nocase: fc.boolean(),
        operand: operands(column, safePattern),
      }),
    );
  }
  return fc.oneof(...choices);
}

/** Excludes patterns with a wildcard or a backslash at an end, which subgraphs treat differently. */
function safePattern(value: Value): boolean {
  return !/^[%\\]|[%\\]$/.test(String(value));
}

function operands(column: Column, accepts: (value: Value) => boolean = () => true): fc.Arbitrary<Operand> {
  return fc.record({ value: valuesOf(column).filter(accepts), sent: fc.constantFrom("literal", "variable") });
}

function listOperands(column: Column, minLength: number): fc.Arbitrary<Operand> {
  return fc.record({
    value: fc.array(valuesOf(column) as fc.Arbitrary<string | number>, { minLength, maxLength: 4 }),
    sent: fc.constantFrom("literal", "variable"),
  });
}

function selections(entity: string, facts: Facts, depth: number): fc.Arbitrary<readonly Selected[]> {
  const { columns, lists } = entityOf(facts, entity);
  const choices: fc.Arbitrary<Selected>[] = [
    fc
      .constantFrom(...columns.filter(({ target }) => target === null))
      .map((column) => ({ is: "column", key: "", column })),
    fc.constant({ is: "typename", key: "" }),
  ];
  if (depth > 0) {
    const references = columns.filter(({ target, list }) => target !== null && !list);
    if (references.length > 0) {
      choices.push(
        fc
          .constantFrom(...references)
          .chain((column) =>
            selections(column.target ?? "", facts, depth - 1).map(
              (of): Selected => ({ is: "reference", key: "", field: column.name, of }),
            ),
          ),
      );
    }
    if (lists.length > 0) {
      choices.push(
        fc
          .constantFrom(...lists)
          .chain(({ name, target }) =>
            fc
              .tuple(pages(target, facts, 1), selections(target, facts, depth - 1))
              .map(([page, of]): Selected => ({ is: "list", key: "", field: name, page, of })),
          ),
      );
    }
  }
  // The id identifies the row of a difference.
  const id: Selected = { is: "column", key: "", column: entityOf(facts, entity).id };
  return fc
    .array(fc.oneof(...choices), { maxLength: 4 })
    .map((some) => [id, ...some].map((selected, index) => ({ ...selected, key: `k${index}` })));
}

function entityOf(facts: Facts, name: string): EntityFacts {
  const entity = facts.get(name);
  if (!entity) throw new Error(`There is no entity ${name}.`);
  return entity;
}
