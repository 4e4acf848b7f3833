import type { Answer } from "../../../emulator/agreement/serve-both.ts";
import type { Loaded } from "./load-operations.ts";

/** Reads a multichain answer like the client: a row of another chain becomes null, a missing required row is an error. */
export function readAnswer(
  answer: Answer,
  { one = [], chains = [], nonNull = [], normalize }: Loaded,
  chain: number,
): Answer {
  if (answer.data === undefined) return answer;
  const data = structuredClone(answer.data) as Record<string, unknown>;
  const odd = normalize?.(data);
  if (odd) return { errors: [{ message: odd }] };
  for (const path of chains) {
    const [key = ""] = path.split(".");
    if (!one.includes(key) || !(key in data)) continue;
    const [found] = valuesAt(data, path.split("."));
    if (found !== undefined && String(found) !== String(chain)) data[key] = null;
  }
  const isMissing = nonNull.some((path) => valuesAt(data, path.split(".")).includes(null));
  return isMissing
    ? { errors: [{ message: "A reference that has to be there is missing." }] }
    : { ...answer, data };
}

/** The values at a path, of all rows on it. */
function valuesAt(value: unknown, [key, ...rest]: readonly string[]): unknown[] {
  if (Array.isArray(value))
    return value.flatMap((item) => valuesAt(item, key === undefined ? [] : [key, ...rest]));
  if (key === undefined) return [value];
  if (typeof value !== "object" || value === null || !(key in value)) return [];
  const inner = (value as Readonly<Record<string, unknown>>)[key];
  // A null reference has no rows below it.
  return rest.length > 0 && inner === null ? [] : valuesAt(inner, rest);
}
