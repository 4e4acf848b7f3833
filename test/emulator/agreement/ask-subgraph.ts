import { type Column, entityOf, type Facts } from "./facts.ts";
import type { Page, Question, Selected, Test, Where } from "./question.ts";
import { parseTime } from "./time.ts";
import { createDocument, type Document, writeSelection } from "./write-document.ts";

/** Writes a question for both styles in the dialect of the subgraph style. The answer is under `answer`. */
export function askSubgraph(question: Question, facts: Facts): Document {
  const document = createDocument();

  function root(): string {
    const { entity } = question;
    const name = `${entity[0]?.toLowerCase()}${entity.slice(1)}`;
    if (question.is === "aggregate") throw new TypeError("Subgraphs have no aggregates.");
    if (question.is === "rows") return `${name}s${args(question.page)} ${selection(question.of)}`;
    return `${name}(id: ${value(entityOf(facts, entity).id, question.key, "ID")}) ${selection(question.of)}`;
  }

  function args({ where: condition, order, limit, offset }: Page): string {
    const parts = [`first: ${limit}`, `skip: ${offset}`];
    if (condition) parts.push(`where: ${where(condition)}`);
    const [first, tie] = order;
    if (first && tie) {
      parts.push(`orderBy: ${[...first.path, first.column].map((part) => part?.name).join("__")}`);
      if (first.direction === "desc") parts.push("orderDirection: desc");
    }
    return `(${parts.join(", ")})`;
  }

  function where(condition: Where): string {
    return `{ ${entries(condition)} }`;
  }

  function entries(condition: Where): string {
    switch (condition.is) {
      case "column":
        return condition.tests.map((test) => comparison(condition.column, test)).join(", ");
      case "related":
        return `${condition.relation.name}_: ${where(condition.of)}`;
      case "all":
      case "any":
        return `${condition.is === "all" ? "and" : "or"}: [${condition.of.map(where).join(", ")}]`;
      case "beside":
        return condition.of.map(entries).join(", ");
      default:
        throw new TypeError(`Subgraphs have no condition of the kind ${condition.is}.`);
    }
  }

  function comparison(column: Column, test: Test): string {
    const { name } = column;
    const { operator, operand, sent } = test;
    if (operator === "_is_null") return `${name}${operand === "true" ? "" : "_not"}: null`;
    const [isLike, negated, nocase] = /^_(n?)(i?)like$/.exec(operator) ?? [];
    if (!isLike) {
      const isMany = column.list || /in$/.test(operator);
      return `${name}${SUFFIXES[operator]}: ${value(column, test, isMany ? `[${scalar(column)}!]` : scalar(column))}`;
    }
    const [, before, text, after] = /^(%?)(.*?)(%?)$/s.exec(JSON.parse(operand)) ?? [];
    const place = before && after ? "contains" : before ? "ends_with" : "starts_with";
    const suffix = `${negated && "_not"}_${place}${nocase && "_nocase"}`;
    return `${name}${suffix}: ${document.value(JSON.stringify(text), "String", sent)}`;
  }

  function value({ kind }: Column, { operand, sent }: Test, type: string): string {
    const rewrite = (pattern: RegExp, make: (text: string) => string) =>
      document.value(operand.replaceAll(pattern, make), type, sent);
    if (kind === "Timestamp") return rewrite(/[^"[\], ]+/g, parseTime);
    // The notation of bytes must not affect comparisons.
    if (kind === "Bytes" && sent === "variable")
      return rewrite(/0x\w*/g, (text) => text.slice(2).toUpperCase());
    return document.value(operand, type, sent);
  }

  function selection(of: readonly Selected[]): string {
    return writeSelection(of, (selected) => {
      switch (selected.is) {
        case "column":
          return selected.column.name;
        case "typename":
          return "__typename";
        case "one":
          return `${selected.relation.name} ${selection(selected.of)}`;
        case "many":
          return `${selected.relation.name}${args(selected.page)} ${selection(selected.of)}`;
        case "aggregate":
          throw new TypeError("Subgraphs have no aggregates.");
      }
    });
  }

  return JSON.parse(document.finish(root())) as Document;
}

const SUFFIXES: Readonly<Record<string, string>> = {
  _eq: "",
  _neq: "_not",
  _gt: "_gt",
  _gte: "_gte",
  _lt: "_lt",
  _lte: "_lte",
  _in: "_in",
  _nin: "_not_in",
  _contains: "_contains",
};

/** Returns the type of a value in the API schema; a reference is a String for every type of id. */
function scalar({ kind, enumName, target }: Column): string {
  if (target !== null) return "String";
  return kind === "enum" ? enumName : kind;
}
