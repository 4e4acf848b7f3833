import fc from "fast-check";
import type {
  Aggregated,
  AggregateValue,
  Direction,
  Order,
  Page,
  Question,
  Selected,
  Where,
} from "./question.ts";
import { type Column, type Relation, TABLES, type Table, tableOf } from "./schema.ts";
import { operandsOf, testsOf } from "./tests.ts";

/** Queries of the schema with a single valid answer, for any plan of the database. */
export const questions: fc.Arbitrary<Question> = fc
  .constantFrom(...TABLES, ...TABLES.slice(1, 2))
  .chain((table): fc.Arbitrary<Question> => {
    const name = fc.constant(table.name);
    return fc.oneof(
      {
        weight: 8,
        arbitrary: fc.record({
          is: fc.constant("rows"),
          table: name,
          page: pages(table, 0),
          of: selections(table, 2),
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({
          is: fc.constant("aggregate"),
          table: name,
          page: pages(table, 1),
          of: aggregations(table),
        }),
      },
      {
        weight: 2,
        // Only the distinct columns are selected: without an order, any row may represent them.
        arbitrary: fc
          .tuple(
            fc.uniqueArray(fc.constantFrom(...table.columns.filter(isExact)), { minLength: 1, maxLength: 3 }),
            wheres(table, 2),
            limits,
            limits,
          )
          .map(([columns, where, limit, offset]) => ({
            is: "rows",
            table: table.name,
            page: { where, order: [], distinctOn: columns, limit, offset },
            of: columns.map((column) => ({ is: "column", column, path: null })),
          })),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          is: fc.constant("one"),
          table: name,
          key: fc.record({
            operator: fc.constant("_eq"),
            operand: operandsOf(idOf(table)),
            sent: fc.constantFrom("literal", "variable"),
          }),
          of: selections(table, 2),
        }),
      },
    ) as fc.Arbitrary<Question>;
  });

const limits = fc.option(fc.integer({ min: 0, max: 5 }), { nil: null, freq: 2 });

/** Below the root every order is total, because the answer does not show which rows tie. */
function pages(table: Table, depth: number): fc.Arbitrary<Page> {
  return fc
    .record({
      where: fc.option(wheres(table, 2 - depth), { nil: null, freq: 3 }),
      order: fc.array(orders(table, depth === 0), { maxLength: 3 }),
      distinctOn: fc.oneof<{ weight: number; arbitrary: fc.Arbitrary<Column[]> }[]>(
        { weight: 4, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.uniqueArray(fc.constantFrom(...table.columns), { maxLength: 2 }) },
      ),
      limit: limits,
      offset: limits,
      ties: fc.boolean(),
    })
    .map(({ order, distinctOn, ties, ...page }) => {
      const distinct = distinctOn.map(
        (column): Order => ({ path: [], aggregate: null, column, direction: "desc" }),
      );
      const last: Order = { path: [], aggregate: null, column: idOf(table), direction: "asc" };
      const open =
        depth === 0 && ties && distinct.length === 0 && page.limit === null && page.offset === null;
      const given = [...distinct, ...order];
      return { ...page, distinctOn, order: open ? given : [...given, last] };
    });
}

/** Whether equal values of a column are identical, unlike 1.0 and 1, or 0 and -0. */
export function isExact({ type }: Column): boolean {
  return !/numeric|double|jsonb/.test(type);
}

/** Whether rows of a list may tie. */
export function isOpen(question: Question): boolean {
  if (question.is !== "rows") return false;
  const last = question.page.order.at(-1);
  return last !== undefined && (last.path.length > 0 || last.column?.name !== "id");
}

const DIRECTIONS: readonly Direction[] = [
  "asc",
  "desc",
  "asc_nulls_first",
  "asc_nulls_last",
  "desc_nulls_first",
  "desc_nulls_last",
];

