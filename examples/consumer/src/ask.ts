import type { TypedString } from "lockflow-operations/lockup/subgraph.strings";

/** What an indexer, or the way to it, said instead of data. */
export class IndexerError extends Error {
  override readonly name = "IndexerError";
}

/** What of an endpoint a request needs. */
export type Target = {
  readonly url: string;
  readonly method: "POST";
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * Sends an operation and gives its data, or throws: indexers answer HTTP 200 for failures too, and an error must
 * not look like an address without streams.
 */
export async function ask<Result, Variables>(
  { url, method, headers }: Target,
  query: TypedString<Result, Variables>,
  variables: Variables,
  signal: AbortSignal,
): Promise<Result> {
  const response = await fetch(url, { method, headers, body: JSON.stringify({ query, variables }), signal });
  if (response.status === 429) throw new IndexerError("The indexer has had enough questions for today.");
  const body = (await response.json().catch(() => null)) as {
    readonly data?: Result;
    readonly errors?: readonly { readonly message: string }[];
  } | null;
  if (body?.errors?.[0]) throw new IndexerError(body.errors[0].message);
  if (!response.ok || !body?.data)
    throw new IndexerError(`The indexer answered with HTTP ${response.status}.`);
  return body.data;
}
