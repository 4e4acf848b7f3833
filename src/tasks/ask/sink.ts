import { basename, dirname } from "node:path";
import * as v from "valibot";
import { FileError, UsageError } from "../../base/errors.ts";
import { object, parseShape, text } from "../../base/parse-json.ts";
import { readText } from "../../base/read-files.ts";
import { writeFiles } from "../../base/write-files.ts";
import { STYLE_NAMES, type StyleName } from "../../dialects/surface.ts";
import type { BlockRef } from "../../runtime/client/inquiry.ts";
import type { Asked } from "../ask.ts";
import type { AskedChain, AskedRows, PagePlace } from "./ask-chains.ts";
import type { Format } from "./formats.ts";
import type { Extent } from "./growing-file.ts";

/** Takes rows as they come. */
export type RowSink = {
  /** What it holds of chains from an earlier run. */
  readonly chains: ReadonlyMap<string, ChainState>;
  /** How many rows it has taken, in earlier runs too. */
  readonly rows: () => number;
  /** False where nobody takes any more. */
  readonly take: (asked: AskedRows) => Promise<boolean>;
  /**
   * Ends what was taken. Where nothing was, not even that there is nothing, nothing is written.
   *
   * @param isComplete whether all that was asked for was taken.
   */
  readonly finish: (isComplete: boolean) => Promise<void>;
  /** Leaves it as it is. */
  readonly stop: () => void;
};

/**
 * Creates what writes rows as they come.
 *
 * @param write false where nobody reads any more.
 */
export function createStreamSink(format: Format, write: (text: string) => Promise<boolean>): RowSink {
  let rows = 0;
  let isBegun = false;
  return {
    chains: new Map(),
    rows: () => rows,
    take: async (asked) => {
      const text = (isBegun ? "" : format.begin) + format.rows(asked.rows, rows === 0);
      isBegun = true;
      rows += asked.rows.length;
      return text === "" || write(text);
    },
    finish: async () => {
      const end = format.end(rows === 0);
      if (isBegun && end !== "") await write(end);
    },
    stop: () => {},
  };
}

/**
 * Creates what puts a file in the place of another once it has all rows.
 *
 * @param path absolute.
 * @param shownPath what errors call it.
 */
export async function createFileSink(path: string, shownPath: string, format: Format): Promise<RowSink> {
  if ((await readText(resumePath(path))) !== null) return refuseUnfinished(shownPath);
  const texts: string[] = [];
  const sink = createStreamSink(format, async (text) => {
    texts.push(text);
    return true;
  });
  let isBegun = false;
  return {
    ...sink,
    take: (asked) => {
      isBegun = true;
      return sink.take(asked);
    },
    finish: async (isComplete) => {
      await sink.finish(isComplete);
      if (isBegun) await writeFiles(dirname(path), [{ path: basename(path), content: texts.join("") }]);
    },
  };
}

/** What came of a question whose rows went somewhere. */
export type Delivery = {
  /** Whether all rows were delivered, only some because chains failed, none for that reason, or somebody ended it. */
  readonly ended: "all" | "some" | "nothing" | "interrupted" | "unread";
  /** What came of the chains that were asked. */
  readonly chains: readonly AskedChain[];
};

/**
 * Asks, and delivers the rows as they come, from where an earlier run has come to.
 *
 * @param onRows is told of each part that was delivered, by the chain that it is of.
 */
export async function deliverRows(
  asked: Pick<Asked, "rows">,
  sink: RowSink,
  { signal, onRows }: { readonly signal: AbortSignal; readonly onRows: (chain: string | null) => void },
): Promise<Delivery> {
  const before = [...sink.chains];
  const chains: AskedChain[] = [];
  const rows = asked.rows({
    signal,
    places: new Map(before.flatMap(([chain, { place }]) => (place ? [[chain, place]] : []))),
    done: new Set(before.flatMap(([chain, { isDone }]) => (isDone ? [chain] : []))),
    onChain: (chain) => chains.push(chain),
  });
  try {
    for await (const part of rows) {
      if (!(await sink.take(part))) return { ended: "unread", chains };
      onRows(part.chain);
    }
  } catch (error) {
    sink.stop();
    if (!signal.aborted) throw error;
    return { ended: "interrupted", chains };
  }
  const failed = chains.filter(({ error }) => error !== null);
  await sink.finish(failed.length === 0);
  if (failed.length === 0) return { ended: "all", chains };
  const isNothing =
    sink.rows() === 0 && failed.length === chains.length && !before.some(([, one]) => one.isDone);
  return { ended: isNothing ? "nothing" : "some", chains };
}

