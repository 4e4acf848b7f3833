import type { Endpoint } from "../manifest/manifest-types.ts";
import type { EndpointRequest, StyleName } from "../manifest/project.ts";
import { timeOf } from "./answer-time.ts";
import { ask } from "./ask.ts";
import { buildPart } from "./build-part.ts";
import { rowOf } from "./chain-ref.ts";
import { checkData } from "./check-data.ts";
import type { Client } from "./client-options.ts";
import { beginAfter, readCursors } from "./cursors.ts";
import { type Head, takeHeads } from "./heads.ts";
import { hostOf } from "./host-of.ts";
import { type ErrorCode, IndexerError } from "./indexer-error.ts";
import type { Inquiry } from "./inquiry.ts";
import { own } from "./own.ts";
import type { Data } from "./read-answer.ts";
import { isFailing } from "./retry-budget.ts";
import type { Part } from "./send.ts";
import { sizeOf } from "./size-of.ts";

/** What an endpoint answered for one of its chains. */
export type Reading<R> = {
  readonly data: R;
  readonly head: Head | null;
  /** How many rows may be missing because the host's row cap was reached. */
  readonly capped: number;
  /** Why the answer is not good enough; null where it is. */
  readonly error: IndexerError | null;
};

/**
 * Finds where a chain is asked in a style; null where it is not served.
 *
 * @throws IndexerError `not-served` if the URL of the deployment is not configured.
 */
export function findTarget<P extends string, R, V>(
  { client, operation: { protocol, not, subgraph }, operation }: Inquiry<P, R, V>,
  style: StyleName,
  chain: string,
): Endpoint | null {
  if (not?.[style]?.includes(chain) || !own(client.routes.chains, chain)) return null;
  // Only what is served per chain has other environments.
  const environment = operation[style as "subgraph"] === subgraph ? client.environment : undefined;
  try {
    return client.endpoint({ protocol, style, chain, environment } as EndpointRequest);
  } catch (error) {
    throw new IndexerError("not-served", (error as Error).message, { style, cause: error });
  }
}

/** Returns styles in their order, but those last whose host failed twice in a row a short time ago. */
export function orderStyles<P extends string, R, V>(
  inquiry: Inquiry<P, R, V>,
  chain: string,
  styles: readonly StyleName[],
): readonly StyleName[] {
  const { client } = inquiry;
  const isLast = (style: StyleName): boolean => {
    try {
      const target = findTarget(inquiry, style, chain);
      return target !== null && isFailing(client, hostOf(client, style, target));
    } catch {
      return false;
    }
  };
  if (client.shared.failing.size === 0 || styles.length < 2) return styles;
  const last = styles.filter(isLast);
  return [...styles.filter((style) => !last.includes(style)), ...last];
}

/**
 * Asks an endpoint for some of its chains at once.
 *
 * @returns what it answered, by chain.
 * @throws IndexerError when it did not, and the reason of an abort.
 */
export async function askEndpoint<P extends string, R, V>(
  inquiry: Inquiry<P, R, V>,
  style: StyleName,
  target: Endpoint,
  keys: readonly string[],
): Promise<(chain: string) => Reading<R>> {
  const { client, operation, signal } = inquiry;
  const { part, read, fail } = prepare(inquiry, style, target, keys);
  const question = { operation: operation.name, style, target, parts: [part] };
  const [data] = await ask(client, question, signal);
  const readings = read(data as Data);
  const [chain = ""] = keys;
  const start = readings(chain);
  const { page } = operation;
  // Only rows of one chain have a cursor.
  if (keys.length > 1 || !page || !start.capped || start.error) return readings;
  const [key, , , first] = page;
  const rowsOf = (reading: Reading<R>) => reading.data[key as keyof R] as readonly object[];
  const after = readCursors(rowsOf(start), page, null) ?? null;
  const variables = { ...beginAfter(operation, inquiry.variables, after), [first]: start.capped };
  const rest = (await askEndpoint({ ...inquiry, variables }, style, target, keys))(chain);
  const rows = [...rowsOf(start), ...rowsOf(rest)];
  if (readCursors(rows, page, null) === undefined) throw fail("inconsistent", "returns rows out of order");
  return () => ({ ...rest, head: start.head, data: { ...start.data, [key]: rows } });
}

/** What an endpoint is asked for some of its chains, and how its answer is read: by chain. */
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
  const text = operation[style as "subgraph"];
  const chainIds = keys.map((key) => rowOf(client, key).chainId);
  const most = (typeof maxLag === "object" ? maxLag.seconds : maxLag) ?? (maxLag ? 0 : Infinity);
  const fail = (code: ErrorCode, said: string) =>
    new IndexerError(code, `${deployment}: it ${said}`, { style, deployment });
  return {
    part: buildPart(inquiry, style, keys),
    fail,
    read: (data) => {
      const progress = client.freshness ? takeHeads(data, style, timeOf(client, data)) : null;
      if (client.freshness && !progress) throw fail("unavailable", "does not tell its block");
      const { list, page, subgraph } = operation;
      const [key = page?.[0] ?? "", , first = page?.[3] ?? Infinity] = list ?? [];
      const size = sizeOf(subgraph, inquiry.variables, first, list ? 100 : Infinity);
      const wrong = checkData(data, operation, {
        text,
        chainIds,
        servesMore: chains.length > 1,
        size,
        hasHeads: client.freshness,
      });
      if (wrong) throw fail(...wrong);
      const { length = 0 } = (data[key] ?? []) as readonly unknown[];
      const capped = length < maxRows ? 0 : Math.max(0, size - length);
      const [only, ...others] = chainIds;
      const isWritten = text !== operation.subgraph;
      const odd = isWritten && operation.answer?.(data, others.length > 0 ? undefined : only);
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
        const error =
          progress && !head
            ? fail("not-served", `has nothing of ${chain}`)
            : head && head.block < 0
              ? fail("behind", `has not begun with ${chain}`)
              : head &&
                  block &&
                  (block.hash?.toLowerCase() ?? block.number) !== (block.hash ? head.hash : head.block)
                ? fail("inconsistent", `answers for block ${head.block}, which was not requested`)
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
