import { type Column, columnName, entityOf, type Relation, TEXT } from "../../emulator/agreement/facts.ts";
import type {
  Aggregated,
  AggregateValue,
  Order,
  Page,
  Question,
  Selected,
  Test,
  Where,
} from "../../emulator/agreement/question.ts";
import { quote, sqlType } from "./rows.ts";
import { FACTS } from "./schema.ts";

/** A table, and the condition on the alias of its rows. */
type Source = { readonly table: string; readonly join: (alias: string) => string };

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
    const { entity } = question;
    const source: Source = { table: entity, join: () => "TRUE" };
    switch (question.is) {
      case "rows": {
        // Distinct rows are ordered even without an order.
        const tie = question.page.distinctOn.length > 0 ? "place" : "tie";
        const rows = page(source, question.page, cap);
        return `SELECT ${tie} AS tie, ${object(from, question.of)} AS answer FROM (${rows}) AS ${from} ORDER BY place`;
      }
      case "aggregate":
        return `SELECT ${aggregated(source, question.page, question.of)} AS answer`;
      case "one": {
        const { id } = entityOf(FACTS, entity);
        const key = compared(id, `${from}."id"`, question.key);
        return `SELECT ${object(from, question.of)} AS answer FROM "${entity}" AS ${from} WHERE ${key}`;
      }
    }
  }

  function page({ table, join }: Source, rows: Page, most: number | null): string {
    const { where, order, distinctOn, limit, offset } = rows;
    const from = alias();
    const terms = order.map((one) => term(from, one)).join(", ");
    const least = limit === null ? most : most === null ? limit : Math.min(limit, most);
    const parts = [
      distinctOn.length === 0 ? "SELECT" : `SELECT DISTINCT ON (${columnsAt(from, distinctOn).join(", ")})`,
      `${from}.*, ${(terms && `dense_rank() OVER (ORDER BY ${terms})`) || 0} AS tie`,
      `FROM "${table}" AS ${from} WHERE ${join(from)}`,
      where && `AND ${condition(from, where)}`,
      terms && `ORDER BY ${terms}`,
      least !== null && `LIMIT ${least}`,
      offset !== null && `OFFSET ${offset}`,
    ];
    return `SELECT *, row_number() OVER () AS place FROM (${parts.filter((part) => part).join(" ")}) AS ${alias()}`;
  }

  function condition(from: string, where: Where): string {
    switch (where.is) {
      case "all":
      case "beside":
        return `(${["TRUE", ...where.of.map((one) => condition(from, one))].join(" AND ")})`;
      case "any":
        return `(${["FALSE", ...where.of.map((one) => condition(from, one))].join(" OR ")})`;
      case "not":
        return `(NOT ${condition(from, where.of)})`;
      case "column":
        return `(${where.tests.map((test) => compared(where.column, at(from, where.column), test)).join(" AND ")})`;
      case "cast":
        return compared(TEXT, `(${at(from, where.column)})::text`, where.test);
      case "related":
        return `EXISTS (${select(sourceOf(where.relation, from), () => "1", where.of)})`;
      case "aggregate": {
        const { relation, operator, columns, distinct, filter, test } = where;
        const value = alias();
        const called = (other: string) => `${call(operator, columnsAt(other, columns), distinct)} AS v`;
        const rows = select(sourceOf(relation, from), called, filter);
        return `EXISTS (SELECT 1 FROM (${rows}) AS ${value} WHERE ${compared(where.compared, `${value}.v`, test)})`;
      }
    }
  }

  /** A query of related rows. */
  function select(source: Source, value: (from: string) => string, where: Where | null = null): string {
    const from = alias();
    const met = where === null ? "" : ` AND ${condition(from, where)}`;
    return `SELECT ${value(from)} FROM "${source.table}" AS ${from} WHERE ${source.join(from)}${met}`;
  }

  function term(from: string, { path, aggregate, column, direction }: Order): string {
    const own = column === null ? [] : [column];
    const valueAt = (at: string, [relation, ...others]: readonly Relation[]): string => {
      if (relation) return `(${select(sourceOf(relation, at), (other) => valueAt(other, others))})`;
      if (aggregate === null) return columnsAt(at, own).join();
      const value = (other: string) => call(aggregate.operator, columnsAt(other, own));
      return `(${select(sourceOf(aggregate.relation, at), value)})`;
    };
    return `${valueAt(from, path)} ${DIRECTIONS[direction]}`;
  }

  function object(from: string, of: readonly Selected[]): string {
    return `json_build_object(${of.map((selected, index) => `'k${index}', ${member(from, selected)}`).join(", ")})`;
  }

  function member(from: string, selected: Selected): string {
    switch (selected.is) {
      case "column": {
        const { column, path } = selected;
        const value = at(from, column);
        if (path !== null) return `(${value} #> ARRAY[${path.map(quote).join(", ")}]::text[])`;
        return asText(column) ? `(${value})::text` : value;
      }
      case "typename":
        return quote(selected.entity);
      case "one":
        return `(${select(sourceOf(selected.relation, from), (other) => object(other, selected.of))})`;
      case "many": {
        const other = alias();
        const rows = page(sourceOf(selected.relation, from), selected.page, cap);
        return `(SELECT coalesce(json_agg(${object(other, selected.of)} ORDER BY place), '[]') FROM (${rows}) AS ${other})`;
      }
      case "aggregate":
        return aggregated(sourceOf(selected.relation, from), selected.page, selected.of);
    }
  }

  function aggregated(source: Source, rows: Page, { values, nodes }: Aggregated): string {
    const from = alias();
    const members = values.map((value, index) => `'k${index}', ${aggregateValue(from, value)}`);
    const parts = [`'aggregate', json_build_object(${members.join(", ")})`];
    if (nodes !== null) {
      const shown = cap === null ? "" : ` FILTER (WHERE place <= ${cap})`;
      parts.push(`'nodes', coalesce(json_agg(${object(from, nodes)} ORDER BY place)${shown}, '[]')`);
    }
    return `(SELECT json_build_object(${parts.join(", ")}) FROM (${page(source, rows, null)}) AS ${from})`;
  }

  return root();
}

