import type { StyleName } from "../manifest/manifest-types.ts";
import type { Signal } from "../requests/platform.ts";
import { LATE, throwIfAborted } from "../requests/wait.ts";

/** The cause of a failure. */
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

/** A failure in one style. */
export type Failure = { readonly style: StyleName; readonly error: PlainError };

/**
 * A failure in a result: a plain object with the members of an `IndexerError`, so that it survives JSON, `structuredClone` and
 * serialization from a server component to a client component.
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

/** The facts of a failure beside its code. */
export type ErrorFacts = {
  readonly style?: StyleName | null;
  readonly deployment?: string | null;
  /** The HTTP status. */
  readonly status?: number | null;
  /** The seconds of `Retry-After`. */
  readonly retryAfter?: number | null;
  /** The messages of the GraphQL errors. */
  readonly messages?: readonly string[];
  /** The partial `data` beside the errors: never the whole answer. */
  readonly data?: unknown;
  /** For pages: the cursor to continue from. */
  readonly cursor?: string | null;
  /** How many blocks the indexer is short of `minBlock`. */
  readonly missingBlocks?: number | undefined;
  readonly tried?: readonly Failure[];
  /** The error that the platform or a function of the application threw. */
  readonly cause?: unknown;
};

/** Holds the members of an error, of every copy of this module: `instanceof` only recognizes those of one copy. */
const MARK = /* @__PURE__ */ Symbol.for("lockflow.IndexerError");

/** The causes of plain errors, which cannot be cloned. */
const causes = /* @__PURE__ */ new WeakMap<object, unknown>();

/** A failed request: a failure is never returned as empty data. */
export class IndexerError extends Error {
  /** The cause of the failure. */
  declare readonly code: ErrorCode;
  /** The style of the request; null without one. */
  declare readonly style: StyleName | null;
  /** The deployment of the request; null without one. */
  declare readonly deployment: string | null;
  /** The HTTP status; null without a response. */
  declare readonly status: number | null;
  /** The seconds of `Retry-After`; null without it. */
  declare readonly retryAfter: number | null;
  /** The messages of the GraphQL errors. */
  declare readonly messages: readonly string[];
  /** The partial `data` beside the errors: never the whole answer. */
  declare readonly data: unknown;
  /** For pages: the cursor of the last row, to continue from; null without one. */
  declare readonly cursor: string | null;
  /** How many blocks the indexer is short of `minBlock`; absent for other failures. */
  declare readonly missingBlocks?: number;
  /** All failures in order, if several styles or chains were tried. */
  declare readonly tried: readonly Failure[];

  constructor(code: ErrorCode, message: string, { cause, tried = [], ...facts }: ErrorFacts = {}) {
    const lines = tried.map(({ style, error }) => `\n  ${style}: ${error.message} (${error.code})`);
    // The stack begins with these words.
    super(message + lines.join(""), cause ? { cause } : undefined);
    const members = {
      style: null,
      deployment: null,
      status: null,
      retryAfter: null,
      cursor: null,
      messages: [],
      ...facts,
      tried,
      code,
      message,
    };
    // With source maps, the stack begins with the message at the time when it is first read.
    Object.assign(this, { stack: this.stack }, members);
    // Platforms print the stack of an uncaught error, and what is enumerable.
    for (const key in members) Object.defineProperty(this, key, { enumerable: key === "code" });
    Object.defineProperty(this, MARK, { value: members });
  }

  /** Minifiers rename the class. */
  override get name(): string {
    return "IndexerError";
  }

  /** Returns whether a value is an `IndexerError`, also one of another copy of this package. */
  static is(value: unknown): value is IndexerError {
    return Boolean(Object(value)[MARK]);
  }

  /** Returns the error as a plain object. */
  toJSON(): PlainError {
    return { ...Object(this)[MARK] };
  }
}

/** Returns an error as a plain object, which `throwable` takes. */
export function plainOf(error: IndexerError): PlainError {
  const plain = error.toJSON();
  causes.set(plain, error.cause);
  return plain;
}

/** Creates the error to throw from the plain error of a result, with its cause; `facts` replace its facts. */
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

/** Creates the failure of an endpoint: `protocol-lockup-base: no head block`. */
export function failAt(
  { style, deployment }: { readonly style: StyleName; readonly deployment: string },
  code: ErrorCode,
  words: string,
  facts?: ErrorFacts,
): IndexerError {
  return new IndexerError(code, `${deployment}: ${words}`, { style, deployment, ...facts });
}

/**
 * Returns the failure of an indexer, or a timeout if the deadline of the call has passed. Throws everything else: the reason
 * of an aborted signal, invalid variables and bugs.
 */
export function failureOf(
  error: unknown,
  { signal, deadline }: { readonly signal?: Signal | undefined; readonly deadline?: number | undefined },
): IndexerError {
  throwIfAborted(signal);
  if (error === LATE) return new IndexerError("timeout", `No answer within ${deadline} ms.`);
  if (IndexerError.is(error) && error.code !== "invalid-variables") return error;
  throw error;
}
