import type { BlockRef, Call, CallState, Client, MaxLag, MinBlock } from "../client/client-types.ts";
import { type Failure, IndexerError, type PlainError, refuseValue } from "../client/indexer-error.ts";
import { blockVariable, FORMAT, IS_SHARED } from "../client/portable-operation.ts";
import { isObject, own } from "../client/values.ts";
import type { StyleName } from "../manifest/manifest-types.ts";
import type { Head } from "../requests/heads.ts";
import { readClock, type Signal } from "../requests/platform.ts";
import { throwIfAborted } from "../requests/wait.ts";
import { convertVariables } from "../variables/map-variables.ts";
import { blockNumber } from "../variables/readers.ts";

/** The options of a call. */
export type CallOptions = {
  /** The only style to request. @default those of the client, in their order */
  readonly style?: StyleName | undefined;
  readonly signal?: Signal | undefined;
  /** The block of the answer; only subgraphs have past blocks. @default the last one */
  readonly block?: BlockRef | undefined;
  /**
   * The block that an answer must have reached, of every chain or by the key of a chain: `{ base: 123 }`. The client waits
   * for it until the deadline.
   *
   * @default none
   */
  readonly minBlock?: MinBlock | undefined;
  /** Maximum lag of an answer. @default that of the client */
  readonly maxLag?: MaxLag | undefined;
  /** The time limit of one HTTP request, in milliseconds. @default that of the client */
  readonly timeout?: number | undefined;
  /** The time limit of the call with its retries, in milliseconds. @default that of the client */
  readonly deadline?: number | undefined;
};

/**
 * Checks the options and variables of a call.
 *
 * @throws IndexerError `invalid-variables`, and the reason of the signal if it is aborted.
 */
export function startCall<P extends string, R, V>(
  { client, operation, variables }: Pick<Call<P, R, V>, "client" | "operation" | "variables">,
  options: CallOptions & { readonly state?: CallState | undefined },
): Call<P, R, V> {
  const { style, signal, state = {} } = options;
  const { maxLag = client.maxLag, timeout = client.timeout, deadline = client.deadline } = options;
  const styles = style ? [style] : client.styles;
  for (const name of styles) {
    if (own(IS_SHARED, name) === undefined) refuseValue("style", '"multichain" or "subgraph"', name);
  }
  if (signal && !signal.addEventListener) refuseValue("signal", "an AbortSignal", signal);
  throwIfAborted(signal);
  for (const [name, limit] of Object.entries({ timeout, deadline })) {
    if (!(limit >= 0)) refuseValue(name, "a number of ms", limit);
  }
  if (operation.format !== FORMAT) {
    throw new IndexerError(
      "rejected",
      `${operation.name} is of another lockflow-client. Run "lockflow generate".`,
    );
  }
  const mapped = convertVariables(operation, "subgraph", { variables });
  const minBlock = readMinBlock(client, options.minBlock);
  const given = readBlock(options.block);
  if (given && operation.pinned) refuseValue("block", "omitted: the operation names a block");
  // A block of the text has no properties here: it only excludes the style without past blocks.
  const named = (operation.pinned ? {} : mapped[blockVariable(operation)]) as BlockRef<number> | undefined;
  const block = given ?? named;
  if (block && minBlock !== undefined) refuseValue("minBlock", "omitted with a block");
  return {
    // Not a spread of a shorter literal, which takes 100 times as long.
    client,
    operation,
    variables,
    signal,
    block,
    minBlock,
    maxLag,
    timeout,
    deadline,
    state,
    styles,
    end: readClock() + deadline,
    // Without the head block, an answer does not show that it has reached `minBlock`.
    heads: client.freshness || minBlock !== undefined,
  };
}

/** Returns the block of a call. Properties that are undefined count as absent, as in JSON. */
function readBlock(block: BlockRef | undefined): BlockRef<number> | undefined {
  const { number, hash }: { readonly number?: unknown; readonly hash?: unknown } = block ?? { hash: "" };
  const isValid = number === undefined ? typeof hash === "string" : hash === undefined;
  if (!isValid) refuseValue("block", "either { number } or { hash }", block);
  return number === undefined
    ? (block as BlockRef<number> | undefined)
    : { number: blockNumber(number, "block") };
}

function readMinBlock({ routes }: Client, minBlock: MinBlock | undefined): MinBlock<number> | undefined {
  const readLeast = (least: unknown) => blockNumber(least, "minBlock");
  if (!isObject(minBlock)) return minBlock === undefined ? minBlock : readLeast(minBlock);
  const entries = Object.entries(minBlock).map(([key, least]) =>
    own(routes.chains, key) ? [key, readLeast(least)] : refuseValue("minBlock", "keyed by chain", key),
  );
  return Object.fromEntries(entries);
}

/** The result for a chain. */
export type Settled<R, C> = Success<R, C> | Failed<C>;

/** An answer. */
export type Success<R, C> = {
  readonly status: "ok";
  readonly chain: C;
  /** The style that answered. */
  readonly style: StyleName;
  readonly data: R;
  /** The block of the answer; null if it was not requested. */
  readonly head: Head | null;
  /** Whether there may be more rows: a root list is as long as its `first`, or the row cap of a host was reached. */
  readonly hasMore: boolean;
  /** Earlier failures, in order. */
  readonly tried: readonly Failure[];
};

/** A failure. */
export type Failed<C> = {
  readonly status: "failed";
  readonly chain: C;
  /** A plain object with the code of the most specific failure. */
  readonly error: PlainError;
  /** All failures, in order. */
  readonly tried: readonly Failure[];
};
