import { mapVariables, type PortableOperation } from "lockflow-operations/client";
import { endpoint, multichainChainIds, type Protocol, type TestingChain } from "lockflow-operations/manifest";

/** What an indexer, or the way to it, said instead of data. */
export class IndexerError extends Error {
  override readonly name = "IndexerError";
}

/** Where streams are read from: every chain at once (multichain), or one chain (subgraph). */
export type Source = "all" | TestingChain;

/**
 * Sends an operation to a source and gives its data, which is of one type wherever it comes from, or throws: indexers
 * answer HTTP 200 for failures too, and an error must not look like an address without streams.
 */
export async function ask<P extends Protocol, R, V, K extends "one" | "list" | "pages">(
  operation: PortableOperation<P, R, V, K>,
  source: Source,
  variables: NoInfer<V>,
  signal: AbortSignal,
): Promise<R> {
  const { protocol } = operation;
  // Testing endpoints for single chains: a page in a browser must not hold the key that production wants.
  const target =
    source === "all"
      ? endpoint({ protocol, style: "multichain" }, import.meta.env)
      : endpoint({ protocol, style: "subgraph", chain: source, environment: "testing" }, import.meta.env);
  const style = source === "all" ? "multichain" : "subgraph";
  const body = {
    query: operation[style],
    variables: mapVariables(operation, style, variables, multichainChainIds[protocol]),
  };
  const { url, method, headers } = target;
  const response = await fetch(url, { method, headers, body: JSON.stringify(body), signal });
  if (response.status === 429) throw new IndexerError("The indexer has had enough questions for today.");
  const answer = (await response.json().catch(() => null)) as {
    readonly data?: R;
    readonly errors?: readonly { readonly message: string }[];
  } | null;
  if (answer?.errors?.[0]) throw new IndexerError(answer.errors[0].message);
  if (!response.ok || !answer?.data)
    throw new IndexerError(`The indexer answered with HTTP ${response.status}.`);
  return answer.data;
}
