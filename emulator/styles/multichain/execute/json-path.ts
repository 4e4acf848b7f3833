import { JsonNumber } from "../../json-number.ts";
import type { Json } from "./jsonb.ts";

/**
 * The steps of a `path` argument, `$.a.b[0]` (C.6); null when it is malformed. The `$` may be left out, and a
 * name has letters of any script.
 */
export function parseJsonPath(path: string): string[] | null {
  if (path === "$") return [];
  const steps: string[] = [];
  let rest = path.replace(/^\$/, "");
  while (rest !== "") {
    const match = STEP.exec(rest);
    if (!match) return null;
    const [whole, name, index, double, single] = match;
    steps.push(name ?? index ?? (double ?? single ?? "").replaceAll(/\\(.)/gs, "$1"));
    rest = rest.slice(whole.length);
  }
  return steps.length === 0 ? null : steps;
}

const STEP = /^\.?(?:([\p{L}\p{N}_-]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|\['((?:[^'\\]|\\.)*)'\])/su;

/** What lies at the end of the path, null when nothing does. */
export function followJsonPath(value: Json, steps: readonly string[]): Json {
  return steps.reduce<Json>((at, step) => {
    if (Array.isArray(at))
      return /^-?\d+$/.test(step) ? ((at as readonly Json[]).at(Number(step)) ?? null) : null;
    if (typeof at !== "object" || at === null || at instanceof JsonNumber) return null;
    const object = at as { readonly [key: string]: Json };
    return Object.hasOwn(object, step) ? (object[step] ?? null) : null;
  }, value);
}
