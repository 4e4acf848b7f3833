import type { BlockRef, MaxLag, MinBlock } from "../client/client-types.ts";
import { IndexerError } from "../client/indexer-error.ts";
import { isObject, own } from "../client/values.ts";
import type { StyleName } from "../manifest/manifest-types.ts";

/** The options of a call that are data. */
export type ParsedOptions = {
  readonly chain?: string | number;
  readonly chains?: readonly (string | number)[] | "all" | "mainnets";
  readonly style?: StyleName;
  readonly block?: BlockRef<number>;
  readonly minBlock?: MinBlock<number>;
  readonly maxLag?: MaxLag;
  readonly deadline?: number;
  readonly size?: number;
  readonly after?: string;
  readonly switchStyle?: boolean;
  readonly confirmations?: number;
  /** The position of the last page or poll. */
  readonly next?: string;
  /** The most pages. */
  readonly count?: number;
};

/** The options of each call. */
const OPTIONS = {
  run: "chain style block minBlock maxLag deadline",
  each: "chains style block minBlock maxLag deadline",
  merged: "chains style block minBlock maxLag deadline",
  pages: "chain chains style block minBlock maxLag deadline size after switchStyle next count",
  watch: "chains style maxLag deadline size after confirmations next",
  health: "chains style block maxLag deadline",
} as const;

/** A function of the client that a page calls. */
export type CallName = keyof typeof OPTIONS;

/** Whether a value is the name of a call. */
export function isCall(value: unknown): value is CallName {
  return own(OPTIONS, value) !== undefined;
}

/**
 * Parses the options of a call.
 *
 * @param most the most chains.
 * @throws IndexerError `rejected` for an unknown option or a value of another type.
 */
export function parseOptions(call: CallName, value: unknown, most: number): ParsedOptions {
  if (!isObject(value)) return refuseRequest(400, '"options" must be an object.');
  const known = OPTIONS[call].split(" ");
  const entries = Object.entries(value).map(([name, given]) => {
    const read = known.includes(name) && own(READERS, name);
    if (!read) return refuseRequest(400, `Unknown option "${name.slice(0, 40)}" of ${call}.`);
    return [name, read(given, `options.${name}`, most)];
  });
  const options: ParsedOptions = Object.fromEntries(entries);
  const { chain, chains, after, next } = options;
  if (call !== "run" && (chain === undefined) === (chains === undefined)) {
    refuseRequest(400, `${call} needs ${known.includes("chain") ? "either chain or chains" : "chains"}.`);
  }
  if (after !== undefined && next !== undefined)
    refuseRequest(400, "Give options.after or options.next, not both.");
  return options;
}

type Read = (value: unknown, path: string, most: number) => unknown;

const readText: Read = (value, path) => (typeof value === "string" ? value : refuse(path, "a string"));

const readWhole: Read = (value, path) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? value : refuse(path, "an integer from 0");

const readChain: Read = (value, path) =>
  typeof value === "string" || Number.isSafeInteger(value) ? value : refuse(path, "a key or an id");

const READERS: Readonly<Record<keyof ParsedOptions, Read>> = {
  chain: readChain,
  chains: (value, path, most) =>
    value === "all" || value === "mainnets"
      ? value
      : Array.isArray(value) && value.length <= most
        ? value.map((chain) => readChain(chain, path, most))
        : refuse(path, `"all", "mainnets" or a list of at most ${most} keys or ids`),
  style: readText,
  block: (value, path) => readBlock(value, path) ?? refuse(path, "{ number } or { hash }"),
  minBlock: (value, path) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, readNumber(item, path)]))
      : readNumber(value, path),
  maxLag: (value, path) => {
    const { seconds = 0, or, ...others } = isObject(value) ? value : { seconds: value, or: "best" };
    const isValid =
      typeof seconds === "number" && seconds >= 0 && or === "best" && Object.keys(others).length === 0;
    return isValid ? value : refuse(path, 'a number of seconds, or { seconds, or: "best" }');
  },
  deadline: (value, path) =>
    typeof value === "number" && value >= 0 ? value : refuse(path, "a number of ms"),
  size: readWhole,
  after: readText,
  switchStyle: (value, path) => (typeof value === "boolean" ? value : refuse(path, "true or false")),
  confirmations: readWhole,
  next: readText,
  count: (value, path, most) => readWhole(value, path, most) || refuse(path, "an integer from 1"),
};

/** Reads a block, whose number may be text. */
export function readBlock(value: unknown, path: string): BlockRef<number> | undefined {
  if (value === undefined) return undefined;
  const { number, hash, ...others } = isObject(value) ? value : { value };
  if ((number === undefined) === (hash === undefined) || Object.keys(others).length > 0) {
    return refuse(path, "{ number } or { hash }");
  }
  if (number !== undefined) return { number: readNumber(number, path) };
  const isHash = typeof hash === "string" && /^0x[\da-f]{64}$/i.test(hash);
  return isHash ? { hash: hash as `0x${string}` } : refuse(path, "{ number } or { hash }");
}

/** Reads the number of a block, which may be text: pages send a bigint so. */
function readNumber(value: unknown, path: string): number {
  const number = typeof value === "string" && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) && Number(number) >= 0
    ? Number(number)
    : refuse(path, "a block number");
}

function refuse(path: string, expected: string): never {
  return refuseRequest(400, `${path} must be ${expected}.`);
}

/** Throws the error of an invalid request, before anything is sent. */
export function refuseRequest(status: number, message: string): never {
  throw new IndexerError("rejected", message, { status });
}
