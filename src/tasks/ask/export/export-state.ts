import * as v from "valibot";
import type { BlockRef } from "../../../../packages/client/src/client/client-types.ts";
import { FileError, UsageError } from "../../../base/errors.ts";
import { object, parseShape, text } from "../../../base/parse-json.ts";
import { readText } from "../../../base/read-files.ts";
import { STYLE_NAMES, type StyleName } from "../../../dialects/surface.ts";
import type { ChainMark, PagePlace } from "../asked-rows.ts";

/** What an export contains, and how far it is. It is stored beside the file or folder. */
export type ExportState = {
  /** The question by aspect. If one differs, the export is another one. */
  readonly question: Readonly<Record<string, string>>;
  /** The number of finished runs that wrote rows. */
  readonly run: number;
  /** The rows of the file or folder. */
  readonly rows: number;
  /** The rows of a text file, without its end; null for other formats, and before the first run has ended. */
  readonly extent: Extent | null;
  /** The columns of a Parquet export with values that do not fit the type of their kind. */
  readonly wide: readonly string[];
  /** The number of rows that newer versions of them follow. */
  readonly versions: number;
  readonly chains: ReadonlyMap<string, ChainState>;
  /** The rows that are fetched, but not in the file or folder yet; null if there are none. */
  readonly pending: PendingRows | null;
};

/** The length and the hash of a file, or of its beginning. */
export type Extent = {
  /** In bytes. */
  readonly length: number;
  /** SHA-256, in hex. */
  readonly hash: string;
};

/** Rows in a file of their own, until a run ends. */
export type PendingRows = {
  readonly extent: Extent;
  readonly rows: number;
  /** The current versions of earlier rows, in another file. */
  readonly changes: Extent;
  readonly changed: number;
  /** The chains whose earlier rows are void. */
  readonly restarts: readonly string[];
  /** Whether earlier versions of rows are removed. */
  readonly isLatest: boolean;
  /** Whether the run has ended, so that the rows are being moved to the file or folder. */
  readonly isEnded: boolean;
  /** The text file with these rows, once it is written; null before, and for other formats. */
  readonly result: Extent | null;
};

/** The progress of one chain. */
export type ChainState = {
  /** Where the next page begins; null if the chain has no rows. */
  readonly place: PagePlace | null;
  /** Whether the chain has no more rows. */
  readonly isDone: boolean;
  /** The number of its rows. */
  readonly rows: number;
  /** The last block that was read; null if it is unknown. */
  readonly head: number | null;
  /** Where the next run continues; null if no page was read. */
  readonly mark: ChainMark | null;
};

/** Returns the path of the state of an export. */
export function statePath(out: string): string {
  return `${out}.lockflow.json`;
}

/**
 * Reads the time that relative times of an export count from, in milliseconds since 1970; null without one.
 *
 * @param out the path of the export.
 */
export async function readExportTime(out: string): Promise<number | null> {
  const json = await readText(statePath(out));
  const now = json === null ? undefined : parseState(json, statePath(out)).question["now"];
  return now !== undefined && /^\d{1,12}$/.test(now) ? Number(now) * 1000 : null;
}

/** Throws because an unfinished export would be overwritten. */
export function refuseUnfinished(out: string, rows?: number): never {
  throw new UsageError({
    sentence: `${out} is an unfinished export${rows === undefined ? "" : ` with ${rows} rows so far`}.`,
    hint: `continue with --resume, or delete ${statePath(out)} to start again.`,
  });
}

/** Returns whether an export has rows that are not in its file, or chains that are not read to their end. */
export function isUnfinished({ pending, chains }: ExportState): boolean {
  return pending !== null || [...chains.values()].some(({ isDone }) => !isDone);
}

