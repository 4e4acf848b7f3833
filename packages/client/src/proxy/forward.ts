import { headsOperation } from "../calls/health.ts";
import { findKey } from "../client/chain-ref.ts";
import type { Client, ProxyRequest } from "../client/client-types.ts";
import { IndexerError } from "../client/indexer-error.ts";
import type { Kind, PortableOperation } from "../client/portable-operation.ts";
import { own } from "../client/values.ts";
import { HEALTH } from "../requests/heads.ts";
import type { Signal } from "../requests/platform.ts";
import { findTarget } from "../requests/query-endpoint.ts";
import type { Data } from "../requests/read-answer.ts";
import { send } from "../requests/send.ts";
import { pausedError, pauseOf } from "../requests/send-with-retries.ts";
import { inSlot } from "../requests/slots.ts";
import { mapVariables } from "../variables/map-variables.ts";

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
  { protocol, operation: name, style, chains, variables, block, heads }: ProxyRequest,
  signal: Signal | undefined,
): Promise<Data> {
  const keys = [...new Set(chains.map((chain) => findKey(client, chain)))];
  const chainIds = keys.flatMap((key) => own(client.routes.chains, key)?.chainId ?? []);
  const operation =
    name === HEALTH
      ? headsOperation(protocol, chainIds)
      : operations.find((one) => one.name === name && one.protocol === protocol);
  if (!operation)
    throw new IndexerError(
      "rejected",
      `Unknown operation "${name.slice(0, 40)}" of ${protocol.slice(0, 40)}.`,
      { status: 404 },
    );
  const call = {
    ...{ client, operation, signal, block, styles: [style] },
    variables: variables as never,
    // The operation of `health` requests them itself.
    heads: heads && name !== HEALTH,
    // The deadline is that of the page.
    ...{ timeout: client.timeout, deadline: Infinity, end: Infinity, state: {} },
  };
  const [target] = client.styles.includes(style) ? keys.map((key) => findTarget(call, style, key)) : [];
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
  // Unlike a client, a page may send anything.
  mapVariables(operation, style, variables as never, chainIds);
  const content = client.buildPart(call, style, keys);
  return inSlot(call, target.deployment, () => {
    const pause = pauseOf(client, target.host);
    if (pause > 0) throw pausedError(target, pause, { status: 429 });
    return send(call, target, { content, readBody: (value, read) => read(value) });
  });
}