function orders(table: Table, root: boolean): fc.Arbitrary<Order> {
  const direction = fc.constantFrom(...DIRECTIONS);
  const own = fc.record({
    path: fc.constant([]),
    aggregate: fc.constant(null),
    column: fc.constantFrom(...table.columns),
    direction,
  });
  const choices: { weight: number; arbitrary: fc.Arbitrary<Order> }[] = [{ weight: 4, arbitrary: own }];
  const ones = table.relations.filter(({ many }) => !many);
  const manies = table.relations.filter(({ many }) => many);
  if (ones.length > 0) {
    choices.push({
      weight: root ? 1 : 0,
      arbitrary: fc.constantFrom(...ones).chain((relation) =>
        orders(tableOf(relation.target), false).map((order) => ({
          ...order,
          path: [relation, ...order.path],
        })),
      ),
    });
  }
  if (manies.length > 0) {
    choices.push({
      weight: 2,
      arbitrary: fc.constantFrom(...manies).chain((relation) =>
        fc.tuple(aggregateOrders(tableOf(relation.target)), direction).map(([[operator, column], way]) => ({
          path: [],
          aggregate: { relation, operator },
          column,
          direction: way,
        })),
      ),
    });
  }
  return fc.oneof(...choices);
}

function aggregateOrders(table: Table): fc.Arbitrary<readonly [string, Column | null]> {
  return fc.oneof(
    fc.constant(["count", null] as const),
    fc.tuple(fc.constantFrom("max", "min"), fc.constantFrom(...comparable(table))),
    fc.tuple(fc.constantFrom(...NUMERIC_OPERATORS), fc.constantFrom(...numeric(table))),
  );
}

const NUMERIC_OPERATORS = [
  "avg",
  "stddev",
  "stddev_pop",
  "stddev_samp",
  "sum",
  "var_pop",
  "var_samp",
  "variance",
] as const;

function comparable({ columns }: Table): readonly Column[] {
  return columns.filter(({ type, list }) => list || (type !== "boolean" && type !== "jsonb"));
}

function numeric({ columns }: Table): readonly Column[] {
  return columns.filter(({ scalar, list }) => !list && ["Int", "numeric", "float8"].includes(scalar));
}

function wheres(table: Table, depth: number): fc.Arbitrary<Where> {
  const columns =
    table.columns.length > 8 ? fc.constantFrom(...table.columns) : fc.constantFrom(...table.columns);
  const leaf: fc.Arbitrary<Where> = columns.chain((column) =>
    column.type === "jsonb"
      ? fc.oneof({ weight: 6, arbitrary: comparisons(column) }, { weight: 1, arbitrary: casts(column) })
      : comparisons(column),
  );
  if (depth <= 0) return leaf;
  const inner = wheres(table, depth - 1);
  const choices: { weight: number; arbitrary: fc.Arbitrary<Where> }[] = [
    { weight: 6, arbitrary: leaf },
    {
      weight: 2,
      arbitrary: fc.record({ is: fc.constantFrom("all", "any"), of: fc.array(inner, { maxLength: 3 }) }),
    },
    { weight: 1, arbitrary: fc.record({ is: fc.constant("not"), of: inner }) },
    {
      weight: 1,
      arbitrary: fc
        .uniqueArray(fc.constantFrom(...table.columns), { maxLength: 3 })
        .chain((some) => fc.tuple(...some.map(comparisons)))
        .map((of): Where => ({ is: "beside", of })),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom(...table.relations).chain((relation) =>
        fc.record({
          is: fc.constant("related"),
          relation: fc.constant(relation),
          of: fc.oneof(
            { weight: 5, arbitrary: wheres(tableOf(relation.target), depth - 1) },
            { weight: 1, arbitrary: fc.constant<Where>({ is: "beside", of: [] }) },
          ),
        }),
      ),
    },
  ];
  const manies = table.relations.filter(({ many }) => many);
  if (manies.length > 0)
    choices.push({
      weight: 2,
      arbitrary: fc.constantFrom(...manies).chain((relation) => predicates(relation, depth)),
    });
  return fc.oneof(...choices);
}

function comparisons(column: Column): fc.Arbitrary<Where> {
  return fc.record({
    is: fc.constant("column"),
    column: fc.constant(column),
    tests: fc
      .uniqueArray(testsOf(column), {
        minLength: 0,
        maxLength: 2,
        selector: ({ operator }) => operator,
        size: "max",
      })
      .filter((tests) => tests.length > 0),
  });
}

function casts(column: Column): fc.Arbitrary<Where> {
  const text = { type: "text", list: false, scalar: "String", sdl: "String" } as const;
  return testsOf(text).map((test) => ({ is: "cast", column, test }));
}

const FLOAT_OPERATORS = ["avg", "max", "min", "stddev_samp", "sum", "var_samp"] as const;

