import { type ChainList, type KeysOf, listKeys } from "../client/chain-ref.ts";
import type { Client } from "../client/client-types.ts";
import {
  type ErrorFacts,
  IndexerError,
  type PlainError,
  refuseValue,
  throwable,
} from "../client/indexer-error.ts";
import type { Given, Kind, ListPlan, OrderKey, PortableOperation } from "../client/portable-operation.ts";
import { columnOf, numberIn, sizeOf } from "../client/values.ts";
import type { Chains, Project } from "../manifest/manifest-types.ts";
import { settleTogether } from "./settle-together.ts";
import { type CallOptions, type Failed, type Settled, type Success, startCall } from "./start-call.ts";

/** The chains whose rows are merged. */
export type MergedOptions<C extends Chains = Chains, List = ChainList<C>> = CallOptions & {
  readonly chains: List;
};

/** One list of the rows of several chains. */
export type Merged<R, C> = {
  readonly rows: readonly Row<R>[];
  /** The result of each chain, in the order of `chains`. Chains of one request share their data. */
  readonly results: readonly Settled<R, C>[];
  /** The chains without an answer, whose rows are missing. */
  readonly failed: readonly C[];
  /** Whether there may be further rows: the list is full, or the row cap of a host was reached. */
  readonly hasMore: boolean;
  /** Whether these are all rows: `failed.length === 0 && !hasMore`. */
  readonly complete: boolean;
};

/** The rows of an answer's list. */
export type Row<R> = {
  readonly [K in keyof R]: R[K] extends readonly (infer Item)[] ? Item : never;
}[keyof R];

/**
 * Queries several chains, and returns one list in the operation's order, cut to its size. The chains of one endpoint need
 * one request.
 *
 * @throws IndexerError for variables that no endpoint accepts, and if every chain failed: then `tried` has all
 *   failures. The reason of the signal if it is aborted.
 */
export async function merged<
  T extends Project,
  P extends keyof T & string,
  R,
  V,
  const List extends ChainList<T[P]>,
>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, "list" | "pages">,
  variables: Given<V>,
  options: MergedOptions<T[P], List>,
): Promise<Merged<R, KeysOf<T[P], List>>> {
  const merged = await mergeAnswers(client, operation, variables, options);
  const { results, failed } = merged;
  if (failed[0] && failed.length === results.length) {
    throw allFailed(results.map((result) => (result as Failed<unknown>).error));
  }
  return merged;
}

/** Merges the rows of the chains that answered; does not throw if every chain fails. */
export async function mergeAnswers<
  T extends Project,
  P extends keyof T & string,
  R,
  V,
  const List extends ChainList<T[P]>,
>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, "list" | "pages">,
  variables: Given<V>,
  { chains, ...options }: MergedOptions<T[P], List>,
): Promise<Merged<R, KeysOf<T[P], List>>> {
  const list = requireList(operation);
  const { key, order } = list;
  const { from, end, widened } = widenList(list, variables);
  const keys = listKeys(client, operation.protocol, chains);
  const state = keys.length > 1 && operation.alone ? { down: new Map() } : undefined;
  const call = startCall({ client, operation, variables: widened }, { ...options, state });
  const results = await settleTogether(call, keys);
  const answers = results.filter(({ status }) => status === "ok") as Success<R, string>[];
  const lists = [...new Set(answers.map(({ data }) => data[key as keyof R] as readonly Row<R>[]))];
  // Indexers may order text by a language's rules, so that answers have to be sorted again.
  const rows = lists.length > 1 ? sortRows(lists, order, end + 1) : lists.flat();
  const failed = results.filter(({ status }) => status === "failed").map(({ chain }) => chain);
  const hasMore = rows.length > end || answers.some((answer) => answer.hasMore);
  return {
    rows: rows.slice(from, end),
    results: results as readonly Settled<R, KeysOf<T[P], List>>[],
    failed: failed as KeysOf<T[P], List>[],
    hasMore,
    complete: failed.length === 0 && !hasMore,
  };
}

/** Returns the list of an operation whose rows can be merged. */
export function requireList<P extends string, R, V>({
  name,
  list,
  unmerged = "it does not request one list",
}: PortableOperation<P, R, V, Kind>): ListPlan {
  if (list) return list;
  throw new IndexerError("invalid-variables", `${name} cannot be merged: ${unmerged}.`);
}

