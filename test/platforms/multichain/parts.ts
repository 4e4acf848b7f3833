import { type Column, entityOf, TEXT } from "../../emulator/agreement/facts.ts";
import type {
  AggregateValue,
  Order,
  Page,
  Question,
  Test,
  Where,
} from "../../emulator/agreement/question.ts";
import { FACTS } from "./schema.ts";

/** The parts of a query at any depth. */
type Part = Where | Order | Page | AggregateValue;

function* walk(value: unknown): Generator<Part> {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) yield* walk(item);
    return;
  }
  yield value as Part;
  for (const [key, inner] of Object.entries(value)) {
    // Columns and relations describe the table, not the query.
    if (key !== "column" && key !== "columns" && key !== "relation" && key !== "path") yield* walk(inner);
  }
}

/** Every comparison of a query, with its subject. */
export function comparisonsIn(
  question: Question,
): readonly { readonly compared: Column; readonly test: Test }[] {
  const found = [...walk(question)].flatMap((part) => {
    if ("tests" in part) return part.tests.map((test) => ({ compared: part.column, test }));
    if ("compared" in part) return [{ compared: part.compared, test: part.test }];
    return "is" in part && part.is === "cast" ? [{ compared: TEXT, test: part.test }] : [];
  });
  if (question.is !== "one") return found;
  return [...found, { compared: entityOf(FACTS, question.entity).id, test: question.key }];
}

/** Whether a query has a condition that is true or false for every row. */
export function hasConstant(question: Question): boolean {
  return [...walk(question)].some((part) => "of" in part && Array.isArray(part.of) && part.of.length === 0);
}

type Ordered = { readonly compared: Column; readonly by: "order" | "distinct" | "extreme" };

/** Every column that a query sorts rows by, or whose least or greatest value it selects. */
export function orderedIn(question: Question): readonly Ordered[] {
  return [...walk(question)].flatMap((part): readonly Ordered[] => {
    if ("direction" in part) {
      const { column, aggregate } = part;
      return column === null ? [] : [{ compared: column, by: aggregate === null ? "order" : "extreme" }];
    }
    if ("distinctOn" in part)
      return part.order.length > 0 ? [] : part.distinctOn.map((compared) => ({ compared, by: "distinct" }));
    return "is" in part && part.is === "value" ? [{ compared: part.column, by: "extreme" }] : [];
  });
}
