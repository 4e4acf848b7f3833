import type { Feed } from "../calls/feed.ts";
import type { ChainPlaces } from "../calls/pages-of-chains.ts";
import type { Place } from "../calls/read-page.ts";
import { type ErrorCode, IndexerError, type PlainError } from "../client/indexer-error.ts";
import { IS_SHARED } from "../client/portable-operation.ts";
import { isObject, own } from "../client/values.ts";
import type { Head } from "../requests/heads.ts";
import { parseJson } from "../requests/read-answer.ts";
import { readBlock, refuseRequest } from "./parse-options.ts";

/** The position of a call, which the next call of the page sends back. */
export type Next = {
  readonly place?: Place;
  readonly places?: ChainPlaces;
  readonly feeds?: readonly Feed[];
  /** The numbers of pages and rows before it. */
  readonly pages?: number;
  readonly rows?: number;
  /** The last heads of several chains. */
  readonly heads?: Readonly<Record<string, Head | null>>;
};

type ChainPlace = ChainPlaces["chains"][string];

/** The longest text, and the longest message of an error in it. */
const MOST_LENGTH = 16_384;
const MOST_MESSAGE = 200;

/** The most marks of a chain. With fewer, rows are confirmed later, but none is lost. */
const MOST_MARKS = 8;

/** Renders a position, with the call that it belongs to. */
export function writeNext(of: string, { place, places, feeds, ...counts }: Next): string {
  return JSON.stringify({
    of,
    ...counts,
    place,
    places: places && { ...places, chains: mapValues(places.chains, shorten) },
    feeds: feeds?.map(({ chain, after, marks }) => ({ chain, after, marks: thin(marks) })),
  });
}

function shorten({ error, ...place }: ChainPlace): object {
  return {
    ...place,
    ...(error && { error: { code: error.code, message: error.message.slice(0, MOST_MESSAGE) } }),
  };
}

/** Drops the second newest marks: the oldest are confirmed soon, and rows after the newest one are read next. */
function thin(marks: Feed["marks"]): Feed["marks"] {
  return marks.length > MOST_MARKS ? [...marks.slice(0, MOST_MARKS - 1), ...marks.slice(-1)] : marks;
}

/**
 * Parses a position, which any page may have written. One without `of` is that of a query that a server prefetched.
 *
 * @throws IndexerError `rejected` for that of another call, operation or variables.
 */
export function readNext(text: string, of: string): Next {
  const value = text.length > MOST_LENGTH ? undefined : parseJson(text);
  if (!isObject(value)) return refuseNext();
  const { of: from = of, place, places, feeds, pages = 0, rows = 0, heads, ...bare } = value;
  if (from !== of) return refuseRequest(400, "options.next belongs to another call.");
  if (feeds !== undefined) {
    const read = readList(feeds).map(readFeed);
    // Each chain once.
    return { feeds: [...new Map(read.map((feed) => [feed.chain, feed])).values()] };
  }
  const counts = { pages: readCount(pages), rows: readCount(rows) };
  const several = places ?? ("chains" in bare ? bare : undefined);
  if (several === undefined) return { ...counts, place: readPlace(place ?? bare) };
  if (!isObject(several) || !isObject(several["chains"])) return refuseNext();
  return {
    ...counts,
    ...(isObject(heads) && { heads: mapValues(heads, readHead) }),
    places: { index: readCount(several["index"]), chains: mapValues(several["chains"], readChainPlace) },
  };
}

function readPlace(value: unknown): Place {
  const { index, after, style, block } = Object(value);
  if (style !== undefined && own(IS_SHARED, style) === undefined) refuseNext();
  return {
    index: readCount(index),
    after: readCursor(after),
    style,
    block: readBlock(block, "options.next"),
  };
}

function readChainPlace(value: unknown): ChainPlace {
  const { isEnded, error } = Object(value);
  return {
    ...readPlace(value),
    ...(isEnded === true && { isEnded }),
    ...(error !== undefined && { error: readError(error) }),
  };
}

function readHead(value: unknown): Head | null {
  if (value === null) return null;
  const { block, hash, time, lag, isEstimate, behindBlocks } = Object(value);
  const numberOf = (field: unknown) => (typeof field === "number" ? field : null);
  return {
    block: readCount(block),
    hash: typeof hash === "string" ? (hash as `0x${string}`) : null,
    time: numberOf(time),
    lag: numberOf(lag),
    isEstimate: isEstimate === true,
    behindBlocks: numberOf(behindBlocks),
  };
}

function readError(value: unknown): PlainError {
  const { code, message } = Object(value);
  if (typeof code !== "string" || typeof message !== "string") refuseNext();
  return new IndexerError(code as ErrorCode, message.slice(0, MOST_MESSAGE)).toJSON();
}

function readFeed(value: unknown): Feed {
  const { chain, after, marks } = Object(value);
  if (typeof chain !== "string") refuseNext();
  const read = (mark: unknown) => {
    const { block, after } = Object(mark);
    return { block: readCount(block), after: readCursor(after) ?? refuseNext() };
  };
  return { chain, after: readCursor(after), marks: readList(marks).map(read) };
}

function readCursor(value: unknown): string | null {
  return typeof value === "string" || value === null ? value : refuseNext();
}

function readCount(value: unknown): number {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : refuseNext();
}

function readList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : refuseNext();
}

function refuseNext(): never {
  return refuseRequest(400, "options.next is not valid.");
}

function mapValues<A, B>(values: Readonly<Record<string, A>>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}
