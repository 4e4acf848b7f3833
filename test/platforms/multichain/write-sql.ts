import type {
  Aggregated,
  AggregateValue,
  Compared,
  Order,
  Page,
  Predicate,
  Question,
  Selected,
  Test,
  Where,
} from "./question.ts";
import { quote } from "./rows.ts";
import { type Column, columnOf, type Relation } from "./schema.ts";

/**
 * A query as SQL with one column `answer`, as the platform writes it: comparisons as operators of PostgreSQL,
 * relationships as EXISTS, pages as subqueries whose rows become JSON. A list has one result row per row, and `tie` is
 * equal for rows that tie in the order.
 *
 * @param cap the maximum number of rows of a list, which does not limit aggregates.
 */
export function writeSql(question: Question, cap: number | null): string {
  let names = 0;
  const alias = () => `t${names++}`;

  function root(): string {
    const from = alias();
    const { table } = question;
    // Distinct rows are ordered even without an order.
    const isSorted = question.is === "rows" && question.page.distinctOn.length > 0;
    const tie = isSorted ? "place" : "tie";
    switch (question.is) {
      case "rows":
        return `SELECT ${tie} AS tie, ${object(from, question.of)} AS answer FROM (${page(table, question.page, null, cap)}) AS ${from} ORDER BY place`;
      case "aggregate":
        return `SELECT ${aggregated(table, question.page, null, question.of)} AS answer`;
      case "one":
        return `SELECT ${object(from, question.of)} AS answer FROM "${table}" AS ${from} WHERE ${compared(columnOf(table, "id"), `${from}."id"`, question.key)}`;
    }
  }

  function page(
    table: string,
    { where, order, distinctOn, limit, offset }: Page,
    join: string | null,
    most: number | null,
  ): string {
    const from = alias();
    const conditions = [
      ...(join === null ? [] : [join.replaceAll("$", from)]),
      ...(where === null ? [] : [condition(table, from, where)]),
    ];
    const terms = order.map((one) => term(from, one)).join(", ");
    const distinct = distinctOn.map(({ name }) => `${from}."${name}"`).join(", ");
    const least = limit === null ? most : most === null ? limit : Math.min(limit, most);
    const parts = [
      distinct === "" ? "SELECT" : `SELECT DISTINCT ON (${distinct})`,
      `${from}.*, ${terms === "" ? "0" : `dense_rank() OVER (ORDER BY ${terms})`} AS tie`,
      `FROM "${table}" AS ${from}`,
      conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`,
      terms === "" ? "" : `ORDER BY ${terms}`,
      least === null ? "" : `LIMIT ${least}`,
      offset === null ? "" : `OFFSET ${offset}`,
    ];
    return `SELECT *, row_number() OVER () AS place FROM (${parts.filter((part) => part !== "").join(" ")}) AS ${alias()}`;
  }

  function condition(table: string, from: string, where: Where): string {
    switch (where.is) {
      case "all":
      case "beside":
        return where.of.length === 0
          ? "TRUE"
          : `(${where.of.map((one) => condition(table, from, one)).join(" AND ")})`;
      case "any":
        return where.of.length === 0
          ? "FALSE"
          : `(${where.of.map((one) => condition(table, from, one)).join(" OR ")})`;
      case "not":
        return `(NOT ${condition(table, from, where.of)})`;
      case "column":
        return where.tests.length === 0
          ? "TRUE"
          : `(${where.tests.map((test) => compared(where.column, `${from}."${where.column.name}"`, test)).join(" AND ")})`;
      case "cast":
        return compared(TEXT, `(${from}."${where.column.name}")::text`, where.test);
      case "related": {
        const other = alias();
        const { target, own, theirs } = where.relation;
        return `EXISTS (SELECT 1 FROM "${target}" AS ${other} WHERE ${other}."${theirs}" = ${from}."${own}" AND ${condition(target, other, where.of)})`;
      }
      case "aggregate":
        return predicate(from, where.relation, where);
    }
  }

  function predicate(
    from: string,
    { target, own, theirs }: Relation,
    { operator, columns, distinct, filter, compared: kind, test }: Predicate,
  ): string {
    const [other, value] = [alias(), alias()];
    const filtered = filter === null ? "" : ` AND ${condition(target, other, filter)}`;
    const inner = call(
      operator,
      columns.map(({ name }) => `${other}."${name}"`),
      distinct,
    );
    return `EXISTS (SELECT 1 FROM (SELECT ${inner} AS v FROM "${target}" AS ${other} WHERE ${other}."${theirs}" = ${from}."${own}"${filtered}) AS ${value} WHERE ${compared(kind, `${value}.v`, test)})`;
  }

  function term(from: string, { path, aggregate, column, direction }: Order): string {
    const value = path.reduceRight<(from: string) => string>(
      (inner, { target, own, theirs }) =>
        (outer) => {
          const other = alias();
          return `(SELECT ${inner(other)} FROM "${target}" AS ${other} WHERE ${other}."${theirs}" = ${outer}."${own}")`;
        },
      (at) => {
        if (aggregate === null) return `${at}."${column?.name}"`;
        const { target, own, theirs } = aggregate.relation;
        const other = alias();
        const inner = call(aggregate.operator, column === null ? [] : [`${other}."${column.name}"`], false);
        return `(SELECT ${inner} FROM "${target}" AS ${other} WHERE ${other}."${theirs}" = ${at}."${own}")`;
      },
    )(from);
    return `${value} ${DIRECTIONS[direction]}`;
  }

  function object(from: string, of: readonly Selected[]): string {
    return `json_build_object(${of.map((selected, index) => `'k${index}', ${member(from, selected)}`).join(", ")})`;
  }

  function member(from: string, selected: Selected): string {
    if (selected.is === "column") {
      const { column, path } = selected;
      const value = `${from}."${column.name}"`;
      if (path !== null) return `(${value} #> ARRAY[${path.map(quote).join(", ")}]::text[])`;
      return asText(column) ? `(${value})::text` : value;
    }
    const { target, own, theirs } = selected.relation;
    const join = `$."${theirs}" = ${from}."${own}"`;
    const other = alias();
    switch (selected.is) {
      case "one":
        return `(SELECT ${object(other, selected.of)} FROM "${target}" AS ${other} WHERE ${join.replaceAll("$", other)})`;
      case "many":
        return `(SELECT coalesce(json_agg(${object(other, selected.of)} ORDER BY place), '[]') FROM (${page(target, selected.page, join, cap)}) AS ${other})`;
      case "aggregate":
        return aggregated(target, selected.page, join, selected.of);
    }
  }

  function aggregated(table: string, rows: Page, join: string | null, { values, nodes }: Aggregated): string {
    const from = alias();
    const members = values.map((value, index) => `'k${index}', ${aggregateValue(from, value)}`);
    const parts = [`'aggregate', json_build_object(${members.join(", ")})`];
    if (nodes !== null) {
      const shown = cap === null ? "" : ` FILTER (WHERE place <= ${cap})`;
      parts.push(`'nodes', coalesce(json_agg(${object(from, nodes)} ORDER BY place)${shown}, '[]')`);
    }
    return `(SELECT json_build_object(${parts.join(", ")}) FROM (${page(table, rows, join, null)}) AS ${from})`;
  }

  function aggregateValue(from: string, value: AggregateValue): string {
    if (value.is === "count") {
      return call(
        "count",
        value.columns.map(({ name }) => `${from}."${name}"`),
        value.distinct,
      );
    }
    const { column, operator } = value;
    const inner = call(operator, [`${from}."${column.name}"`], false);
    return `json_build_object('v', ${asText(column) ? `(${inner})::text` : inner})`;
  }

  return root();
}

/** A comparison that fails only if its operand does. */
export function writeFaultSql(kind: Compared, test: Test): string {
  // Without any value, PostgreSQL does not parse the pattern.
  const value =
    kind.type === "text" && !kind.list ? "''::text" : `NULL::${kind.type}${kind.list ? "[]" : ""}`;
  return `SELECT ${compared(kind, `(${value})`, test)} AS answer`;
}

function call(operator: string, columns: readonly string[], distinct: boolean): string {
  if (operator !== "count") return `${operator}(${distinct ? "DISTINCT " : ""}${columns.join(", ")})`;
  if (columns.length === 0) return "count(*)";
  return `count(${distinct ? "DISTINCT " : ""}${columns.length === 1 ? columns[0] : `(${columns.join(", ")})`})`;
}

/** Numbers that are sent as strings, with all their digits. */
function asText({ scalar, list }: Column): boolean {
  return !list && (scalar === "numeric" || scalar === "float8");
}

const TEXT: Compared = { type: "text", list: false, scalar: "String" };

const DIRECTIONS = {
  asc: "ASC NULLS LAST",
  desc: "DESC NULLS FIRST",
  asc_nulls_first: "ASC NULLS FIRST",
  asc_nulls_last: "ASC NULLS LAST",
  desc_nulls_first: "DESC NULLS FIRST",
  desc_nulls_last: "DESC NULLS LAST",
} as const;

const OPERATORS: Readonly<Record<string, string>> = {
  _eq: "=",
  _neq: "<>",
  _gt: ">",
  _gte: ">=",
  _lt: "<",
  _lte: "<=",
  _like: "LIKE",
  _nlike: "NOT LIKE",
  _ilike: "ILIKE",
  _nilike: "NOT ILIKE",
  _similar: "SIMILAR TO",
  _nsimilar: "NOT SIMILAR TO",
  _regex: "~",
  _nregex: "!~",
  _iregex: "~*",
  _niregex: "!~*",
  _contains: "@>",
  _contained_in: "<@",
  _has_key: "?",
  _has_keys_all: "?&",
  _has_keys_any: "?|",
};

/** The operators whose operand is a text for any type. */
const OF_TEXT = new Set([
  "_has_key",
  ...Object.keys(OPERATORS).filter((name) => /like|similar|regex/.test(name)),
]);

function compared(kind: Compared, value: string, { operator, operand }: Test): string {
  // The platform does not know the precision of a column's type.
  const type = `${kind.type.replace(/\(.*/, "")}${kind.list ? "[]" : ""}`;
  if (operator === "_is_null") return `(${value} IS ${operand === "true" ? "" : "NOT "}NULL)`;
  if (operator === "_in") return `(${value} = ANY (${literal(operand, `${type}[]`)}))`;
  if (operator === "_nin") return `(${value} <> ALL (${literal(operand, `${type}[]`)}))`;
  const wanted = OF_TEXT.has(operator) ? "text" : operator.startsWith("_has_keys") ? "text[]" : type;
  return `(${value} ${OPERATORS[operator]} ${literal(operand, wanted)})`;
}

/** An operand as a parameter of the platform. */
function literal(operand: string, type: string): string {
  if (type === "jsonb") return `${quote(operand)}::jsonb`;
  if (type.endsWith("[]") && operand.startsWith("[")) {
    const items = splitItems(operand).map((item) => (item === "null" ? "NULL" : quote(textOf(item))));
    return `ARRAY[${items.join(", ")}]::${type}`;
  }
  return `${quote(textOf(operand))}::${type}`;
}

/** The text that PostgreSQL reads: the content of a string, or the digits of a number. */
function textOf(json: string): string {
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

/** The texts of the items of a flat JSON list. */
function splitItems(list: string): readonly string[] {
  return list.match(/"(?:[^"\\]|\\.)*"|[^\s,[\]]+/gs) ?? [];
}