function predicates(relation: Relation, depth: number): fc.Arbitrary<Where> {
  const target = tableOf(relation.target);
  const floats = target.columns.filter(({ scalar, list }) => scalar === "float8" && !list);
  const flags = target.columns.filter(({ scalar }) => scalar === "Boolean");
  const shared = {
    is: fc.constant("aggregate"),
    relation: fc.constant(relation),
    distinct: fc.boolean(),
    filter: fc.option(wheres(target, depth - 1), { nil: null }),
  };
  const of = (
    operators: readonly string[],
    columns: fc.Arbitrary<readonly Column[]>,
    compared: Column | typeof COUNT,
  ) =>
    fc.record({
      ...shared,
      operator: fc.constantFrom(...operators),
      columns,
      compared: fc.constant(compared),
      test: testsOf(compared),
    });
  const one = (columns: readonly Column[]) => fc.constantFrom(...columns).map((column) => [column]);
  const choices = [of(["count"], fc.array(fc.constantFrom(...target.columns), { maxLength: 1 }), COUNT)];
  const [float, flag] = [floats[0], flags[0]];
  if (float !== undefined) {
    choices.push(
      of(FLOAT_OPERATORS, one(floats), float),
      of(["corr", "covar_samp"], fc.tuple(fc.constantFrom(...floats), fc.constantFrom(...floats)), float),
    );
  }
  if (flag !== undefined) choices.push(of(["bool_and", "bool_or"], one(flags), flag));
  return fc.oneof(...choices) as fc.Arbitrary<Where>;
}

const COUNT = { type: "integer", list: false, scalar: "Int", sdl: "Int" } as const;

function selections(table: Table, depth: number): fc.Arbitrary<readonly Selected[]> {
  const column = fc.constantFrom(...table.columns).chain(
    (one): fc.Arbitrary<Selected> =>
      fc.record({
        is: fc.constant("column"),
        column: fc.constant(one),
        path:
          one.type === "jsonb"
            ? fc.option(fc.array(fc.constantFrom("a", "b", "aa", "0", "1", "é"), { maxLength: 2 }), {
                nil: null,
              })
            : fc.constant(null),
      }),
  );
  const choices: { weight: number; arbitrary: fc.Arbitrary<Selected> }[] = [{ weight: 4, arbitrary: column }];
  if (depth > 0) {
    choices.push({
      weight: 2,
      arbitrary: fc.constantFrom(...table.relations).chain((relation): fc.Arbitrary<Selected> => {
        const target = tableOf(relation.target);
        const of = selections(target, depth - 1);
        if (!relation.many) return of.map((selected) => ({ is: "one", relation, of: selected }));
        return fc.oneof(
          fc
            .tuple(pages(target, 1), of)
            .map(([page, selected]): Selected => ({ is: "many", relation, page, of: selected })),
          fc
            .tuple(pages(target, 1), aggregations(target))
            .map(([page, values]): Selected => ({ is: "aggregate", relation, page, of: values })),
        );
      }),
    });
  }
  const id: Selected = { is: "column", column: idOf(table), path: null };
  return fc.array(fc.oneof(...choices), { maxLength: 3 }).map((some) => [id, ...some]);
}

function aggregations(table: Table): fc.Arbitrary<Aggregated> {
  const count = fc.record({
    is: fc.constant("count" as const),
    columns: fc.uniqueArray(fc.constantFrom(...table.columns), { maxLength: 2 }),
    distinct: fc.boolean(),
  });
  const value = fc.oneof(
    fc.record({
      is: fc.constant("value" as const),
      operator: fc.constantFrom("max", "min"),
      column: fc.constantFrom(...comparable(table)),
    }),
    fc.record({
      is: fc.constant("value" as const),
      operator: fc.constantFrom(...NUMERIC_OPERATORS),
      column: fc.constantFrom(...numeric(table)),
    }),
  );
  return fc.record({
    values: fc.array(fc.oneof<fc.Arbitrary<AggregateValue>[]>(count, value, value), {
      minLength: 1,
      maxLength: 3,
    }),
    nodes: fc.option(
      fc.array(
        fc.constantFrom(...table.columns).map((column): Selected => ({ is: "column", column, path: null })),
        { minLength: 1, maxLength: 2 },
      ),
      { nil: null },
    ),
  });
}

function idOf({ columns }: Table): Column {
  return columns[0] as Column;
}
