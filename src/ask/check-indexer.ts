import type { Client } from "../../packages/client/src/client/client-types.ts";
import { IndexerError } from "../../packages/client/src/client/indexer-error.ts";
import type { Head } from "../../packages/client/src/requests/heads.ts";
import type { StyleName } from "../dialects/surface.ts";
import type { IndexerHead, LoggedChain, ReadHead } from "./asked-rows.ts";
import type { Question } from "./prepare-question.ts";

/** @throws IndexerError if an indexer is behind a known chain, and KeptRows if it was built again. */
export function requireSameIndexer(
  chain: string,
  {
    known,
    head,
    style,
    hour,
    feedName,
  }: {
    readonly known: LoggedChain;
    readonly head: IndexerHead;
    readonly style: StyleName;
    /** How many blocks an hour has, or more. */
    readonly hour: number;
    /** The feed of changes; null without one. */
    readonly feedName: string | null;
  },
): void {
  const deployment = known.deployments[style] ?? null;
  if (deployment !== null && head.deployment !== null && deployment !== head.deployment) {
    throw builtAgain(chain, "it is another deployment than before");
  }
  if (head.block < known.head - hour) {
    throw builtAgain(chain, `it is at block ${head.block}, and was at block ${known.head}`);
  }
  if (head.block < known.head) throw behind(chain, head.block, known.head);
  if (feedName !== (known.feed?.name ?? null)) {
    throw keptRows(
      chain,
      `Changes of ${chain} are now found by ${feedName ?? "no feed"} instead of ${known.feed?.name ?? "no feed"}.`,
    );
  }
}

/** A refusal to make earlier rows void. Another style would not change it. */
export class KeptRows extends IndexerError {}

export function keptRows(
  chain: string,
  reason: string,
  hint = ` --reread ${chain} to read all of its rows again`,
) {
  return new KeptRows("inconsistent", `${reason} Its earlier rows are kept; add${hint}.`);
}

export function builtAgain(chain: string, reason: string): KeptRows {
  return keptRows(
    chain,
    `The indexer of ${chain} was built again: ${reason}. Earlier rows may have other values.`,
  );
}

export function behind(chain: string, block: number, known: number): IndexerError {
  return new IndexerError("behind", `The indexer of ${chain} is at block ${block}, before block ${known}.`);
}

/** Returns whether the known head of a chain cannot be right, so that rows at a lower one may replace its rows. */
export async function isHeadWrong(
  {
    client,
    question: { protocol, styles },
    reading: { chain, style, signal, readHead },
  }: {
    readonly client: Client;
    readonly question: Question;
    readonly reading: Pick<HeadRequest, "chain" | "style" | "signal"> & { readonly readHead: ReadHead };
  },
  known: LoggedChain,
  head: IndexerHead,
): Promise<boolean> {
  if (head.block >= known.head) return false;
  const secondsPerBlock = client.routes.chains[chain]?.secondsPerBlock ?? null;
  if (head.time !== null && secondsPerBlock !== null) {
    const passed = Math.max(0, known.time - head.time);
    if (known.head > head.block + (2 * passed) / secondsPerBlock + 1000) return true;
  }
  for (const other of styles.filter((name) => name !== style)) {
    try {
      const { block } = await readHead(client, { protocol, chain, style: other, signal });
      return block < known.head;
    } catch (error) {
      if (!(error instanceof IndexerError)) throw error;
    }
  }
  return false;
}

/** @throws KeptRows if a chain has too few rows to replace its earlier ones. */
export function requireRows(
  chain: string,
  {
    rows,
    before,
    accepted = null,
  }: { readonly rows: number; readonly before: number; readonly accepted: number | null | undefined },
): void {
  if (before - rows <= before / 100 + 10 || (accepted !== null && rows >= accepted)) return;
  const reason = `The indexer of ${chain} was built again, or lacks rows: it has ${rows} now, and had ${before}.`;
  throw keptRows(chain, reason, ` --reread ${chain}=${rows} to accept that`);
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
