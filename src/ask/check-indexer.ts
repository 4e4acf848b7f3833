import type { Client } from "../../packages/client/src/client/client-types.ts";
import { IndexerError } from "../../packages/client/src/client/indexer-error.ts";
import type { Head } from "../../packages/client/src/requests/heads.ts";
import type { IndexerHead, LoggedChain, ReadHead } from "./asked-rows.ts";
import type { Question } from "./prepare-question.ts";

/**
 * Requires that an indexer is the one that a chain was read from.
 *
 * @param options `hour` is how many blocks an hour has, or more; `feed` is the feed of changes, null without one.
 * @throws IndexerError if it is behind, and KeptRows if it was built again.
 */
export function requireSameIndexer(
  logged: LoggedChain,
  head: IndexerHead,
  options: Pick<HeadRequest, "chain" | "style"> & { readonly hour: number; readonly feed: string | null },
): void {
  const { chain, style, hour, feed } = options;
  const deployment = logged.deployments[style] ?? null;
  if (deployment !== null && head.deployment !== null && deployment !== head.deployment) {
    throw builtAgain(chain, "it is another deployment than before");
  }
  if (head.block < logged.head - hour) {
    throw builtAgain(chain, `it is at block ${head.block}, and was at block ${logged.head}`);
  }
  if (head.block < logged.head) throw behind(chain, head.block, logged.head);
  const before = logged.feed?.name ?? null;
  if (feed === before) return;
  const reason = `Changes of ${chain} are now found by ${feed ?? "no feed"} instead of ${before ?? "no feed"}.`;
  throw keptRows(chain, reason);
}

/** A refusal to make earlier rows void. Another style would not change it. */
export class KeptRows extends IndexerError {}

function keptRows(chain: string, reason: string, hint = `${chain} to read all of its rows again`): KeptRows {
  return new KeptRows("inconsistent", `${reason} Its earlier rows are kept; add --reread ${hint}.`);
}

export function builtAgain(chain: string, reason: string): KeptRows {
  const sentence = `The indexer of ${chain} was built again: ${reason}.`;
  return keptRows(chain, `${sentence} Earlier rows may have other values.`);
}

export function behind(chain: string, block: number, before: number): IndexerError {
  const message = `The indexer of ${chain} is at block ${block}, before block ${before}.`;
  return new IndexerError("behind", message);
}

/** Returns whether the known head of a chain cannot be right, so that rows at a lower one may replace its rows. */
export async function isHeadWrong(
  client: Client,
  {
    logged,
    head,
    styles,
  }: { readonly logged: LoggedChain; readonly head: IndexerHead } & Pick<Question, "styles">,
  { readHead, ...request }: HeadRequest & { readonly readHead: ReadHead },
): Promise<boolean> {
  if (head.block >= logged.head) return false;
  const secondsPerBlock = client.routes.chains[request.chain]?.secondsPerBlock ?? null;
  if (head.time !== null && secondsPerBlock !== null) {
    const passed = Math.max(0, logged.time - head.time);
    if (logged.head > head.block + (2 * passed) / secondsPerBlock + 1000) return true;
  }
  for (const style of styles.filter((name) => name !== request.style)) {
    try {
      return (await readHead(client, { ...request, style })).block < logged.head;
    } catch (error) {
      if (!(error instanceof IndexerError)) throw error;
    }
  }
  return false;
}

/** @throws KeptRows if a chain has too few rows to replace its earlier ones. */
export function requireRows(
  chain: string,
  counts: { readonly rows: number; readonly before: number; readonly accepted: number | null },
): void {
  const { rows, before, accepted } = counts;
  if (before - rows <= before / 100 + 10 || (accepted !== null && rows >= accepted)) return;
  const reason = `The indexer of ${chain} was built again, or lacks rows: it has ${rows} now, and had ${before}.`;
  throw keptRows(chain, reason, `${chain}=${rows} to accept that`);
}

/** Returns 10 minutes of blocks, at most as many as graph-node keeps. */
export function defaultConfirmations(secondsPerBlock: number | null): number {
  return secondsPerBlock === null ? 64 : Math.min(200, Math.ceil(600 / secondsPerBlock));
}

/** @throws IndexerError if a head is not a block. */
export function requireBlock<T extends Head>(head: T, chain: string | null): T {
  // A multichain indexer that has not started returns -1.
  if (Number.isSafeInteger(head.block) && head.block >= -1)
    return { ...head, block: Math.max(0, head.block) };
  throw new IndexerError("inconsistent", `The indexer of ${chain ?? "the chain"} is at block ${head.block}.`);
}

type HeadRequest = Parameters<ReadHead>[1];
