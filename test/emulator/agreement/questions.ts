import type fc from "fast-check";
import { COUNT, type Column, type EntityFacts, entityOf, type Facts, type Relation, TEXT } from "./facts.ts";
import type {
  Aggregated,
  AggregateValue,
  Direction,
  Order,
  Page,
  Question,
  Root,
  Selected,
  Where,
} from "./question.ts";
import { drawn, type Random } from "./random.ts";
import { keyTestOf, testOf } from "./tests.ts";
import type { Scope } from "./values.ts";

/**
 * Generates questions about a schema with a single valid answer: for any plan of a database, and if they are for both
 * styles, by both specifications.
 *
 * @param depth the maximum depth of relations.
 */
export function questionsOf(facts: Facts, depth = 2, scope: Scope = "both"): fc.Arbitrary<Question> {
  return drawn((random) => writeQuestion(random, { facts, scope }, depth));
}

function writeQuestion(
  random: Random,
  { facts, scope }: { facts: Facts; scope: Scope },
  depth: number,
): Question {
  const isAny = scope === "multichain";
  const { pick, chance, some, weighted } = random;
  const all = [...facts.values()];

  function question(): Question {
    const large = all.filter(({ columns }) => columns.length > 8);
    const entity = pick(isAny ? [...all, ...large] : all);
    const root = weighted<Root>(
      [isAny ? 8 : 5, () => ({ is: "rows", page: page(entity, 0), of: selection(entity, depth) })],
      [isAny ? 3 : 0, () => ({ is: "aggregate", page: page(entity, 1), of: aggregation(entity) })],
      [isAny ? 2 : 0, () => distinct(entity)],
      [1, () => ({ is: "one", key: keyTestOf(random, entity.id, scope), of: selection(entity, depth) })],
    );
    return { entity: entity.name, ...root };
  }

  /** Only the distinct columns are selected: without an order, any row may represent them. */
  function distinct(entity: EntityFacts): Root {
    const columns = random.distinct(entity.columns.filter(isExact), 1, 3);
    return {
      is: "rows",
      page: { where: where(entity, 2), order: [], distinctOn: columns, limit: limit(), offset: limit() },
      of: columns.map((column) => ({ is: "column", column, path: null })),
    };
  }

  function limit(): number | null {
    return chance(0.5) ? random.below(6) : null;
  }

  function page(entity: EntityFacts, depth: number): Page {
    if (isAny) return anyPage(entity, depth === 0);
    const [first] = chance(0.75) ? [sharedOrder(entity, depth === 0)] : [];
    return {
      where: chance(0.85) ? where(entity, 3 - depth) : null,
      order: [...(first ? [first] : []), by(entity.id, first?.direction ?? "asc")],
      distinctOn: [],
      limit: chance(0.5) ? 1000 : 1 + random.below(10),
      offset: chance(0.25) ? 1 + random.below(8) : 0,
    };
  }

  /** Excludes enums, lists and references, which one style refuses; fields of references are allowed only at the root. */
  function sharedOrder({ columns, references }: EntityFacts, isRoot: boolean): Order {
    const direction = pick(["asc", "desc"] as const);
    const isSortable = ({ kind, list, target }: Column) => kind !== "enum" && !list && target === null;
    const orders = columns.filter(isSortable).map((column) => by(column, direction));
    const through = (isRoot ? references : []).flatMap((relation) =>
      // Ordered by the id of a reference, a subgraph does not define the order of ties.
      entityOf(facts, relation.target)
        .columns.slice(1)
        .filter(isSortable)
        .map((column) => ({ ...by(column, direction), path: [relation] })),
    );
    return pick([...orders, ...orders, ...through]);
  }

  /** Below the root every order is total, because the answer does not show which rows tie. */
  function anyPage(entity: EntityFacts, isRoot: boolean): Page {
    const condition = chance(0.8) ? where(entity, isRoot ? 2 : 1) : null;
    const distinctOn = chance(0.2) ? random.distinct(entity.columns, 0, 2) : [];
    const order = [
      ...distinctOn.map((column) => by(column, "desc")),
      ...some(0, 3, () => anyOrder(entity, isRoot)),
    ];
    const page = { where: condition, order, distinctOn, limit: limit(), offset: limit() };
    const canTie = isRoot && distinctOn.length === 0 && page.limit === null && page.offset === null;
    return canTie && chance(0.5) ? page : { ...page, order: [...order, by(entity.id, "asc")] };
  }

  function anyOrder({ columns, references, lists }: EntityFacts, isRoot: boolean): Order {
    const direction = pick(DIRECTIONS);
    const through = () => {
      const relation = pick(references);
      const order = anyOrder(entityOf(facts, relation.target), false);
      return { ...order, path: [relation, ...order.path] };
    };
    const byAggregate = (): Order => {
      const relation = pick(lists);
      const [operator, column] = chance(0.3)
        ? ["count", null]
        : aggregateOf(entityOf(facts, relation.target));
      return { path: [], aggregate: { relation, operator }, column, direction };
    };
    return weighted<Order>(
      [4, () => by(pick(columns), direction)],
      [isRoot && references.length > 0 ? 1 : 0, through],
      [lists.length > 0 ? 2 : 0, byAggregate],
    );
  }

  function aggregateOf({ columns }: EntityFacts): readonly [operator: string, column: Column] {
    const numbers = columns.filter(
      ({ scalar, list }) => !list && ["Int", "numeric", "float8"].includes(scalar),
    );
    return chance(0.5)
      ? [pick(["max", "min"]), pick(columns.filter(isComparable))]
      : [pick(NUMERIC), pick(numbers)];
  }

  /** Subgraphs support related conditions only at one level. */
  function where(entity: EntityFacts, depth: number, isRelated = false): Where {
    const { columns, references, lists } = entity;
    const leaf = () => condition(pick(columns));
    if (depth <= 0) return leaf();
    const inner = () => where(entity, depth - 1, isRelated);
    const relations = isAny || !isRelated ? [...references, ...lists] : [];
    const related = (): Where => {
      const relation = pick(relations);
      if (chance(0.15)) return { is: "related", relation, of: { is: "beside", of: [] } };
      return { is: "related", relation, of: where(entityOf(facts, relation.target), depth - 1, true) };
    };
    return weighted<Where>(
      [isAny ? 6 : 4, leaf],
      [2, () => ({ is: pick(["all", "any"]), of: some(0, 3, inner) })],
      [isAny ? 1 : 0, () => ({ is: "not", of: inner() })],
      [1, () => ({ is: "beside", of: random.distinct(columns, isAny ? 0 : 1, 3).map(comparison) })],
      [relations.length > 0 ? 2 : 0, related],
      [isAny && lists.length > 0 ? 2 : 0, () => predicate(pick(lists), depth)],
    );
  }

  function condition(column: Column): Where {
    if (column.kind !== "Json" || chance(0.7)) return comparison(column);
    return { is: "cast", column, test: testOf(random, TEXT, scope) };
  }

  function comparison(column: Column): Where {
    const tests = some(1, isAny ? 2 : 1, () => testOf(random, column, scope));
    return { is: "column", column, tests: [...new Map(tests.map((test) => [test.operator, test])).values()] };
  }

  function predicate(relation: Relation, depth: number): Where {
    const { columns } = entityOf(facts, relation.target);
    const floats = columns.filter(({ kind, list }) => kind === "Float" && !list);
    const flags = columns.filter(({ kind }) => kind === "Boolean");
    const of = (operator: string, over: readonly Column[], compared: Column): Where => ({
      is: "aggregate",
      relation,
      operator,
      columns: over,
      compared,
      distinct: chance(0.5),
      filter: chance(0.8) ? where(entityOf(facts, relation.target), depth - 1) : null,
      test: testOf(random, compared, scope),
    });
    const pairs = () => of(pick(["corr", "covar_samp"]), [pick(floats), pick(floats)], pick(floats));
    return weighted(
      [1, () => of("count", chance(0.5) ? [pick(columns)] : [], COUNT)],
      [floats.length > 0 ? 1 : 0, () => of(pick(FLOAT_OPERATORS), [pick(floats)], pick(floats))],
      [floats.length > 0 ? 1 : 0, pairs],
      [flags.length > 0 ? 1 : 0, () => of(pick(["bool_and", "bool_or"]), [pick(flags)], pick(flags))],
    );
  }

  function selection(entity: EntityFacts, depth: number): readonly Selected[] {
    const { name, id, references, lists } = entity;
    const columns = entity.columns.filter(({ target }) => isAny || target === null);
    const more = some(0, isAny ? 3 : 4, () =>
      weighted<Selected>(
        [isAny ? 4 : 1, () => selected(pick(columns))],
        [1, () => ({ is: "typename", entity: name })],
        [depth > 0 && references.length > 0 ? 1 : 0, () => related(pick(references), depth - 1)],
        [depth > 0 && lists.length > 0 ? 1 : 0, () => related(pick(lists), depth - 1)],
      ),
    );
    // The id identifies the row of a difference.
    return [{ is: "column", column: id, path: null }, ...more];
  }

  function selected(column: Column): Selected {
    const path =
      column.kind === "Json" && chance(0.8) ? some(0, 2, () => pick(["a", "b", "aa", "0", "1", "é"])) : null;
    return { is: "column", column, path };
  }

  function related(relation: Relation, depth: number): Selected {
    const target = entityOf(facts, relation.target);
    if (!relation.many) return { is: "one", relation, of: selection(target, depth) };
    if (isAny && chance(0.5))
      return { is: "aggregate", relation, page: page(target, 1), of: aggregation(target) };
    return { is: "many", relation, page: page(target, 1), of: selection(target, depth) };
  }

  function aggregation(entity: EntityFacts): Aggregated {
    const value = (): AggregateValue => {
      if (chance(0.3))
        return { is: "count", columns: random.distinct(entity.columns, 0, 2), distinct: chance(0.5) };
      const [operator, column] = aggregateOf(entity);
      return { is: "value", operator, column };
    };
    const node = (): Selected => ({ is: "column", column: pick(entity.columns), path: null });
    return { values: some(1, 3, value), nodes: chance(0.8) ? some(1, 2, node) : null };
  }

  return question();
}

function by(column: Column, direction: Direction): Order {
  return { path: [], aggregate: null, column, direction };
}

/** Whether equal values of a column are identical, unlike 1.0 and 1, or 0 and -0. */
export function isExact({ scalar }: Column): boolean {
  return !/numeric|float8|jsonb/.test(scalar);
}

/** Whether a column has a least and a greatest value. */
export function isComparable({ kind, list }: Column): boolean {
  return list || (kind !== "Boolean" && kind !== "Json");
}

/** Whether rows of a list may tie. */
export function isOpen(question: Question): boolean {
  if (question.is !== "rows") return false;
  const last = question.page.order.at(-1);
  return last !== undefined && (last.path.length > 0 || last.column?.name !== "id");
}

const DIRECTIONS = [
  "asc",
  "desc",
  "asc_nulls_first",
  "asc_nulls_last",
  "desc_nulls_first",
  "desc_nulls_last",
] as const;
const NUMERIC = ["avg", "stddev", "stddev_pop", "stddev_samp", "sum", "var_pop", "var_samp", "variance"];
const FLOAT_OPERATORS = ["avg", "max", "min", "stddev_samp", "sum", "var_samp"];
