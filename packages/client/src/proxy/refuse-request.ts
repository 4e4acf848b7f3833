import { IndexerError } from "../client/indexer-error.ts";

/** Refuses a request, of which nothing is sent on. */
export function refuseRequest(status: number, message: string): never {
  throw new IndexerError("rejected", message, { status });
}
