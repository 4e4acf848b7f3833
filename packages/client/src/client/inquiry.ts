import type { StyleName } from "../manifest/manifest-types.ts";
import type { BlockRef, Inquiry, MaxLag, MinBlock } from "./client-types.ts";
import type { Head } from "./heads.ts";
import { Deadline, type Failure, IndexerError, type PlainError, refuseValue } from "./indexer-error.ts";
import { mapVariables } from "./map-variables.ts";
import { platform, type Signal } from "./platform.ts";
import { FORMAT } from "./portable-operation.ts";
import { own } from "./values.ts";
import { MOST_MILLISECONDS, onAbort } from "./wait.ts";

/** The options of a call. */
export type AskOptions = {
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
 * Checks the options of a call, and runs its work with a signal that aborts at the deadline.
 *
 * @throws IndexerError `invalid-variables` before anything is sent, and the reason of the signal if it is aborted.
 */
export async function inquire<P extends string, R, V, T>(
  { client, ...question }: Pick<Inquiry<P, R, V>, "client" | "operation" | "variables">,
  options: AskOptions,
  work: (inquiry: Inquiry<P, R, V>) => Promise<T>,
): Promise<T> {
  const {
    style,
    signal,
    block,
    minBlock,
    maxLag,
    timeout = client.timeout,
    deadline = client.deadline,
  } = options;
  signal?.throwIfAborted();
  requireFormat(question.operation);
  mapVariables(question.operation, "subgraph", question.variables);
  // Properties that are undefined count as absent, as in JSON.
  if (block?.number !== undefined && block.hash !== undefined) {
    refuseValue("block", "a number or a hash, not both");
  }
  const isBlock = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
  const isByChain = typeof minBlock === "object";
  for (const [key, value] of Object.entries(isByChain ? minBlock : { "": minBlock ?? 0 })) {
    if (isByChain && own(client.routes.chains, key) === undefined) {
      refuseValue("minBlock", "by the keys of chains", key);
    }
    if (!isBlock(value)) refuseValue(isByChain ? `minBlock.${key}` : "minBlock", "a block number", value);
  }
  if (block && minBlock !== undefined) refuseValue("minBlock", "omitted if block is given");
  const limit = new platform.AbortController();
  const late = () => limit.abort(new Deadline(deadline));
  const timer = platform.setTimeout(late, Math.min(deadline, MOST_MILLISECONDS));
  const forget = onAbort(signal, () => limit.abort(signal?.reason));
  const { styles, freshness } = client;
  // Without the head block, an answer does not show that it has reached `minBlock`.
  const asked = { timeout, styles: style ? [style] : styles, freshness: freshness || minBlock !== undefined };
  try {
    return await work({
      ...question,
      client: { ...client, ...asked },
      block,
      minBlock,
      maxLag,
      signal: limit.signal,
    });
  } finally {
    platform.clearTimeout(timer);
    forget();
  }
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
  /** Whether rows are missing because the host returns at most `maxRows` at once. */
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

/** Refuses a constant that was generated for another version of this package. */
function requireFormat({ name, format }: { readonly name: string; readonly format: unknown }): void {
  if (format === FORMAT) return;
  throw new IndexerError(
    "rejected",
    `${name} was generated for another version of lockflow-client. Run "lockflow generate" with the installed version.`,
  );
}
