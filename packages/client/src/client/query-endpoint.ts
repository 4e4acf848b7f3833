import type { Endpoint, EndpointRequest, StyleName } from "../manifest/manifest-types.ts";
import { rowOf } from "./chain-ref.ts";
import { checkData } from "./check-data.ts";
import type { Client, Inquiry, Part } from "./client-types.ts";
import { type Head, takeHeads, timeOf } from "./heads.ts";
import { type ErrorCode, IndexerError } from "./indexer-error.ts";
import { type Given, IS_SHARED, type PagePlan, type PortableOperation } from "./portable-operation.ts";
import type { Data } from "./read-answer.ts";
import { hostOf } from "./send.ts";
import { isFailing, sendWithRetries } from "./send-with-retries.ts";
import { leastBlock, own, sizeOf } from "./values.ts";

/** The answer of an endpoint for one of its chains. */
export type Reading<R> = {
  readonly data: R;
  readonly head: Head | null;
  /** How many rows may be missing because the host's row cap was reached. */
  readonly capped: number;
  /** Why the answer cannot be used; null if it can. */
  readonly error: IndexerError | null;
};

/**
 * Returns the endpoint of a chain in a style; null if the chain is not served.
 *
 * @throws IndexerError `not-served` if the URL of the deployment is not configured.
 */
export function findTarget<P extends string, R, V>(
  { client, operation: { protocol, not } }: Inquiry<P, R, V>,
  style: StyleName,
  chain: string,
): Endpoint | null {
  if (not?.[style]?.includes(chain) || !own(client.routes.chains, chain)) return null;
  // Only indexers of one chain have other environments.
  const environment = IS_SHARED[style] ? undefined : client.environment;
  try {
    return client.endpoint({ protocol, style, chain, environment } as EndpointRequest);
  } catch (error) {
    throw new IndexerError("not-served", (error as Error).message, { style, cause: error });
  }
}

/**
 * Returns styles in their order, but last those whose host recently failed twice in a row, and those that did not have
 * `minBlock` in their last answer.
 */
export function orderStyles<P extends string, R, V>(
  inquiry: Inquiry<P, R, V>,
  chain: string,
  styles: readonly StyleName[],
): readonly StyleName[] {
  const { client } = inquiry;
  const least = leastBlock(inquiry, chain);
  const isLast = (style: StyleName): boolean => {
    try {
      const target = findTarget(inquiry, style, chain);
      if (target === null) return false;
      const seen = client.shared.heads.get(`${target.deployment} ${chain}`)?.block ?? least;
      return seen < least || isFailing(client, hostOf(client, style, target));
    } catch {
      return false;
    }
  };
  if ((client.shared.failing.size === 0 && least === 0) || styles.length < 2) return styles;
  const last = styles.filter(isLast);
  return [...styles.filter((style) => !last.includes(style)), ...last];
}

/**
 * Queries several chains of an endpoint with one request.
 *
 * @returns a function from a chain to its answer.
 * @throws IndexerError if the request fails, and the reason of the signal if it is aborted.
 */
export async function queryEndpoint<P extends string, R, V>(
  inquiry: Inquiry<P, R, V>,
  style: StyleName,
  target: Endpoint,
  keys: readonly string[],
): Promise<(chain: string) => Reading<R>> {
  const { client, operation, signal } = inquiry;
  const { part, read, fail } = prepare(inquiry, style, target, keys);
  const question = { operation: operation.name, style, target, parts: [part] };
  const [data] = await sendWithRetries(client, question, signal);
  const readings = read(data as Data);
  const [chain = ""] = keys;
  const start = readings(chain);
  const { page } = operation;
  // Only rows of one chain have a cursor.
  if (keys.length > 1 || !page || !start.capped || start.error) return readings;
  const { key, first } = page;
  const rowsOf = (reading: Reading<R>) => reading.data[key as keyof R] as readonly object[];
  const after = readCursors(rowsOf(start), page, null) ?? null;
  const variables = { ...beginAfter(operation, inquiry.variables, after), [first]: start.capped };
  const rest = (await queryEndpoint({ ...inquiry, variables }, style, target, keys))(chain);
  const rows = [...rowsOf(start), ...rowsOf(rest)];
  if (readCursors(rows, page, null) === undefined) throw fail("inconsistent", "returned rows out of order");
  return () => ({ ...rest, head: start.head, data: { ...start.data, [key]: rows } });
}

