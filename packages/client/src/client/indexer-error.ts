import type { StyleName } from "../manifest/manifest-types.ts";
import type { Signal } from "./platform.ts";

/** Why there is no answer. */
export type ErrorCode =
  | "rate-limited"
  | "unavailable"
  | "network"
  | "timeout"
  | "overloaded"
  | "indexers"
  | "reorganized"
  | "auth"
  | "not-served"
  | "indexing"
  | "behind"
  | "pruned"
  | "inconsistent"
  | "wrong-chain"
  | "rejected"
  | "invalid-variables"
  | "no-time-travel";

/** What failed in one style. */
export type Failure = { readonly style: StyleName; readonly error: PlainError };

/**
 * A failure in a result: a plain object with the members of an `IndexerError`, so that it survives JSON, `structuredClone` and
 * the way from a server component to a client component.
 */
export type PlainError = Pick<
  IndexerError,
  | "code"
  | "message"
  | "style"
  | "deployment"
  | "status"
  | "retryAfter"
  | "messages"
  | "data"
  | "cursor"
  | "missingBlocks"
  | "tried"
>;

/** What is known of a failure besides its code. */
export type ErrorFacts = {
  readonly style?: StyleName | null;
  readonly deployment?: string | null;
  /** The status of the HTTP answer. */
  readonly status?: number | null;
  /** After how many seconds the host wants to be asked again. */
  readonly retryAfter?: number | null;
  /** What the indexer said. */
  readonly messages?: readonly string[];
  /** What it answered beside its errors: never the whole answer. */
  readonly data?: unknown;
  /** Where pages end: the cursor to go on from. */
  readonly cursor?: string | null;
  /** How many blocks the indexer lacks of `minBlock`. */
  readonly missingBlocks?: number | undefined;
  readonly tried?: readonly Failure[];
  /** What the platform or a function of the application threw. */
  readonly cause?: unknown;
};

/** Marks errors of every copy of this module, which `instanceof` does not recognize. */
const MARK = "lockflow.IndexerError";

/** What the platform threw, by the plain object of a failure: it cannot be cloned. */
const causes = /* @__PURE__ */ new WeakMap<object, unknown>();

/** Why there is no answer: nothing that fails is ever empty data. */
export class IndexerError extends Error {
  /** Why there is no answer. */
  declare readonly code: ErrorCode;
  /** The style that was asked; null where none was. */
  declare readonly style: StyleName | null;
  /** The deployment that was asked; null where none was. */
  declare readonly deployment: string | null;
  /** The status of the HTTP answer; null where there was none. */
  declare readonly status: number | null;
  /** After how many seconds the host wants to be asked again; null where it did not say. */
  declare readonly retryAfter: number | null;
  /** What the indexer said. */
  declare readonly messages: readonly string[];
  /** What it answered beside its errors: never the whole answer. */
  declare readonly data: unknown;
  /** Where pages end: the cursor of the last row before it, to go on from; null where there was none. */
  declare readonly cursor: string | null;
  /** How many blocks the indexer lacks of `minBlock`; absent for other failures. */
  declare readonly missingBlocks?: number;
  /** What failed before it and last, where several styles were asked. */
  declare readonly tried: readonly Failure[];

  constructor(code: ErrorCode, message: string, { cause, ...facts }: ErrorFacts = {}) {
    super(message, cause === undefined ? cause : { cause });
    const nothing = {
      style: null,
      deployment: null,
      status: null,
      retryAfter: null,
      cursor: null,
    };
    const none = { data: undefined, messages: [], tried: [] };
    Object.assign(this, nothing, none, facts, { code, message });
    const mark = { value: true };
    Object.defineProperties(this, { name: { value: "IndexerError" }, [Symbol.for(MARK)]: mark });
  }

  /** Returns whether a value is an `IndexerError`, also one of another copy of this package. */
  static is(value: unknown): value is IndexerError {
    return Object(value)[Symbol.for(MARK)] === true;
  }

  /** Returns the error as a plain object. */
  toJSON(): PlainError {
    const { message, cause } = this;
    const plain = { ...this, message };
    causes.set(plain, cause);
    return plain;
  }
}

/** Returns the error of a result, to be thrown: with its cause, and some facts in place of its own. */
export function throwable(
  plain: PlainError,
  facts?: ErrorFacts,
  message: string = plain.message,
): IndexerError {
  return new IndexerError(plain.code, message, { cause: causes.get(plain), ...plain, ...facts });
}

/**
 * Throws `invalid-variables` before anything is sent: `first must be an integer from 1 to 1000; got 5000.`
 *
 * @param given the invalid value, if the message should show it.
 */
export function refuseValue(path: string, expected: string, ...given: readonly unknown[]): never {
  const got = given.map((value) => `; got ${showValue(value)}`).join("");
  throw new IndexerError("invalid-variables", `${path.slice(0, 200)} must be ${expected}${got}.`);
}

function showValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 50));
  if (Array.isArray(value)) return "a list";
  return Object(value) === value ? "an object" : String(value);
}

/** Why the signal of a question is aborted if nothing else aborts it: its milliseconds are over. */
export class Deadline {
  readonly milliseconds: number;

  constructor(milliseconds: number) {
    this.milliseconds = milliseconds;
  }
}

/**
 * Why an indexer did not answer, which may be the deadline. Throws the reasons of other aborts, invalid variables and
 * faults of programs.
 */
export function failureOf(error: unknown, signal: Signal | undefined): IndexerError {
  const reason: unknown = signal?.reason;
  if (reason instanceof Deadline) {
    return new IndexerError("timeout", `No answer within ${reason.milliseconds} ms.`);
  }
  signal?.throwIfAborted();
  if (error instanceof IndexerError && error.code !== "invalid-variables") return error;
  throw error;
}
