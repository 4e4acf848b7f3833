import { type Column, columnName, entityOf, type Facts, TEXT } from "./facts.ts";
import type { Aggregated, AggregateValue, Order, Page, Question, Selected, Test, Where } from "./question.ts";
import { createDocument, writeSelection } from "./write-document.ts";

/** Writes the body of a request in the dialect of the multichain style. The answer is under `answer`. */
export function askMultichain(question: Question, facts: Facts): string {
  const document = createDocument();

  function root(): string {
    const { entity } = question;
    switch (question.is) {
      case "rows":
        return `${entity}${args(question.page)} ${selection(question.of)}`;
      case "aggregate":
        return `${entity}_aggregate${args(question.page)} ${aggregated(question.of)}`;
      case "one": {
        const { operand, sent } = question.key;
        const key = document.value(operand, `${entityOf(facts, entity).id.scalar}!`, sent);
        return `${entity}_by_pk(id: ${key}) ${selection(question.of)}`;
      }
    }
  }

  function args({ where: condition, order, distinctOn, limit, offset }: Page): string {
    return argumentsOf({
      where: condition && where(condition),
      order_by: order.length > 0 && `[${order.map(term).join(", ")}]`,
      distinct_on: distinctOn.length > 0 && names(distinctOn),
      limit: limit !== null && `${limit}`,
      offset: offset !== null && `${offset}`,
    });
  }

  function where(condition: Where): string {
    return `{ ${entries(condition)} }`;
  }

  function entries(condition: Where): string {
    switch (condition.is) {
      case "beside":
        return condition.of.map(entries).join(", ");
      case "all":
      case "any":
        return `${condition.is === "all" ? "_and" : "_or"}: [${condition.of.map(where).join(", ")}]`;
      case "not":
        return `_not: ${where(condition.of)}`;
      case "column":
        return `${columnName(condition.column)}: ${comparison(condition.column, condition.tests)}`;
      case "cast":
        return `${condition.column.name}: { _cast: { String: ${comparison(TEXT, [condition.test])} } }`;
      case "related":
        return `${condition.relation.name}: ${where(condition.of)}`;
      case "aggregate": {
        const { relation, operator, columns, distinct, filter, compared, test } = condition;
        const [first, second] = columns.map(columnName);
        const both = second === undefined ? first : `{ X: ${first}, Y: ${second} }`;
        const parts = argumentsOf({
          arguments: operator === "count" && first ? names(columns) : both,
          distinct: distinct && "true",
          filter: filter && where(filter),
          predicate: comparison(compared, [test]),
        });
        return `${relation.name}_aggregate: { ${operator}: { ${parts.slice(1, -1)} } }`;
      }
    }
  }

  function comparison(column: Column, tests: readonly Test[]): string {
    const parts = tests.map(({ operator, operand, sent }) => {
      return `${operator}: ${document.value(operand, typeOf(column, operator), sent)}`;
    });
    return `{ ${parts.join(", ")} }`;
  }

  function selection(of: readonly Selected[]): string {
    return writeSelection(of, (selected) => {
      switch (selected.is) {
        case "column": {
          const { column, path } = selected;
          return `${columnName(column)}${path === null ? "" : `(path: ${JSON.stringify(pathText(path))})`}`;
        }
        case "typename":
          return "__typename";
        case "one":
          return `${selected.relation.name} ${selection(selected.of)}`;
        case "many":
          return `${selected.relation.name}${args(selected.page)} ${selection(selected.of)}`;
        case "aggregate":
          return `${selected.relation.name}_aggregate${args(selected.page)} ${aggregated(selected.of)}`;
      }
    });
  }

  function aggregated({ values, nodes }: Aggregated): string {
    const of = values.map((value, index) => `k${index}: ${aggregateValue(value)}`).join(" ");
    return `{ aggregate { ${of} }${nodes === null ? "" : ` nodes ${selection(nodes)}`} }`;
  }

  return document.finish(root());
}

function aggregateValue(value: AggregateValue): string {
  if (value.is === "value") return `${value.operator} { v: ${columnName(value.column)} }`;
  const { columns, distinct } = value;
  return `count${argumentsOf({ columns: columns.length > 0 && names(columns), distinct: distinct && "true" })}`;
}

function term({ path, aggregate, column, direction }: Order): string {
  const order = column === null ? direction : `{ ${columnName(column)}: ${direction} }`;
  const inner = aggregate && `{ ${aggregate.relation.name}_aggregate: { ${aggregate.operator}: ${order} } }`;
  return path.reduceRight((inside, { name }) => `{ ${name}: ${inside} }`, inner ?? order);
}

function typeOf({ scalar, list }: Column, operator: string): string {
  if (operator === "_is_null") return "Boolean";
  if (operator.startsWith("_has_keys")) return "[String!]";
  if (operator === "_has_key" || /like|similar|regex/.test(operator)) return "String";
  return list || operator === "_in" || operator === "_nin" ? `[${scalar}!]` : scalar;
}

function names(columns: readonly Column[]): string {
  return `[${columns.map(columnName).join(", ")}]`;
}

/** Writes arguments in parentheses, without those that have no text. */
function argumentsOf(all: Readonly<Record<string, string | false | null | undefined>>): string {
  const parts = Object.entries(all).flatMap(([name, text]) => (text ? [`${name}: ${text}`] : []));
  return parts.length === 0 ? "" : `(${parts.join(", ")})`;
}

/** Steps as a path of JSON: `$["a"][0]`. */
function pathText(steps: readonly string[]): string {
  return `$${steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `[${JSON.stringify(step)}]`)).join("")}`;
}