/** Renders a state as JSON for a later run. */
export function renderState(state: ExportState): string {
  const { question, run, rows, extent, wide, versions, chains, pending } = state;
  const { operation = "", variables = "{}" } = question;
  const [name = "", protocol = ""] = operation.split(" of ");
  const rendered = {
    ...{ version: 1, operation: name, protocol, variables: JSON.parse(variables), run, rows },
    chains: [...chains].map(([chain, { place, isDone, rows: count, head, mark }]) => {
      return { chain, done: isDone, rows: count, head, ...place, mark };
    }),
    file: extent && renderExtent(extent),
    wide,
    versions,
    pending: pending && {
      ended: pending.isEnded,
      rows: pending.rows,
      ...renderExtent(pending.extent),
      changed: pending.changed,
      changes: renderExtent(pending.changes),
      restarts: pending.restarts,
      latest: pending.isLatest,
      result: pending.result && renderExtent(pending.result),
    },
    question,
  };
  return `${JSON.stringify(rendered, null, 2)}\n`;
}

function renderExtent({ length, hash }: Extent) {
  return { bytes: length, sha256: hash };
}

/**
 * Parses the state of an earlier run.
 *
 * @param path the path in errors.
 * @throws FileError for anything else.
 */
export function parseState(json: string, path: string): ExportState {
  const { question, run, rows, chains, file, wide, versions, pending } = parseShape(
    json,
    STATE,
    { chains: "chain" },
    (reason) =>
      new FileError({
        code: "FILE_UNREADABLE",
        sentence: `${path} is not the state of an export: ${reason}.`,
        hint: "delete it to start the export again.",
      }),
  );
  return {
    ...{ question, run, rows, wide, versions },
    extent: file && extentOf(file),
    pending: pending && {
      extent: extentOf(pending),
      rows: pending.rows,
      changes: extentOf(pending.changes),
      changed: pending.changed,
      restarts: pending.restarts,
      isLatest: pending.latest,
      isEnded: pending.ended,
      result: pending.result && extentOf(pending.result),
    },
    chains: new Map(
      chains.map(({ chain, done, cursor, style, block = null, ...counts }) => {
        const place = cursor === undefined || style === undefined ? null : { cursor, style, block };
        return [chain, { place, isDone: done, ...counts }];
      }),
    ),
  };
}

function extentOf({ bytes, sha256 }: { readonly bytes: number; readonly sha256: string }): Extent {
  return { length: bytes, hash: sha256 };
}

const COUNT = v.custom<number>(
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  "is not a whole number from 0",
);
const TEXT = v.string("is not a text");
const FLAG = v.boolean("is not true or false");

const BLOCK = v.custom<BlockRef>(isBlockRef, "is not a block");

const MARK = object({ before: v.nullable(TEXT), digest: v.nullable(TEXT) });

const CHAIN = object({
  chain: TEXT,
  done: FLAG,
  rows: COUNT,
  head: v.nullable(COUNT),
  mark: v.nullable(object({ tail: MARK, feed: v.nullable(MARK) })),
  cursor: v.optional(TEXT),
  style: v.optional(
    v.custom<StyleName>((value) => STYLE_NAMES.some((style) => style === value), "is not a style"),
  ),
  block: v.optional(v.nullable(BLOCK)),
});

const EXTENT = { bytes: COUNT, sha256: text((value) => /^[\da-f]{64}$/.test(value), "is not a hash") };

const STATE = object({
  version: v.literal(1, "is not 1"),
  question: v.record(v.string(), TEXT, "is not an object"),
  run: COUNT,
  rows: COUNT,
  file: v.nullable(object(EXTENT)),
  wide: v.array(TEXT, "is not a list"),
  chains: v.array(CHAIN, "is not a list"),
  versions: COUNT,
  pending: v.nullable(
    object({
      ...{ ended: FLAG, rows: COUNT, ...EXTENT, changed: COUNT, changes: object(EXTENT) },
      ...{ restarts: v.array(TEXT, "is not a list"), latest: FLAG, result: v.nullable(object(EXTENT)) },
    }),
  ),
});

function isBlockRef(value: unknown): boolean {
  const { number, hash, ...others } = Object(value) as { readonly number?: unknown; readonly hash?: unknown };
  if (Object.keys(others).length > 0) return false;
  return number === undefined
    ? typeof hash === "string" && /^0x[\da-f]+$/i.test(hash)
    : hash === undefined && Number.isSafeInteger(number);
}
