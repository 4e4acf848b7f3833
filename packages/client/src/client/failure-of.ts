import { IndexerError } from "./indexer-error.ts";
import type { Signal } from "./platform.ts";

/** Why an indexer did not answer. Aborts, variables that nobody takes and faults of programs are thrown on. */
export function failureOf(error: unknown, signal: Signal | undefined): IndexerError {
  signal?.throwIfAborted();
  if (error instanceof IndexerError && error.code !== "invalid-variables") return error;
  throw error;
}
