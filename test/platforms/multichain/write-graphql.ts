import type {
  Aggregated,
  AggregateValue,
  Compared,
  Order,
  Page,
  Question,
  Selected,
  Test,
  Where,
} from "./question.ts";
import type { Column } from "./schema.ts";

/** The body of a GraphQL request, whose answer is in `answer`. */
export function writeGraphql(question: Question): string {
  const declared: string[] = [];
  const variables: string[] = [];
  const { table } = question;

  function root(): string {
    switch (question.is) {
      case "rows":
        return `answer: ${table}${args(question.page)} ${selection(question.of)}`;
      case "aggregate":
        return `answer: ${table}_aggregate${args(question.page)} ${aggregated(question.of)}`;
      case "one": {
        const type = table === "Tally" ? "Int!" : "String!";
        return `answer: ${table}_by_pk(id: ${operand(question.key, type)}) ${selection(question.of)}`;
      }
    }
  }

  function args({ where: condition, order, distinctOn, limit, offset }: Page): string {
    const parts = [
      ...(condition === null ? [] : [`where: ${where(condition)}`]),
      ...(order.length === 0 ? [] : [`order_by: [${order.map(term).join(", ")}]`]),
      ...(distinctOn.length === 0 ? [] : [`distinct_on: [${names(distinctOn)}]`]),
      ...(limit === null ? [] : [`limit: ${limit}`]),
      ...(offset === null ? [] : [`offset: ${offset}`]),
    ];
    return parts.length === 0 ? "" : `(${parts.join(", ")})`;
  }

  function where(condition: Where): string {
    return `{${entries(condition)}}`;
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
        return `${condition.column.name}: ${comparison(condition.column, condition.tests)}`;
      case "cast":
        return `${condition.column.name}: {_cast: {String: ${comparison({ type: "text", list: false, scalar: "String" }, [condition.test])}}}`;
      case "related":
        return `${condition.relation.name}: ${where(condition.of)}`;
      case "aggregate": {
        const { operator, columns, distinct, filter, compared, test } = condition;
        const [first, second] = columns;
        const parts = [
          ...(first === undefined
            ? []
            : second !== undefined && operator !== "count"
              ? [`arguments: {X: ${first.name}, Y: ${second.name}}`]
              : [`arguments: ${operator === "count" ? `[${names(columns)}]` : first.name}`]),
          ...(distinct ? ["distinct: true"] : []),
          ...(filter === null ? [] : [`filter: ${where(filter)}`]),
          `predicate: ${comparison(compared, [test])}`,
        ];
        return `${condition.relation.name}_aggregate: {${operator}: {${parts.join(", ")}}}`;
      }
    }
  }

  function comparison(compared: Compared, tests: readonly Test[]): string {
    return `{${tests.map((test) => `${test.operator}: ${operand(test, typeOf(compared, test.operator))}`).join(", ")}}`;
  }

  function operand({ operand: json, sent }: Test, type: string): string {
    if (sent === "literal") return json;
    const name = `v${declared.length}`;
    declared.push(`$${name}: ${type}`);
    variables.push(`"${name}": ${json}`);
    return `$${name}`;
  }

  function selection(selected: readonly Selected[]): string {
    return `{ ${selected.map((one, index) => `k${index}: ${member(one)}`).join(" ")} }`;
  }

  function member(selected: Selected): string {
    switch (selected.is) {
      case "column": {
        const { column, path } = selected;
        return path === null ? column.name : `${column.name}(path: ${JSON.stringify(pathText(path))})`;
      }
      case "one":
        return `${selected.relation.name} ${selection(selected.of)}`;
      case "many":
        return `${selected.relation.name}${args(selected.page)} ${selection(selected.of)}`;
      case "aggregate":
        return `${selected.relation.name}_aggregate${args(selected.page)} ${aggregated(selected.of)}`;
    }
  }

  const body = `{ ${root()} }`;
  const query = declared.length === 0 ? body : `query Q(${declared.join(", ")}) ${body}`;
  return `{"query": ${JSON.stringify(query)}, "variables": {${variables.join(", ")}}}`;

  function aggregated({ values, nodes }: Aggregated): string {
    const of = values.map((value, index) => `k${index}: ${aggregateValue(value)}`).join(" ");
    return `{ aggregate { ${of} }${nodes === null ? "" : ` nodes ${selection(nodes)}`} }`;
  }
}

function aggregateValue(value: AggregateValue): string {
  if (value.is === "value") return `${value.operator} { v: ${value.column.name} }`;
  const { columns, distinct } = value;
  const parts = [
    ...(columns.length === 0 ? [] : [`columns: [${names(columns)}]`]),
    ...(distinct ? ["distinct: true"] : []),
  ];
  return `count${parts.length === 0 ? "" : `(${parts.join(", ")})`}`;
}

function term({ path, aggregate, column, direction }: Order): string {
  const own =
    aggregate === null
      ? `{${column?.name}: ${direction}}`
      : `{${aggregate.relation.name}_aggregate: ${byAggregate(aggregate.operator, column, direction)}}`;
  return path.reduceRight((inner, { name }) => `{${name}: ${inner}}`, own);
}

function byAggregate(operator: string, column: Column | null, direction: string): string {
  return column === null ? `{${operator}: ${direction}}` : `{${operator}: {${column.name}: ${direction}}}`;
}

function typeOf({ scalar, list }: Compared, operator: string): string {
  if (operator === "_is_null") return "Boolean";
  if (operator.startsWith("_has_keys")) return "[String!]";
  if (operator === "_has_key" || /like|similar|regex/.test(operator)) return "String";
  if (list) return `[${scalar}!]`;
  return operator === "_in" || operator === "_nin" ? `[${scalar}!]` : scalar;
}

function names(columns: readonly Column[]): string {
  return columns.map(({ name }) => name).join(", ");
}

/** Steps as a path of JSON: `$["a"][0]`. */
function pathText(steps: readonly string[]): string {
  return `$${steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `[${JSON.stringify(step)}]`)).join("")}`;
}
