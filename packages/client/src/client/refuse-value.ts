import { IndexerError } from "./indexer-error.ts";

/** Refuses a value before anything is sent, by where it stands and what it has to be. */
export function refuseValue(path: string, expected: string): never {
  throw new IndexerError("invalid-variables", `${path.slice(0, 200)} is no ${expected}.`);
}