/**
 * Returns which rows of a merged list are asked for, and the variables that request all rows up to the last one from each
 * chain: all skipped rows may be of one chain.
 *
 * @throws IndexerError `invalid-variables` if a chain cannot return that many rows.
 */
export function widenList<V>(
  list: ListPlan,
  variables: Given<V>,
): { readonly from: number; readonly end: number; readonly widened: Given<V> } {
  const { first, skip } = list;
  const size = sizeOf(list, variables);
  const from = skip === null ? 0 : numberIn(variables, skip, 0);
  const mostSkipped = first === null ? 0 : Math.max(0, 1000 - size);
  if (from > mostSkipped) {
    refuseValue(String(skip), `at most ${mostSkipped} if ${size} rows of several chains are merged`, from);
  }
  const widened = from > 0 ? { ...variables, [String(skip)]: 0, [String(first)]: size + from } : variables;
  return { from, end: from + size, widened: widened as Given<V> };
}

/** The failures of all chains as one, with the code of the first. */
export function allFailed(errors: readonly PlainError[], facts?: ErrorFacts): IndexerError {
  const [first] = errors as [PlainError];
  if (errors.length === 1) return throwable(first, facts);
  const tried = errors.flatMap((error) => error.tried);
  return throwable(first, { ...facts, tried }, `All ${errors.length} chains failed. ${first.message}`);
}

type Key = string | number | bigint | boolean | null;

/** A row with the parsed values that it is ordered by. */
export type KeyedRow<T> = { readonly row: T; readonly keys: readonly Key[] };

/** Returns the first rows of lists in the order of indexers: texts by code point, null after everything else. */
export function sortRows<T>(lists: readonly (readonly T[])[], order: readonly OrderKey[], end: number): T[] {
  const compare = compareBy(order);
  let first: KeyedRow<T>[] = [];
  // Two lists in order take few comparisons, and other rows need not be kept.
  for (const rows of lists) first = [...first, ...keyRows(rows, order)].sort(compare).slice(0, end);
  return first.map(({ row }) => row);
}

/** Parses the values that rows are ordered by, once per row. */
export function keyRows<T>(rows: readonly T[], order: readonly OrderKey[]): KeyedRow<T>[] {
  const columns = splitDecimals(order).map(({ path, kind }) =>
    columnOf(rows, path).map((value) => parseKey(value ?? null, kind)),
  );
  return rows.map((row, index) => ({ row, keys: columns.map((column) => column[index] as Key) }));
}

/** Returns the function that compares rows by an order. */
export function compareBy(
  order: readonly OrderKey[],
): (a: KeyedRow<unknown>, b: KeyedRow<unknown>) => number {
  const signs = splitDecimals(order).map(({ direction }) => (direction === "asc" ? 1 : -1));
  return (a, b) => {
    for (let index = 0; index < signs.length; index++) {
      const x = a.keys[index] as Key;
      const y = b.keys[index] as Key;
      const sign = signs[index] as number;
      if (x !== y) return y === null || (x !== null && x < y) ? -sign : sign;
    }
    return 0;
  };
}

type KeyPart = Pick<OrderKey, "path" | "direction"> & { readonly kind: OrderKey["kind"] | "digits" };

/** The two keys of a decimal are its floor and the digits after it. */
function splitDecimals(order: readonly OrderKey[]): readonly KeyPart[] {
  return order.flatMap((key) =>
    key.kind === "decimal" ? [key, { ...key, kind: "digits" as const }] : [key],
  );
}

function parseKey(value: unknown, kind: KeyPart["kind"]): Key {
  if (value === null || kind === "boolean") return value as Key;
  const text = String(value);
  // A bigint takes more time and memory.
  if (kind === "number") return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
  if (kind === "text") {
    // Moved behind other units, the halves of a code point beyond 16 bits have its order.
    const move = (unit: string) =>
      String.fromCharCode(unit.charCodeAt(0) + (unit < "\ue000" ? 0x2000 : -0x800));
    return text.replace(/[\ud800-\uffff]/g, move);
  }
  const isNegative = text[0] === "-";
  const [whole = "", digits = ""] = text.split(".");
  if (kind === "decimal") return isNegative ? ~BigInt(whole.slice(1)) : BigInt(whole);
  // Without zeros at the end; linear, whatever the digits are.
  const [part = ""] = /^(0*[1-9])*/.exec(digits) ?? [];
  return isNegative ? `${part.replace(/\d/g, (digit) => String(9 - Number(digit)))}~` : part;
}
