/** A value of a `jsonb` column. Numbers are JavaScript's, so more than 17 digits are not kept. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Reads a stored value: rows hold JSON as its text. */
export function parseJson(text: string): Json | undefined {
  try {
    return orderKeys(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Postgres keeps the keys of an object by length, then by bytes. */
export function orderKeys(value: Json): Json {
  if (isArray(value)) return value.map(orderKeys);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort(compareObjectKeys);
  return Object.fromEntries(keys.map((key) => [key, orderKeys(value[key] ?? null)]));
}

/** The text Postgres casts a value to: blanks after commas and colons. */
export function jsonText(value: Json): string {
  if (isArray(value)) return `[${value.map(jsonText).join(", ")}]`;
  if (isObject(value)) {
    const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${jsonText(item)}`);
    return `{${members.join(", ")}}`;
  }
  return JSON.stringify(value);
}

/** The order of `jsonb`: null < string < number < boolean < array < object (C.2); smaller containers first. */
export function compareJson(a: Json, b: Json): number {
  const rank = jsonRank(a) - jsonRank(b);
  if (rank !== 0) return rank;
  if (isArray(a) && isArray(b)) {
    return (
      a.length - b.length || firstDifference(a.map((item, index) => compareJson(item, b[index] ?? null)))
    );
  }
  if (isObject(a) && isObject(b)) {
    const keys = Object.keys(a);
    const others = Object.keys(b);
    if (keys.length !== others.length) return keys.length - others.length;
    return firstDifference(
      keys.flatMap((key, index) => {
        const other = others[index] ?? "";
        return [compareObjectKeys(key, other), compareJson(a[key] ?? null, b[other] ?? null)];
      }),
    );
  }
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  return Number(a) - Number(b);
}

/** Postgres' `@>`: every part of `part` is found in `whole`. An array holds a bare scalar, at the top only. */
export function containsJson(whole: Json, part: Json, top = true): boolean {
  if (isArray(whole)) {
    if (isArray(part)) return part.every((item) => whole.some((held) => containsJson(held, item, false)));
    return top && !isObject(part) && whole.some((held) => compareJson(held, part) === 0);
  }
  if (isObject(whole)) {
    if (!isObject(part)) return false;
    return Object.entries(part).every(
      ([key, item]) => Object.hasOwn(whole, key) && containsJson(whole[key] ?? null, item, false),
    );
  }
  return compareJson(whole, part) === 0;
}

/** Postgres' `?`: a key of an object, a string in an array, or the string itself. */
export function hasJsonKey(value: Json, key: string): boolean {
  if (isArray(value)) return value.includes(key);
  if (isObject(value)) return Object.hasOwn(value, key);
  return value === key;
}

/** The steps of a `path` argument, `$.a.b[0]`; null when it is malformed. */
export function parseJsonPath(path: string): (string | number)[] | null {
  const steps: (string | number)[] = [];
  let rest = path.startsWith("$") ? path.slice(1) : path === "" || path.startsWith(".") ? null : `.${path}`;
  if (rest?.startsWith(".[")) rest = rest.slice(1);
  if (rest === null) return null;
  while (rest !== "") {
    const match = /^(?:\.([\w-]+)|\[(\d+)\]|\["([^"]*)"\]|\['([^']*)'\])/.exec(rest);
    if (!match) return null;
    const [whole, name, index, double, single] = match;
    steps.push(index === undefined ? (name ?? double ?? single ?? "") : Number(index));
    rest = rest.slice(whole.length);
  }
  return steps;
}

/** What lies at the end of the path, null when nothing does. */
export function followJsonPath(value: Json, steps: readonly (string | number)[]): Json {
  return steps.reduce<Json>((at, step) => {
    if (isArray(at)) return at[Number(step)] ?? null;
    return isObject(at) && Object.hasOwn(at, step) ? (at[step] ?? null) : null;
  }, value);
}

function jsonRank(value: Json): number {
  if (value === null) return 0;
  if (isArray(value)) return 4;
  return { string: 1, number: 2, boolean: 3 }[typeof value as string] ?? 5;
}

function compareObjectKeys(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

function firstDifference(orders: readonly number[]): number {
  return orders.find((order) => order !== 0) ?? 0;
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