function sourceOf({ target, own, theirs }: Relation, from: string): Source {
  return { table: target, join: (other) => `${other}."${theirs}" = ${from}."${own}"` };
}

function at(from: string, column: Column): string {
  return `${from}."${columnName(column)}"`;
}

function columnsAt(from: string, columns: readonly Column[]): readonly string[] {
  return columns.map((column) => at(from, column));
}

function aggregateValue(from: string, value: AggregateValue): string {
  if (value.is === "count") return call("count", columnsAt(from, value.columns), value.distinct);
  const inner = call(value.operator, [at(from, value.column)]);
  return `json_build_object('v', ${asText(value.column) ? `(${inner})::text` : inner})`;
}

/** A comparison that fails only if its operand does. */
export function writeFaultSql(column: Column, test: Test): string {
  // Without any value, PostgreSQL does not parse the pattern.
  const type = sqlType(column);
  return `SELECT ${compared(column, type === "text" ? "''::text" : `NULL::${type}`, test)} AS answer`;
}

function call(operator: string, columns: readonly string[], isDistinct = false): string {
  if (columns.length === 0) return "count(*)";
  const distinct = isDistinct ? "DISTINCT " : "";
  const isRow = operator === "count" && columns.length > 1;
  return `${operator}(${distinct}${isRow ? `(${columns.join(", ")})` : columns.join(", ")})`;
}

/** Numbers that are sent as strings, with all their digits. */
function asText({ scalar, list }: Column): boolean {
  return !list && (scalar === "numeric" || scalar === "float8");
}

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

function compared(column: Column, value: string, { operator, operand }: Test): string {
  const type = sqlType(column);
  if (operator === "_is_null") return `(${value} IS ${operand === "true" ? "" : "NOT "}NULL)`;
  if (operator === "_in") return `(${value} = ANY (${literal(operand, `${type}[]`)}))`;
  if (operator === "_nin") return `(${value} <> ALL (${literal(operand, `${type}[]`)}))`;
  // The operand of some operators is a text for any type.
  const isText = operator === "_has_key" || /like|similar|regex/.test(operator);
  const wanted = isText ? "text" : operator.startsWith("_has_keys") ? "text[]" : type;
  return `(${value} ${OPERATORS[operator]} ${literal(operand, wanted)})`;
}

/** An operand as a parameter of the platform. */
function literal(operand: string, type: string): string {
  if (type === "jsonb") return `${quote(operand)}::jsonb`;
  if (!type.endsWith("[]") || !operand.startsWith("[")) return `${quote(textOf(operand))}::${type}`;
  const items = operand.match(/"(?:[^"\\]|\\.)*"|[^\s,[\]]+/gs) ?? [];
  return `ARRAY[${items.map((item) => (item === "null" ? "NULL" : quote(textOf(item)))).join(", ")}]::${type}`;
}

/** The text that PostgreSQL reads: the content of a string, or the digits of a number. */
function textOf(json: string): string {
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}
