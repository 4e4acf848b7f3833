import { IndexerError } from "./indexer-error.ts";
import type { Signal } from "./platform.ts";

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
