import type { Column, EntityFacts } from "./facts.ts";
import type { Condition, Operand, Page, Question, Selected } from "./question.ts";
import { createDocument, type Document, literal } from "./write-document.ts";

/** Writes a question in the dialect of the subgraph style. The answer is under `answer`. */
export function askSubgraph(question: Question, facts: ReadonlyMap<string, EntityFacts>): Document {
  const document = createDocument();
  const { entity, of } = question;
  const singular = `${entity[0]?.toLowerCase()}${entity.slice(1)}`;
  const write = (column: Column, operand: Operand, type: string) =>
    document.value(operand, type, (value, sent) => {
      if (column.kind === "enum" && sent === "literal") return String(value);
      if (column.kind === "Bytes") return literal(dressBytes(String(value), sent));
      return literal(value);
    });
  const idOf = (name: string): Column => {
    const found = facts.get(name)?.id;
    if (!found) throw new Error(`There is no entity ${name}.`);
    return found;
  };

  function args({ condition, order, first, skip }: Page): string {
    const parts = [`first: ${first}`, `skip: ${skip}`];
    if (condition) parts.push(`where: ${where(condition)}`);
    if (order) {
      const { reference, column, descending } = order;
      parts.push(`orderBy: ${reference === null ? "" : `${reference}__`}${column}`);
      if (descending) parts.push("orderDirection: desc");
    }
    return `(${parts.join(", ")})`;
  }

  function where(condition: Condition): string {
    return `{ ${entries(condition)} }`;
  }

  function entries(condition: Condition): string {
    switch (condition.is) {
      case "null":
        return `${condition.column.name}${condition.negated ? "_not" : ""}: null`;
      case "compared": {
        const { column, operator, operand } = condition;
        const suffix = operator === "equals" ? "" : `_${operator}`;
        const many = Array.isArray(operand.value);
        return `${column.name}${suffix}: ${write(column, operand, many ? `[${scalar(column)}!]` : scalar(column))}`;
      }
      case "like": {
        const { column, operator, nocase, operand } = condition;
        return `${column.name}_${operator}${nocase ? "_nocase" : ""}: ${write(column, operand, "String")}`;
      }
      case "holding": {
        const { column, operand } = condition;
        return `${column.name}_contains: ${write(column, operand, `[${scalar(column)}!]`)}`;
      }
      case "related":
        return `${condition.field}_: ${where(condition.condition)}`;
      case "all":
      case "any":
        return `${condition.is === "all" ? "and" : "or"}: [${condition.of.map(where).join(", ")}]`;
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
        return `${selected.key}: ${selected.column.name}`;
      case "typename":
        return `${selected.key}: __typename`;
      case "reference":
        return `${selected.key}: ${selected.field} ${selection(selected.of)}`;
      case "list":
        return `${selected.key}: ${selected.field}${args(selected.page)} ${selection(selected.of)}`;
    }
  }

  const root =
    question.is === "page"
      ? `${singular}s${args(question.page)}`
      : `${singular}(id: ${write(idOf(entity), question.id, "ID")})`;
  return document.finish(`{ answer: ${root} ${selection(of)} }`);
}

/** Returns the type of a value in the API schema; a reference is a String for every type of id. */
function scalar({ kind, enumName, target }: Column): string {
  if (target !== null) return "String";
  return kind === "enum" ? enumName : kind;
}

/** Varies the notation of bytes, which must not affect comparisons. */
function dressBytes(value: string, sent: Operand["sent"]): string {
  return sent === "literal" ? value : value.slice(2).toUpperCase();
}
