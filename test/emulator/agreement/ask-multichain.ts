import type { Column, EntityFacts } from "./facts.ts";
import type { Condition, Operand, Order, Page, Question, Selected } from "./question.ts";
import { formatTime } from "./time.ts";
import { createDocument, type Document, literal } from "./write-document.ts";

/** Writes a question in the dialect of the multichain style. The answer is under `answer`. */
export function askMultichain(question: Question, facts: ReadonlyMap<string, EntityFacts>): Document {
  const document = createDocument();
  const { entity, of } = question;
  const write = (column: Column, operand: Operand, type: string) =>
    document.value(operand, type, (value, sent) => {
      if (column.kind === "enum" && sent === "literal") return String(value);
      if (column.kind === "Timestamp") return literal(formatTime(String(value)));
      return literal(value);
    });

  function args({ condition, order, first, skip }: Page): string {
    const parts = [`limit: ${first}`, `offset: ${skip}`, `order_by: [${orderBy(order).join(", ")}]`];
    if (condition) parts.push(`where: ${where(condition)}`);
    return `(${parts.join(", ")})`;
  }

  function where(condition: Condition): string {
    return `{ ${entries(condition)} }`;
  }

  function entries(condition: Condition): string {
    switch (condition.is) {
      case "null":
        return `${columnName(condition.column)}: { _is_null: ${!condition.negated} }`;
      case "compared": {
        const { column, operator, operand } = condition;
        const many = Array.isArray(operand.value);
        const value = write(column, operand, many ? `[${scalar(column)}!]` : scalar(column));
        return `${columnName(column)}: { ${COMPARISONS[operator]}: ${value} }`;
      }
      case "like": {
        const { column, operator, nocase, operand } = condition;
        const negated = operator.startsWith("not_") ? "n" : "";
        const pattern = patternOf(operator, String(operand.value));
        const value = write(column, { ...operand, value: pattern }, "String");
        return `${columnName(column)}: { _${negated}${nocase ? "ilike" : "like"}: ${value} }`;
      }
      case "holding": {
        const { column, operand } = condition;
        return `${columnName(column)}: { _contains: ${write(column, operand, `[${scalar(column)}!]`)} }`;
      }
      case "related":
        return `${condition.field}: ${where(condition.condition)}`;
      case "all":
      case "any":
        return `${condition.is === "all" ? "_and" : "_or"}: [${condition.of.map(where).join(", ")}]`;
      case "beside":
        return condition.of.map(entries).join(", ");
    }
  }

  function selection(of: readonly Selected[]): string {
    return `{ ${of.map(field).join(" ")} }`;
  }

  function field(selected: Selected): string {
    switch (selected.is) {
      case "column":
        return `${selected.key}: ${columnName(selected.column)}`;
      case "typename":
        return `${selected.key}: __typename`;
      case "reference":
        return `${selected.key}: ${selected.field} ${selection(selected.of)}`;
      case "list":
        return `${selected.key}: ${selected.field}${args(selected.page)} ${selection(selected.of)}`;
    }
  }

  const id = facts.get(entity)?.id;
  if (id === undefined) throw new Error(`There is no entity ${entity}.`);
  const root =
    question.is === "page"
      ? `${entity}${args(question.page)}`
      : `${entity}_by_pk(id: ${write(id, question.id, "String!")})`;
  return document.finish(`{ answer: ${root} ${selection(of)} }`);
}

const COMPARISONS = {
  equals: "_eq",
  not: "_neq",
  gt: "_gt",
  gte: "_gte",
  lt: "_lt",
  lte: "_lte",
  in: "_in",
  not_in: "_nin",
} as const;

/** The order that a subgraph adds: by id without `orderBy`, and ties by id in the direction of the order. */
function orderBy(order: Order | null): readonly string[] {
  if (order === null) return ["{ id: asc }"];
  const { reference, column, descending } = order;
  const direction = descending ? "desc" : "asc";
  const first = `{ ${column}: ${direction} }`;
  if (reference !== null) return [`{ ${reference}: ${first} }`, `{ id: ${direction} }`];
  return column === "id" ? [first] : [first, `{ id: ${direction} }`];
}

/** A reference is stored in a column named after the field. */
function columnName({ name, target }: Column): string {
  return target === null ? name : `${name}_id`;
}

/** Returns the scalar of a column; lists of big numbers are stored as String. */
function scalar({ kind, list, enumName }: Column): string {
  switch (kind) {
    case "ID":
    case "String":
    case "Bytes":
      return "String";
    case "BigInt":
    case "BigDecimal":
      return list ? "String" : "numeric";
    case "Timestamp":
      return "timestamptz";
    case "enum":
      return enumName.toLowerCase();
    case "Int":
    case "Boolean":
      return kind;
  }
}

function patternOf(operator: string, value: string): string {
  if (operator.endsWith("contains")) return `%${value}%`;
  return operator.endsWith("starts_with") ? `${value}%` : `%${value}`;
}
