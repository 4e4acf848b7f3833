import type { Success } from "../calls/start-call.ts";
import { IndexerError } from "./indexer-error.ts";
import type { Kind } from "./portable-operation.ts";
import { isObject } from "./values.ts";

/** By response key, what a value is converted to, or the columns of the rows below it. Lists are converted item by item. */
export type DecodedColumns = { readonly [key: string]: "integer" | "time" | DecodedColumns };

/** The answer of an operation after decoding: `Decoded<typeof StreamsBySender>`. */
export type Decoded<Operation> = Operation extends {
  readonly __types?: (variables: never) => readonly [infer R, Kind, infer C];
}
  ? Converted<R, C>
  : never;

/**
 * Converts an answer, a list of its rows, or a result that contains either: of `run`, `each`, `merged`, `pages` or a query.
 * Whole numbers become `bigint`, times become `Date`, and everything else stays. TanStack Query takes it as `select` of
 * `query`; for other queries write `select: (result) => decodeStreamsBySender(result)`.
 *
 * @throws IndexerError `inconsistent` if a value is not an integer, with its path.
 */
export interface Decoder<R, C> {
  <V>(value: V): DecodedValue<V, C>;
  /** TypeScript infers the type of a `select` from the last signature, which must not be generic. */
  (result: Success<R, string>): Success<Converted<R, C>, string>;
}

/** The value that a decoder returns. */
export type DecodedValue<V, C> = V extends readonly unknown[]
  ? { [I in keyof V]: V[I] extends Result ? DecodedValue<V[I], C> : Converted<V[I], C[keyof C]> }
  : V extends Result
    ? {
        [K in keyof V]: K extends "data"
          ? Converted<V[K], C>
          : K extends "rows"
            ? Converted<V[K], C[keyof C]>
            : K extends "page" | "pages"
              ? DecodedValue<V[K], C>
              : V[K];
      }
    : Converted<V, C>;

/** Two keys of each result that contains answers or rows: no answer has both. */
const RESULTS = [
  ["status", "tried"],
  ["rows", "complete"],
  ["rows", "cursor"],
  ["page", "next"],
  ["pages", "pageParams"],
] as const;

type Result = KeysToRecord<(typeof RESULTS)[number]>;

type KeysToRecord<Keys> = Keys extends readonly (infer Key extends string)[] ? Record<Key, unknown> : never;

type Converted<T, C> = T extends null | undefined
  ? T
  : T extends readonly unknown[]
    ? { [I in keyof T]: Converted<T[I], C> }
    : C extends "integer"
      ? bigint
      : C extends "time"
        ? Date
        : T extends object
          ? { [K in keyof T]: K extends keyof C ? Converted<T[K], C[K]> : T[K] }
          : T;

/** Creates the decoder of an operation. Generated modules call it. */
export function createDecoder<R, C extends DecodedColumns>(columns: C): Decoder<R, C> {
  return ((value: unknown) => decodeValue(value, columns)) as Decoder<R, C>;
}

function decodeValue(value: unknown, columns: DecodedColumns): unknown {
  const [rows = {}] = Object.values(columns);
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      isResult(item) ? decodeValue(item, columns) : convert(item, rows, String(index)),
    );
  }
  if (!isResult(value)) return convert(value, columns, "");
  const result = { ...value };
  if ("data" in value) result["data"] = convert(value["data"], columns, "data");
  if ("rows" in value) result["rows"] = convert(value["rows"], rows, "rows");
  for (const key of ["page", "pages"]) if (key in value) result[key] = decodeValue(value[key], columns);
  return result;
}

function isResult(value: unknown): value is Record<string, unknown> {
  return isObject(value) && RESULTS.some((keys) => keys.every((key) => key in value));
}

function convert(value: unknown, columns: DecodedColumns[string], path: string): unknown {
  if (value === null || value === undefined) return value;
  if (Array.isArray(value)) return value.map((item, index) => convert(item, columns, `${path}.${index}`));
  if (typeof columns === "string") return convertNumber(value, columns, path);
  if (!isObject(value)) return value;
  const row = { ...value };
  for (const key in columns) {
    if (key in row)
      row[key] = convert(row[key], columns[key] as DecodedColumns, path ? `${path}.${key}` : key);
  }
  return row;
}

/** Parsing takes longer than linear time, so that the number of digits has a limit far above that of any column. */
function convertNumber(value: unknown, kind: "integer" | "time", path: string): bigint | Date {
  const text = String(value);
  const date = new Date(Number(text) * 1000);
  if (!/^-?\d{1,1000}$/.test(text) || (kind === "time" && Number.isNaN(date.getTime()))) {
    const expected = kind === "time" ? "a time in seconds" : "an integer";
    throw new IndexerError("inconsistent", `${path} must be ${expected}; got ${text.slice(0, 50)}.`);
  }
  return kind === "time" ? date : BigInt(text);
}
