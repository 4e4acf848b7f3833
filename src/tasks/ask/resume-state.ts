import * as v from "valibot";
import type { BlockRef } from "../../../packages/client/src/client/client-types.ts";
import { FileError, UsageError } from "../../base/errors.ts";
import { object, parseShape, text } from "../../base/parse-json.ts";
import { STYLE_NAMES, type StyleName } from "../../dialects/surface.ts";
import type { PagePlace } from "./ask-chains.ts";

/** The progress of an export, stored next to it until it is complete. */
export type ResumeState = {
  /** The question by aspect. If one differs, the export is another one. */
  readonly question: Readonly<Record<string, string>>;
  /** The process that wrote the state. */
  readonly writer: ProcessId;
  /** The part of the file that the state covers. */
  readonly extent: Extent;
  readonly rows: number;
  /** The chains that were asked. */
  readonly chains: ReadonlyMap<string, ChainState>;
};

/** The length and the hash of a file, or of its beginning. */
export type Extent = {
  /** In bytes. */
  readonly length: number;
  /** SHA-256, in hex. */
  readonly hash: string;
};

/** A process; the host is a short hash of its name. */
export type ProcessId = { readonly host: string; readonly process: number };

/** The progress of one chain. */
export type ChainState = {
  /** Where the next page begins; null if the chain has no rows. */
  readonly place: PagePlace | null;
  /** Whether the chain has no more rows. */
  readonly isDone: boolean;
};

/** Returns the path of the state of an export. */
export function resumePath(out: string): string {
  return `${out}.resume.json`;
}

/** Throws because an unfinished export would be overwritten. */
export function refuseUnfinished(out: string, rows?: number): never {
  throw new UsageError({
    sentence: `${out} is an unfinished export${rows === undefined ? "" : ` with ${rows} rows so far`}.`,
    hint: `continue with --resume, or delete ${resumePath(out)} to start again.`,
  });
}

/** Renders a state as JSON for a later run. */
export function renderResumeState({ question, writer, extent, rows, chains }: ResumeState): string {
  const list = [...chains].map(([chain, { place, isDone }]) => ({ chain, done: isDone, ...place }));
  const { length: bytes, hash: sha256 } = extent;
  return `${JSON.stringify({ version: 1, question, writer, bytes, sha256, rows, chains: list }, null, 2)}\n`;
}

/**
 * Parses the state of an earlier run.
 *
 * @param path the path in errors.
 * @throws FileError for anything else.
 */
export function parseResumeState(json: string, path: string): ResumeState {
  const { question, writer, bytes, sha256, rows, chains } = parseShape(
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

const COUNT = v.custom<number>(
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  "is not a whole number from 0",
);
const TEXT = v.string("is not a text");

const BLOCK = v.custom<BlockRef>(isBlockRef, "is not a block");

const CHAIN = object({
  chain: TEXT,
  done: v.boolean("is not true or false"),
  cursor: v.optional(TEXT),
  style: v.optional(
    v.custom<StyleName>((value) => STYLE_NAMES.some((style) => style === value), "is not a style"),
  ),
  block: v.optional(v.nullable(BLOCK)),
});

const STATE = object({
  version: v.literal(1, "is not 1"),
  question: v.record(v.string(), TEXT, "is not an object"),
  writer: object({ host: TEXT, process: COUNT }),
  bytes: COUNT,
  sha256: text((value) => /^[\da-f]{64}$/.test(value), "is not a hash"),
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
