import { join } from "node:path";
import * as v from "valibot";
import { FileError, UsageError } from "../../base/errors.ts";
import { object, parseShape } from "../../base/parse-json.ts";
import { readContent } from "../../base/read-files.ts";

const COUNT = v.custom<number>(
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  "is not a whole number from 0",
);
const TEXT = v.string("is not a text");
const TEXTS = v.record(v.string(), TEXT, "is not an object");
const MARK = { before: v.nullable(TEXT), id: v.nullable(TEXT), cursor: v.nullable(TEXT) };
const FEED_MARK = { ...MARK, block: v.nullable(COUNT) };

const STATE = object({
  lockflow: v.literal(2, "is not 2"),
  /** The question by aspect. Rows of questions that differ in an aspect do not belong in one log. */
  question: TEXTS,
  /** The type of each column that rows ever had, and its field of the schema. */
  columns: TEXTS,
  /** The parts in the order of their numbers, with their sizes in bytes. */
  parts: v.array(object({ size: COUNT }), "is not a list"),
  /** How many of the last parts may still have their temporary names. */
  temporary: COUNT,
  /** The number of the last row. */
  versions: COUNT,
  /** How far the log has its chains: see `LoggedChain`. */
  chains: v.array(
    object({
      chain: TEXT,
      head: COUNT,
      time: COUNT,
      tail: object(MARK),
      feed: v.nullable(object({ ...FEED_MARK, name: TEXT })),
      end: v.nullable(TEXT),
      anchor: v.nullable(object(FEED_MARK)),
      rows: COUNT,
      deployments: TEXTS,
      isDone: v.boolean("is not true or false"),
    }),
    "is not a list",
  ),
});

/** What a log has, and how far its chains are. The state is in the folder of the log and travels with it. */
export type LogState = v.InferOutput<typeof STATE>;

/** A question whose rows go into a log. */
export type LoggedQuestion = Pick<LogState, "question"> & {
  /** The types of the columns of the selection, by `describeColumns`. */
  readonly types: LogState["columns"];
  /** Returns whether a text can be a cursor of the rows or, by its name, of the feed of changes. */
  readonly isCursor: (text: string, feed: string | null) => boolean;
  /** The path of the folder in errors. */
  readonly shownPath: string;
};

/** The name of the state in the folder of a log. */
export const STATE_NAME = "_lockflow.json";

/** Returns the name of a part: `part-000001.parquet`. */
export function partName(number: number, format: string): string {
  return `part-${String(number).padStart(6, "0")}.${format}`;
}

/** Reads the state of a log; null without one. @throws FileError if it is not a state. */
export function readLogState(folder: string, shownPath: string): LogState | null {
  const text = readContent(join(folder, STATE_NAME));
  return text === null ? null : parseLogState(text, `${shownPath}/${STATE_NAME}`);
}

/**
 * Returns when a log began, in milliseconds since 1970: relative times count from then. Null if that does not matter for
 * its rows.
 */
export function readLogTime(folder: string, shownPath: string): number | null {
  const now = readLogState(folder, shownPath)?.question["now"];
  return now !== undefined && /^\d{1,12}$/.test(now) ? Number(now) * 1000 : null;
}

/** Renders a state as JSON. @throws FileError if a later run could not read it. */
export function renderLogState(state: LogState): string {
  const text = `${JSON.stringify(state, null, 2)}\n`;
  parseLogState(text, STATE_NAME);
  return text;
}

/** Parses a state. @param path the path in errors. @throws FileError for anything else. */
export function parseLogState(text: string, path: string): LogState {
  const refuse = (reason: string) => unreadable(path, reason);
  const state = parseShape(text, STATE, { chains: "chain", parts: "part" }, refuse);
  if (state.temporary > state.parts.length) throw refuse('"temporary" is more than there are parts');
  const chains = new Set(state.chains.map(({ chain }) => chain));
  if (chains.size < state.chains.length) throw refuse("a chain is repeated");
  return state;
}

function unreadable(path: string, reason: string): FileError {
  return new FileError({
    code: "FILE_UNREADABLE",
    sentence: `${path} is not the state of an export: ${reason}.`,
    hint: "restore it, or export to another folder.",
  });
}

/**
 * Requires that the rows of a question belong in a log, and returns the columns of both.
 *
 * @throws UsageError that names what differs, and FileError for cursors that no request of the question has.
 */
export function requireSameQuestion(
  state: LogState,
  { question, types, isCursor, shownPath }: LoggedQuestion,
): LogState["columns"] {
  const names = new Set([...Object.keys(question), ...Object.keys(state.question)]);
  const loggedTypes = new Map(Object.entries(state.columns));
  const differing = [
    ...[...names].filter((name) => question[name] !== state.question[name]),
    ...Object.entries(types)
      .filter(([name, type]) => (loggedTypes.get(name) ?? type) !== type)
      .map(([name, type]) => `column ${name} (${type}, was ${loggedTypes.get(name)})`),
  ];
  if (differing.length > 0) {
    throw new UsageError({
      sentence: `${shownPath} is an export that differs in: ${differing.join(", ")}.`,
      hint: "repeat the command of the first run, or name another folder.",
    });
  }
  for (const [index, { tail, feed, anchor }] of state.chains.entries()) {
    for (const [key, mark] of Object.entries({ tail, feed, anchor })) {
      const list = key === "tail" ? null : (feed?.name ?? "");
      const { before = null, id = null, cursor = null } = mark ?? {};
      const isRow = cursor !== null || (before === null && id === null);
      if (isRow && [before, cursor].every((text) => text === null || isCursor(text, list))) continue;
      const reason = `in chain ${index + 1}, "${key}" does not have the cursors of a row`;
      throw unreadable(`${shownPath}/${STATE_NAME}`, reason);
    }
  }
  return { ...state.columns, ...types };
}