/** Builds a request to an endpoint for some of its chains, and the function that reads its answer by chain. */
export function prepare<P extends string, R, V>(
  inquiry: Inquiry<P, R, V>,
  style: StyleName,
  { chains, deployment, limits: { maxRows = Infinity } }: Endpoint,
  keys: readonly string[],
): {
  readonly part: Part;
  readonly read: (data: Data) => (chain: string) => Reading<R>;
  readonly fail: (code: ErrorCode, said: string) => IndexerError;
} {
  const { client, operation, block, maxLag = client.maxLag } = inquiry;
  const chainIds = keys.map((key) => rowOf(client, key).chainId);
  const most = (typeof maxLag === "object" ? maxLag.seconds : maxLag) ?? (maxLag ? 0 : Infinity);
  const fail = (code: ErrorCode, said: string, missing = 0) =>
    new IndexerError(code, `${deployment} ${said}.`, {
      style,
      deployment,
      ...(missing > 0 && { missingBlocks: missing }),
    });
  return {
    part: client.buildPart(inquiry, style, keys),
    fail,
    read: (data) => {
      const progress = client.freshness ? takeHeads(data, style, timeOf(client, data)) : null;
      if (client.freshness && !progress) throw fail("unavailable", "returned no head block");
      const list = operation.list ?? operation.page;
      const size = list ? sizeOf(list, inquiry.variables) : Infinity;
      const wrong = checkData(data, operation, {
        chainIds,
        servesMore: chains.length > 1,
        size,
        hasHeads: client.freshness,
      });
      if (wrong) throw fail(...wrong);
      const { length = 0 } = (data[list?.key ?? ""] ?? []) as readonly unknown[];
      const capped = length < maxRows ? 0 : Math.max(0, size - length);
      const [only, ...others] = chainIds;
      const odd = IS_SHARED[style] && operation.answer?.(data, others.length > 0 ? undefined : only);
      if (odd) throw fail("inconsistent", odd);
      return (chain) => {
        const row = rowOf(client, chain);
        let head = progress?.(row)?.head ?? null;
        if (head && head.block >= 0 && !block) {
          const seconds =
            secondsStill(client, `${deployment} ${chain}`, head.block) - 5 * (row.secondsPerBlock ?? 60);
          if (seconds > Math.max(most, head.lag ?? 0)) head = { ...head, lag: seconds, isEstimate: true };
        }
        const lag = head?.lag ?? null;
        const least = leastBlock(inquiry, chain);
        const missing = head ? Math.max(0, least - Math.max(0, head.block)) : 0;
        const error =
          progress && !head
            ? fail("not-served", `has no data for ${chain}`)
            : head && head.block < 0
              ? fail("behind", `has not started indexing ${chain}`, missing)
              : head &&
                  block &&
                  (block.hash?.toLowerCase() ?? block.number) !== (block.hash ? head.hash : head.block)
                ? fail("inconsistent", `answered for block ${head.block}, which was not requested`)
                : missing > 0
                  ? fail("behind", `is ${missing} blocks short of block ${least} on ${chain}`, missing)
                  : !block && lag !== null && lag > most
                    ? fail("behind", `is ${Math.round(lag)} s behind on ${chain}`)
                    : null;
        return { data: data as R, head, capped, error };
      };
    },
  };
}

/** Returns for how many seconds the head of a deployment has not moved. */
function secondsStill({ now, shared }: Client, name: string, block: number): number {
  const seen = shared.heads.get(name);
  if (seen && block <= seen.block) return (now() - seen.time) / 1000;
  shared.heads.set(name, { block, time: now() });
  return 0;
}

/** Returns the variables of an operation for the rows after a cursor. */
export function beginAfter<P extends string, R, V>(
  { page }: Pick<PortableOperation<P, R, V, "pages">, "page">,
  variables: Given<V>,
  after: string | null,
): Given<V> {
  if (after === null || !page) return variables;
  const { cursor, after: name, filter = "", direction } = page;
  const given = { ...variables } as Readonly<Record<string, unknown>>;
  if (name !== null) return { ...given, [name]: after } as Given<V>;
  const condition = { [`${cursor}_${direction === "asc" ? "gt" : "lt"}`]: after };
  return { ...given, [filter]: given[filter] ? { and: [given[filter], condition] } : condition } as Given<V>;
}

/**
 * Returns the cursor of the last row; `after` without rows, and undefined if a row is not beyond the one before it.
 *
 * @param seen the cursors of earlier pages, to which those of the rows are added. Text cursors are only checked for
 *   duplicates, because some databases sort text by a language's rules.
 */
export function readCursors(
  rows: readonly object[],
  { cursor, direction, kind }: PagePlan,
  after: string | null,
  seen: Set<string> = new Set(),
): string | null | undefined {
  const own = new Set<string>();
  let last = after;
  for (const row of rows) {
    const value: unknown = row[cursor as keyof typeof row];
    const text = String(value);
    if (!/string|number/.test(typeof value) || text === last || own.has(text) || seen.has(text))
      return undefined;
    if (kind !== "number") own.add(text);
    else if (last !== null && BigInt(text) < BigInt(last) === (direction === "asc")) return undefined;
    last = text;
  }
  for (const text of own) seen.add(text);
  return last;
}
