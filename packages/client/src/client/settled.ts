import type { StyleName } from "../manifest/project.ts";
import type { Head } from "./heads.ts";
import type { Failure, PlainError } from "./indexer-error.ts";

/** What came of a question to a chain. */
export type Settled<R, C> = Success<R, C> | Failed<C>;

/** An answer. */
export type Success<R, C> = {
  readonly status: "ok";
  readonly chain: C;
  /** The style that answered. */
  readonly style: StyleName;
  readonly data: R;
  /** The block the answer is of; null where it was not asked for. */
  readonly head: Head | null;
  /** Whether rows are missing because the host returns at most `maxRows` at once. */
  readonly hasMore: boolean;
  /** What failed before, in order. */
  readonly tried: readonly Failure[];
};

/** None. */
export type Failed<C> = {
  readonly status: "failed";
  readonly chain: C;
  /** A plain object; its code is that of the failure that says most. */
  readonly error: PlainError;
  /** What failed, in order. */
  readonly tried: readonly Failure[];
};
