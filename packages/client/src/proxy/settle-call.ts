import { each } from "../calls/each.ts";
import { type Feed, readFeed } from "../calls/feed.ts";
import { health } from "../calls/health.ts";
import { merged } from "../calls/merged.ts";
import { firstChainPlaces, openSources, placesOf, readSources } from "../calls/pages-of-chains.ts";
import { firstPlace, readPage, type Walk } from "../calls/read-page.ts";
import { run } from "../calls/run.ts";
import { startCall } from "../calls/start-call.ts";
import { listKeys } from "../client/chain-ref.ts";
import type { Client } from "../client/client-types.ts";
import { failureOf, IndexerError } from "../client/indexer-error.ts";
import { own } from "../client/values.ts";
import { readClock, type Signal } from "../requests/platform.ts";
import { type Next, readNext, writeNext } from "./next.ts";
import type { ParsedCall } from "./parse-call.ts";

/** The largest answer, and the largest sum of its lines, in bytes. */
export const MOST_BYTES = 16_777_216;

/** How a call is answered in lines. */
export type Channel = {
  readonly signal: Signal;
  /** Sends a line; returns false, and sends nothing, if all lines would have more bytes than `most`, by default 16 MB. */
  readonly emit: (line: object, most?: number) => boolean;
};

/**
 * Runs the call of a page.
 *
 * @returns its result; undefined if it was sent in lines.
 * @throws IndexerError, and the reason of the signal if it is aborted.
 */
export async function settleCall(client: Client, parsed: ParsedCall, channel: Channel): Promise<unknown> {
  const { options } = parsed;
  const { signal } = channel;
  const { operation, variables } = parsed as unknown as Pick<Running, "operation" | "variables">;
  const call: Running = { parsed, operation, variables, client };
  const asked = { ...options, signal } as never;
  switch (parsed.call) {
    case "run":
      return run(client as never, operation as never, variables, asked);
    case "each":
      return sendEach(call, channel);
    case "merged":
      return shareData(await merged(client as never, operation as never, variables, asked));
    case "pages":
      return sendPages(call, channel);
    case "watch":
      return poll(call, signal);
    case "health":
      return health(client as never, parsed.protocol as never, asked);
  }
}

type Running = Pick<Walk<string, Lists, never>, "client" | "operation" | "variables"> & {
  readonly parsed: ParsedCall;
};

type Lists = Readonly<Record<string, readonly object[]>>;

const tooLarge = () => new IndexerError("unavailable", "The answer is larger than 16 MB.");

async function sendEach({ client, operation, variables, parsed }: Running, channel: Channel): Promise<void> {
  const { signal, emit } = channel;
  const { options, protocol } = parsed;
  // Refuses an invalid call before the first line.
  startCall({ client, operation, variables }, options);
  emit({ chains: listKeys(client, protocol, options.chains as never) });
  await each(client as never, operation as never, variables, {
    ...options,
    chains: options.chains as never,
    signal,
    onResult: (result) => {
      const { chain, tried } = result;
      const isSent =
        result.status === "ok" ? emit({ result }) : emit({ chain, error: result.error, tried: result.tried });
      if (!isSent) emit({ chain, error: tooLarge().toJSON(), tried }, Infinity);
    },
  });
  // The last lines are small, and without them the answer is cut off.
  emit({ end: true }, Infinity);
}

/** Sends the data that several chains share once. */
function shareData({
  results,
  ...rest
}: Awaited<ReturnType<typeof merged<never, never, never, never, never>>>) {
  const all = results as readonly { readonly status: string; readonly data?: object }[];
  const data = [...new Set(all.map((result) => result.data))].filter((list) => list !== undefined);
  return {
    ...rest,
    data,
    results: all.map((result) => (result.data ? { ...result, data: data.indexOf(result.data) } : result)),
  };
}

