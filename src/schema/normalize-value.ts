import { parseValue, type Value } from "./parse-value.ts";

/** A default as snapshots print it; a value that cannot be parsed stays as it is. */
export function normalizeValue(text: string): string {
  const value = parseValue(text);
  return value === null ? text.trim() : render(value);
}

function render(value: Value): string {
  if (value.kind === "leaf") return value.text;
  if (value.kind === "list") return `[${value.items.map(render).join(", ")}]`;
  if (value.members.size === 0) return "{}";
  const sorted = [...value.members].sort(([a], [b]) => (a < b ? -1 : 1));
  return `{ ${sorted.map(([key, member]) => `${key}: ${render(member)}`).join(", ")} }`;
}