/** How far an export has come, as it is kept beside it until it is complete. */
export type ResumeState = {
  /** What is exported, by aspect: another one would be another file. */
  readonly question: Readonly<Record<string, string>>;
  /** Which run wrote this. */
  readonly writer: ProcessId;
  /** What the file holds of it. */
  readonly extent: Extent;
  readonly rows: number;
  /** The chains of which something is known. */
  readonly chains: ReadonlyMap<string, ChainState>;
};

/** A process; the host is a short hash of its name. */
export type ProcessId = { readonly host: string; readonly process: number };

/** How far it has come on a chain. */
export type ChainState = {
  /** Null where the chain has no rows. */
  readonly place: PagePlace | null;
  /** Whether the chain has no more. */
  readonly isDone: boolean;
};

/** Where the state of an export is kept. */
export function resumePath(out: string): string {
  return `${out}.resume.json`;
}

/** Refuses to write what an earlier run has not finished, unless somebody goes on with it. */
export function refuseUnfinished(out: string, rows?: number): never {
  throw new UsageError({
    sentence: `${out} is an export that was not finished${rows === undefined ? "" : `: it has ${rows} rows so far`}.`,
    hint: `go on with --resume, or delete ${resumePath(out)} to begin anew.`,
  });
}

/** Renders a state as JSON for a later run. */
export function renderResumeState({ question, writer, extent, rows, chains }: ResumeState): string {
  const list = [...chains].map(([chain, { place, isDone }]) => ({ chain, done: isDone, ...place }));
  const { length: bytes, hash: sha256 } = extent;
  return `${JSON.stringify({ version: 1, question, writer, bytes, sha256, rows, chains: list }, null, 2)}\n`;
}

/**
 * Parses a state that an earlier run kept.
 *
 * @param path what errors call it.
 * @throws FileError for what no run has written.
 */
export function parseResumeState(json: string, path: string): ResumeState {
  const { question, writer, bytes, sha256, rows, chains } = parseShape(
    json,
    STATE,
    { chains: "chain" },
    (reason) =>
      new FileError({
        code: "FILE_UNREADABLE",
        sentence: `${path} does not say how far the export has come: ${reason}.`,
        hint: "delete it to begin anew.",
      }),
  );
  return {
    question,
    writer,
    extent: { length: bytes, hash: sha256 },
    rows,
    chains: new Map(
      chains.map(({ chain, done, cursor, style, block = null }) => {
        const place = cursor === undefined || style === undefined ? null : { cursor, style, block };
        return [chain, { place, isDone: done }];
      }),
    ),
  };
}

const COUNT = v.custom<number>((value) => Number.isSafeInteger(value) && Number(value) >= 0, "is no number");
const TEXT = v.string("is no text");

const BLOCK = v.custom<BlockRef>(isBlockRef, "is no block");

const CHAIN = object({
  chain: TEXT,
  done: v.boolean("is neither true nor false"),
  cursor: v.optional(TEXT),
  style: v.optional(
    v.custom<StyleName>((value) => STYLE_NAMES.some((style) => style === value), "is no style"),
  ),
  block: v.optional(v.nullable(BLOCK)),
});

const STATE = object({
  version: v.literal(1, "is another one's"),
  question: v.record(v.string(), TEXT, "is not an object"),
  writer: object({ host: TEXT, process: COUNT }),
  bytes: COUNT,
  sha256: text((value) => /^[\da-f]{64}$/.test(value), "is no hash"),
  rows: COUNT,
  chains: v.array(CHAIN, "is not a list"),
});

function isBlockRef(value: unknown): boolean {
  const { number, hash, ...others } = Object(value) as { readonly number?: unknown; readonly hash?: unknown };
  if (Object.keys(others).length > 0) return false;
  return number === undefined
    ? typeof hash === "string" && /^0x[\da-f]+$/i.test(hash)
    : hash === undefined && Number.isSafeInteger(number);
}