/** Sends pages until the rows or the time of the call end. */
async function sendPages(call: Running, { signal, emit }: Channel): Promise<void> {
  const { client, operation, variables, parsed } = call;
  const { of, options } = parsed;
  const { next: text, count = Infinity, deadline } = options;
  const start: Next = text === undefined ? {} : readNext(text, of);
  const walk = { client, operation, variables };
  const isScreen = count < Infinity;
  const read =
    options.chains === undefined ? openChain(start, options) : openChains(start, { ...walk, options });
  let { pages = 0, rows = 0 } = start;
  let failedBefore: readonly string[] = Object.entries(start.places?.chains ?? {})
    .filter(([, { error }]) => error)
    .map(([chain]) => chain);
  // A chain that hangs leaves time for the others, and for its second attempt.
  const keys = options.chains === undefined ? [] : listKeys(client, parsed.protocol, options.chains as never);
  const first = keys.length > 1 ? deadline / 2 : deadline;
  const end = readClock() + deadline;
  const isLate = (index: number) => index > 0 && readClock() >= end;
  for (let index = 0; index < count; index++) {
    if (isLate(index)) break;
    const left = index === 0 ? first : end - readClock();
    const answer = await read({ ...walk, options: { ...options, signal, isScreen, deadline: left } }).catch(
      (error: unknown) => {
        if (isLate(index)) return null;
        throw error;
      },
    );
    if (!answer) break;
    const { page, next, facts } = answer;
    const { failed = [], heads } = facts;
    const isEmpty = page.rows.length === 0;
    // The chains of a late page may have failed because of the time, but a chain has only two attempts.
    if (isLate(index) && !(isEmpty && failed.every((chain) => failedBefore.includes(chain)))) break;
    failedBefore = failed;
    const counts = { pages: pages + Number(!isEmpty), rows: rows + page.rows.length };
    const isSent =
      (isEmpty && !isScreen) ||
      emit({ page, next: next && writeNext(of, { ...next, ...counts, ...(heads && { heads }) }) });
    if (!isSent && index === 0) throw tooLarge();
    if (!isSent) break;
    ({ pages, rows } = counts);
    if (!next || isEmpty) {
      emit({ end: true, ...counts, ...facts, complete: failed.length === 0 }, Infinity);
      return;
    }
  }
  emit({ more: true }, Infinity);
}

/** Reads the next page of a walk. */
type Read = (walk: Walk<string, Lists, never>) => Promise<{
  readonly page: { readonly rows: readonly unknown[] };
  readonly next: Next | null;
  /** The position and state at the end. */
  readonly facts: { readonly failed?: readonly string[]; readonly heads?: NonNullable<Next["heads"]> };
}>;

function openChain({ place }: Next, options: ParsedCall["options"]): Read {
  const seen = new Set<string | null>();
  let at = place ?? firstPlace(options);
  return async (walk) => {
    const { page, next, end } = await readPage(walk, at, seen);
    at = end;
    return { page, next: next && { place: next }, facts: { cursor: page.cursor } as object };
  };
}

function openChains(
  { places, heads = {} }: Next,
  walk: Omit<Running, "parsed"> & { readonly options: ParsedCall["options"] },
): Read {
  const first = places ?? firstChainPlaces(walk, walk.options as never);
  const sources = openSources<Lists>(first);
  // The end of a walk has the heads of all chains, a page of a screen those that were read for it.
  const isWalk = walk.options.count === undefined;
  for (const source of isWalk ? sources.all : []) {
    const head = own(heads, source.chain);
    if (head !== undefined) source.head = head;
  }
  let index = first.index;
  return async (asked) => {
    const { page, ...facts } = await readSources(asked, sources, index++);
    return { page, next: page.hasMore ? { places: placesOf(sources, index) } : null, facts };
  };
}

/** Reads the new rows of the chains that are due, once. */
async function poll({ client, operation, variables, parsed }: Running, signal: Signal): Promise<object> {
  const { options, of, protocol } = parsed;
  const { next: text, confirmations = 0, deadline, size = 1000 } = options;
  const due = listKeys(client, protocol, options.chains as never);
  const start = options as unknown as { readonly chains: never; readonly after?: string };
  const feeds: readonly Feed[] =
    (text === undefined ? undefined : readNext(text, of).feeds) ??
    Object.entries(firstChainPlaces({ client, operation }, start).chains).map(([chain, { after }]) => {
      return { chain, after, marks: [] };
    });
  const asked = feeds.filter(({ chain }) => due.includes(chain));
  // With confirmations, a chain is requested twice.
  const each = { ...options, size, signal, deadline: confirmations > 0 ? deadline / 2 : deadline };
  const walk = { client, operation, variables, options: each };
  startCall({ client, operation, variables }, each);
  const position = new Map(feeds.map(({ chain, after }) => [chain, after]));
  const batches: object[] = [];
  const failed: object[] = [];
  const more: string[] = [];
  const chains: string[] = [];
  let bytes = 0;
  await Promise.all(
    asked.map(async (feed) => {
      const { chain } = feed;
      const before = { ...feed };
      try {
        const { rows, isOpen } = await readFeed(walk, feed, confirmations);
        if (rows.length > 0) bytes += JSON.stringify(rows).length;
        // Not all first batches of many chains fit into one answer.
        const isKept = bytes < MOST_BYTES / 3 || batches.length === 0;
        if (!isKept) Object.assign(feed, before);
        chains.push(chain);
        if (isOpen || !isKept) more.push(chain);
        if (!isKept || rows.length === 0) return;
        position.set(chain, feed.after);
        batches.push({ chain, rows, cursor: JSON.stringify(Object.fromEntries(position)) });
      } catch (error) {
        failed.push({ chain, error: failureOf(error, { signal }).toJSON() });
      }
    }),
  );
  return { chains, batches, failed, more, next: writeNext(of, { feeds }) };
}
