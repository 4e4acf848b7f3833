import type { ErrorCode } from "./indexer-error.ts";
import { isObject } from "./is-object.ts";
import { own } from "./own.ts";
import type { Kind, PortableOperation } from "./portable-operation.ts";
import type { Data } from "./read-answer.ts";
import { valuesAt } from "./values-at.ts";

/**
 * Checks what types cannot prove: references that one of the styles never answers as null, and the chain of each row. A
 * row found by its id on an endpoint of several chains becomes null where it is of another chain.
 *
 * @param text what was asked for.
 * @returns what is wrong; null where nothing is.
 */
export function checkData<P extends string, R, V>(
  data: Data,
  text: string,
  { required = [], chains = [], one = [], list, page }: PortableOperation<P, R, V, Kind>,
  chainIds: readonly number[],
  servesMore: boolean,
): readonly [code: ErrorCode, said: string] | null {
  const [selection = ""] = text.split("\n}", 1);
  // What a directive leaves out may be missing.
  for (const [, key = ""] of selection.matchAll(/^ {2}(\w+)(?!.* @)/gm)) {
    const value = own(data, key);
    if (value === undefined || (one.includes(key) && value !== null && !isObject(value))) {
      return ["unavailable", `answers no ${key}.`];
    }
  }
  const [key, order] = list ?? [page?.[0], []];
  if (key !== undefined) {
    const rows = data[key];
    const isSorted = (row: unknown) =>
      isObject(row) &&
      order.every(([path, kind]) => {
        const values = path.includes(".") ? valuesAt(row, path) : [row[path]];
        return values.every((value) => isOf(kind, value));
      });
    if (!Array.isArray(rows) || !rows.every(isSorted)) return ["unavailable", `answers no ${key}.`];
  }
  for (const path of chains) {
    const [, rows = "", name = ""] = /(.*)\.(.*)/.exec(path) ?? [];
    for (const row of valuesAt(data, rows)) {
      if (row === null) continue;
      const given = isObject(row) ? row[name] : undefined;
      const chainId = given !== null && isOf("n", given) ? Number(given) : Number.NaN;
      if (chainIds.includes(chainId)) continue;
      const [key = ""] = path.split(".");
      // What tells no chain is not of another one.
      if (!(chainId > 0 && servesMore && one.includes(key)))
        return [
          "wrong-chain",
          chainId > 0 ? `answers for the chain ${chainId}.` : "answers a row without a chain.",
        ];
      data[key] = null;
    }
  }
  const missing = required.find((path) => valuesAt(data, path).includes(null));
  return missing === undefined ? null : ["inconsistent", `has no row for ${missing}.`];
}

/** Whether a value can be compared with others of its kind. */
function isOf(kind: string, value: unknown): boolean {
  // A string, a number or a boolean: digits are of the first two.
  const isPlain = /^[snb]/.test(typeof value);
  return value === null || (isPlain && (kind !== "n" || /^-?\d+$/.test(value as string)));
}
