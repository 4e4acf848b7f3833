import { findKey } from "../client/chain-ref.ts";
import type { Client, ProxyQuestion } from "../client/client-types.ts";
import { HEALTH, healthOperation } from "../client/heads.ts";
import { IndexerError } from "../client/indexer-error.ts";
import { readClock, type Signal } from "../client/platform.ts";
import type { Kind, PortableOperation } from "../client/portable-operation.ts";
import { findTarget } from "../client/query-endpoint.ts";
import type { Data } from "../client/read-answer.ts";
import { hostOf, send } from "../client/send.ts";
import { inSlot } from "../client/send-with-retries.ts";
import { own } from "../client/values.ts";

/** An operation of any protocol. */
export type AnyOperation = PortableOperation<string, unknown, never, Kind>;

/**
 * Forwards a request of a client to an endpoint once: the client retries. After a 429, requests of all pages are paused.
 *
 * @param operations the allowed operations; `health` is always allowed.
 * @returns the data of the answer, with its heads.
 * @throws IndexerError, with the HTTP status of the response if the request is invalid.
 */
export async function forward(
  client: Client,
  operations: readonly AnyOperation[],
  { protocol, operation: name, style, chains, variables, block, heads }: ProxyQuestion,
  signal: Signal | undefined,
): Promise<Data> {
  const keys = [...new Set(chains.map((chain) => findKey(client, chain)))];
  const chainIds = keys.flatMap((key) => own(client.routes.chains, key)?.chainId ?? []);
  const operation =
    name === HEALTH
      ? healthOperation(protocol, chainIds)
      : operations.find((one) => one.name === name && one.protocol === protocol);
  if (!operation)
    throw new IndexerError(
      "rejected",
      `Unknown operation "${name.slice(0, 40)}" of ${protocol.slice(0, 40)}.`,
      { status: 404 },
    );
  const inquiry = {
    client: { ...client, freshness: heads },
    operation,
    variables: variables as never,
    block,
  };
  const [target] = client.styles.includes(style) ? keys.map((key) => findTarget(inquiry, style, key)) : [];
  if (
    !target ||
    !keys.every((key) => target.chains.includes(key) && !operation.not?.[style]?.includes(key))
  ) {
    const place = `${style.slice(0, 40)} style on ${keys.join(", ").slice(0, 200)}`;
    throw new IndexerError("not-served", `No indexer serves ${name} in ${place}.`);
  }
  if (block && operation.past !== style) {
    throw new IndexerError("no-time-travel", `${name} cannot request a past block in ${style} style.`);
  }
  const parts = [client.buildPart(inquiry, style, keys)];
  const host = hostOf(client, style, target);
  return inSlot(client, signal, async () => {
    const pause = Math.ceil(((client.shared.paused.get(host) ?? 0) - readClock()) / 1000);
    if (pause > 0) {
      const { deployment } = target;
      const facts = { style, deployment, status: 429, retryAfter: pause };
      throw new IndexerError(
        "rate-limited",
        `${deployment} is paused after a 429; retry in ${pause} s.`,
        facts,
      );
    }
    const [data] = await send(inquiry.client, { operation: name, style, target, parts }, signal);
    return data as Data;
  });
}
