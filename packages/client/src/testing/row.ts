import type { Row } from "../calls/merged.ts";
import type { Kind, PortableOperation } from "../client/portable-operation.ts";
import { isObject } from "../client/values.ts";

/** An operation of `generated/<protocol>/testing.ts`. */
export type SampledOperation<R, K extends Kind> = PortableOperation<string, R, never, K> & {
  readonly sample: object;
};

/** A row of an operation's list, or its object. The whole answer if it has several root fields and no single list. */
export type RowOf<R, K extends Kind> = K extends "list" | "pages"
  ? Row<R>
  : IsUnion<keyof R> extends true
    ? R
    : Item<R[keyof R]>;

type IsUnion<T, All = T> = T extends unknown ? ([All] extends [T] ? false : true) : never;

type Item<T> = NonNullable<NonNullable<T> extends readonly (infer I)[] ? I : T>;

/** Some fields of a row, at any depth. Rows of lists and of references may have some fields, too. */
export type Overrides<T> = T extends string | number | bigint | boolean | null | undefined
  ? T
  : T extends readonly (infer I)[]
    ? readonly Overrides<I>[]
    : T extends object
      ? { readonly [K in keyof T]?: Overrides<T[K]> | undefined }
      : T;

/**
 * Returns a row of an operation, with the given fields and defaults for the others: null if a field may be null, no rows for
 * lists, the first value of an enum, `"0"` for numbers, and a fixed address and time.
 *
 * @throws TypeError for a field that the operation does not select.
 * @example
 * ```ts
 * import { StreamsBySender } from "./generated/lockup/testing.js";
 * const stream = row(StreamsBySender, { depositAmount: "1000000", asset: { symbol: "USDC", decimals: "6" } });
 * ```
 */
export function row<R, K extends Kind>(
  { name, sample, list }: SampledOperation<R, K>,
  overrides: Overrides<RowOf<R, K>> = {} as Overrides<RowOf<R, K>>,
): RowOf<R, K> {
  const roots: [string, unknown][] = Object.entries(sample);
  const listRoots = list ? roots.filter(([key]) => key.replace("?", "") === list.key) : roots;
  const [only] = listRoots.length === 1 ? listRoots : [];
  const whole = only ? itemOf(only[1]) : sample;
  return fill(whole, overrides, name) as RowOf<R, K>;
}

function itemOf(sample: unknown): unknown {
  return Array.isArray(sample) ? sample[0] : sample;
}

/** Returns a value with its missing parts from the sample. */
function fill(sample: unknown, given: unknown, path: string): unknown {
  if (Array.isArray(sample)) {
    if (given === undefined) return [];
    return Array.isArray(given) ? given.map((item, at) => fill(sample[0], item, `${path}.${at}`)) : given;
  }
  if (given !== undefined && !isObject(given)) return given;
  if (!isObject(sample)) return given === undefined ? sample : given;
  const fields = Object.entries(sample).map(([key, inner]) => [key.replace("?", ""), key, inner] as const);
  for (const name of Object.keys(given ?? {})) {
    if (fields.some(([field]) => field === name)) continue;
    const known = fields.map(([field]) => field).join(", ");
    throw new TypeError(`${path} does not select "${name}". It selects ${known}.`);
  }
  return Object.fromEntries(
    fields.map(([field, key, inner]) => {
      const value = given?.[field];
      return [field, value === undefined && key !== field ? null : fill(inner, value, `${path}.${field}`)];
    }),
  );
}
