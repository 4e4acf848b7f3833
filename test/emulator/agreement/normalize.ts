import type { Column } from "./facts.ts";
import type { Selected } from "./question.ts";

/** Returns microseconds for a time in the format of a style. */
type ReadTime = (text: string) => string;

/** Converts an answer (a list of entities, one, or null) to a form that both styles share. */
export function normalizeAnswer(answer: unknown, of: readonly Selected[], readTime: ReadTime): unknown {
  if (Array.isArray(answer)) return answer.map((item) => normalizeAnswer(item, of, readTime));
  if (answer === null) return null;
  // As pairs, because the order of the keys is part of the answer.
  return Object.entries(answer as object).map(([key, value]) => {
    const selected = of[Number(key.slice(1))];
    switch (selected?.is) {
      case "typename":
        return [key, value];
      case "column":
        return [key, normalizeValue(value, selected.column, readTime)];
      case "one":
      case "many":
        return [key, normalizeAnswer(value, selected.of, readTime)];
      default:
        throw new Error(`The key ${key} was not selected.`);
    }
  });
}

function normalizeValue(value: unknown, column: Column, readTime: ReadTime): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map((item) => normalizeValue(item, column, readTime));
  if (column.kind === "Timestamp") return readTime(String(value));
  // Only one style keeps trailing zeros.
  if (column.kind !== "BigDecimal") return value;
  return String(value)
    .replace(/(?<=\.\d*)0+$/, "")
    .replace(/\.$/, "");
}
