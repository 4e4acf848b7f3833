import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import type { BlockRef } from "../../../../packages/client/src/client/client-types.ts";
import { FileError, UsageError } from "../../../base/errors.ts";
import { object, parseJson, parseShape, text } from "../../../base/parse-json.ts";
import { readText } from "../../../base/read-files.ts";
import { STYLE_NAMES, type StyleName } from "../../../dialects/surface.ts";
import type { ChainMark, PagePlace } from "../asked-rows.ts";

/** The contents of an export and its progress. The state is stored beside the file or folder. */
export type ExportState = {
  /** The question by aspect. If one differs, the export is another one. */
  readonly question: Readonly<Record<string, string>>;
  /** The number of finished runs that wrote rows. */
  readonly run: number;
  /** The rows of a text file, without its end; null for other formats, and before the first run has ended. */
  readonly extent: Extent | null;
  /** The files of the export after the last run; null before, and if they are not known. */
  readonly files: FilesOnDisk | null;
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

/** The files of an export on the disk: one, or all parts of a folder. */
export type FilesOnDisk = {
  readonly count: number;
  /** Their total length, in bytes. */
  readonly bytes: number;
};

/** Rows in a file of their own, until a run ends. */
export type PendingRows = {
  readonly extent: Extent;
  /** The current versions of earlier rows, in another file. */
  readonly changes: Extent;
  /** The chains whose earlier rows are void. */
  readonly restarts: readonly string[];
  /** Whether earlier versions of rows are removed. */
  readonly isLatest: boolean;
  /** Whether the run has ended, so that the rows are being moved to the file or folder. */
  readonly isEnded: boolean;
  /** The file or folder with these rows, once it is written beside its place; null before. */
  readonly result: MovedRows | null;
};

/** The state of a file or folder after the rows of a run were moved there. */
export type MovedRows = {
  readonly extent: Extent | null;
  /** How many rows each chain has more or, if it is negative, less than the run has read. */
  readonly counts: ReadonlyMap<string, number>;
  /** The number of rows that newer versions of them follow. */
  readonly versions: number;
};

/** The progress of one chain. */
export type ChainState = {
  /** Where the next page begins; null if the chain has no rows. */
  readonly place: PagePlace | null;
  /** Whether the chain has no more rows. */
  readonly isDone: boolean;
  /** The number of its rows, with those that are not moved yet. */
  readonly rows: number;
  /** The last block that was read; null if it is unknown. */
  readonly head: number | null;
  /** Where the next run continues; null if no page was read. */
  readonly mark: ChainMark | null;
  /** Whether some of its rows may not match the operation any more. */
  readonly isStale: boolean;
};

/** Returns the path of the state of an export. */
export function statePath(out: string): string {
  return `${out}.lockflow.json`;
}

/**
 * Reads the time that relative times of an export count from, in milliseconds since 1970; null without one.
 *
 * @param path absolute.
 * @param shownPath the path in errors.
 */
export async function readExportTime(path: string, shownPath: string): Promise<number | null> {
  const json = await readText(statePath(path));
  const now = json === null ? undefined : parseState(json, statePath(shownPath)).question["now"];
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

/** Returns the number of rows of an export, with those that are not moved yet. */
export function countRows({ chains }: ExportState): number {
  return [...chains.values()].reduce((sum, { rows }) => sum + rows, 0);
}

/** Renders a state as JSON for a later run. */
export function renderState(state: ExportState): string {
  const { question, run, extent, files, wide, versions, chains, pending } = state;
  const { operation = "", variables = "{}" } = question;
  const [name = "", protocol = ""] = operation.split(" of ");
  const rendered = {
    ...{ version: 1, operation: name, protocol, variables: JSON.parse(variables), run },
    rows: countRows(state),
    chains: [...chains].map(([chain, { place, isDone, rows, head, mark, isStale }]) => {
      return { chain, done: isDone, rows, head, ...place, mark, stale: isStale };
    }),
    file: extent && renderExtent(extent),
    files,
    wide,
    versions,
    pending: pending && {
      ended: pending.isEnded,
      ...renderExtent(pending.extent),
      changes: renderExtent(pending.changes),
      restarts: pending.restarts,
      latest: pending.isLatest,
      result: pending.result && {
        file: pending.result.extent && renderExtent(pending.result.extent),
        counts: Object.fromEntries(pending.result.counts),
        versions: pending.result.versions,
      },
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
  const unreadable = (reason: string) =>
    new FileError({
      code: "FILE_UNREADABLE",
      sentence: `${path} is not the state of an export: ${reason}.`,
      hint: "delete it to start the export again.",
    });
  const {
    question,
    run,
    chains,
    file,
    files = null,
    wide,
    versions,
    pending,
  } = parseShape(json, STATE, { chains: "chain" }, unreadable);
  const state: ExportState = {
    ...{ question, run, files, wide, versions },
    extent: file && extentOf(file),
    pending: pending && {
      extent: extentOf(pending),
      changes: extentOf(pending.changes),
      restarts: pending.restarts,
      isLatest: pending.latest,
      isEnded: pending.ended,
      result: pending.result && {
        extent: pending.result.file && extentOf(pending.result.file),
        counts: new Map(Object.entries(pending.result.counts)),
        versions: pending.result.versions,
      },
    },
    chains: new Map(
      chains.map(({ chain, done, stale, cursor, style, block = null, ...counts }) => {
        const place = cursor === undefined || style === undefined ? null : { cursor, style, block };
        return [chain, { place, isDone: done, isStale: stale, ...counts }];
      }),
    ),
  };
  const found = { files, ...(parseJson(json) as object) };
  if (parseJson(question["variables"] ?? "{}") === undefined)
    throw unreadable('"variables" is not valid JSON');
  const rendered = parseJson(renderState(state)) as object;
  // Some facts follow from others, such as the sum of all rows. An edit by hand may have missed them.
  const other = Object.entries(rendered).find(([name, value]) => {
    return !isDeepStrictEqual(value, found[name as keyof typeof found]);
  });
  if (other) throw unreadable(`"${other[0]}" does not match the rest`);
  return state;
}

function extentOf({ bytes, sha256 }: { readonly bytes: number; readonly sha256: string }): Extent {
  return { length: bytes, hash: sha256 };
}

const COUNT = v.custom<number>(
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  "is not a whole number from 0",
);
const CHANGE = v.custom<number>((value) => Number.isSafeInteger(value), "is not a whole number");
const TEXT = v.string("is not a text");
const FLAG = v.boolean("is not true or false");

const BLOCK = v.custom<BlockRef<number>>(isBlockRef, "is not a block");

const MARK = object({ before: v.nullable(TEXT), digest: v.nullable(TEXT) });

const CHAIN = object({
  chain: TEXT,
  done: FLAG,
  rows: COUNT,
  head: v.nullable(COUNT),
  stale: FLAG,
  mark: v.nullable(object({ tail: MARK, feed: v.nullable(MARK), end: v.nullable(TEXT) })),
  cursor: v.optional(TEXT),
  style: v.optional(
    v.custom<StyleName>((value) => STYLE_NAMES.some((style) => style === value), "is not a style"),
  ),
  block: v.optional(v.nullable(BLOCK)),
});

const EXTENT = { bytes: COUNT, sha256: text((value) => /^[\da-f]{64}$/.test(value), "is not a hash") };

const RESULT = object({
  file: v.nullable(object(EXTENT)),
  counts: v.record(v.string(), CHANGE, "is not an object"),
  versions: COUNT,
});

const STATE = object({
  version: v.literal(1, "is not 1"),
  question: v.record(v.string(), TEXT, "is not an object"),
  run: COUNT,
  file: v.nullable(object(EXTENT)),
  files: v.optional(v.nullable(object({ count: COUNT, bytes: COUNT }))),
  wide: v.array(TEXT, "is not a list"),
  chains: v.array(CHAIN, "is not a list"),
  versions: COUNT,
  pending: v.nullable(
    object({
      ...{ ended: FLAG, ...EXTENT, changes: object(EXTENT), latest: FLAG, result: v.nullable(RESULT) },
      restarts: v.array(TEXT, "is not a list"),
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
