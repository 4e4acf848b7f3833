import type { Column } from "./facts.ts";
import type { Selected } from "./question.ts";
import { parseTime } from "./time.ts";

/** The format of values in which the styles differ. */
export type Writing = { readonly time: (text: string) => string };

export const SUBGRAPH_WRITING: Writing = { time: (text) => text };
export const MULTICHAIN_WRITING: Writing = { time: parseTime };

/** Converts an answer (a list of entities, one, or null) to a form that both styles share. */
export function normalizeAnswer(answer: unknown, of: readonly Selected[], writing: Writing): unknown {
  if (Array.isArray(answer)) return answer.map((item) => normalizeAnswer(item, of, writing));
  if (answer === null) return null;
  const entity = answer as Readonly<Record<string, unknown>>;
  // As pairs, because the order of the keys is part of the answer.
  const byKey = new Map(of.map((selected) => [selected.key, selected]));
  return Object.entries(entity).map(([key, value]) => {
    const selected = byKey.get(key);
    if (selected === undefined) throw new Error(`The key ${key} was not selected.`);
    if (selected.is === "typename") return [key, value];
    if (selected.is === "column") return [key, normalizeValue(value, selected.column, writing)];
    return [key, normalizeAnswer(value, selected.of, writing)];
  });
}

function normalizeValue(value: unknown, column: Column, writing: Writing): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map((item) => normalizeValue(item, column, writing));
  switch (column.kind) {
    case "Timestamp":
      return writing.time(String(value));
    case "BigDecimal":
      return plainDecimal(String(value));
    default:
      return value;
  }
}

/** Removes trailing zeros, which only one style keeps. */
function plainDecimal(text: string): string {
  const [whole = "", part = ""] = text.split(".");
  const digits = part.replace(/0+$/, "");
  return digits === "" ? whole : `${whole}.${digits}`;
}
