import type { Health } from "../calls/health.ts";
import type { Merged } from "../calls/merged.ts";
import type { Settled, Success } from "../calls/start-call.ts";
import type { Chain, ChainList, ChainRef, KeyOf, KeysOf } from "../client/chain-ref.ts";
import { IndexerError } from "../client/indexer-error.ts";
import type { Given, Kind } from "../client/portable-operation.ts";
import type { Project } from "../manifest/manifest-types.ts";
import { notify } from "../requests/wait.ts";
import { type Sent, send } from "./send.ts";
import { type Line, sendLines } from "./send-lines.ts";
import type {
  CallOptions,
  ChainlessOptions,
  Client,
  ClientOptions,
  EachOptions,
  HasChain,
  HealthOptions,
  MergedOptions,
  PortableOperation,
  RunOptions,
} from "./types.ts";

/**
 * Creates a client of a proxy. It sends nothing, and one client may serve a whole page. Generated code has
 * `createClient(options)`, which has the types of the project.
 */
export function createClient<T extends Project>(options: ClientOptions): Client<T> {
  return options;
}

/**
 * Runs an operation on one chain, in the first style that answers. The chain may be omitted if an id in the variables
 * contains it.
 *
 * @throws IndexerError if no style answers, and the reason of the signal if it is aborted.
 */
export function run<T extends Project, P extends keyof T & string, R, V>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, Kind> & HasChain,
  variables: Given<V>,
  options?: ChainlessOptions,
): Promise<Success<R, Chain<T[P]>>>;
export function run<T extends Project, P extends keyof T & string, R, V, const Ref extends ChainRef<T[P]>>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, Kind>,
  variables: Given<V>,
  options: RunOptions<T[P], Ref>,
): Promise<Success<R, KeyOf<T[P], Ref>>>;
export function run(
  client: Client,
  operation: Sent["operation"],
  variables: unknown,
  options: CallOptions = {},
): Promise<unknown> {
  return send(
    client,
    { call: "run", operation, variables, options },
    ({ status, chain, data }: Success<unknown, string>) => status === "ok" && chain && Object(data) === data,
  );
}

/**
 * Runs an operation on several chains. A failure on one chain does not affect the others.
 *
 * @returns a result for each chain, in the order of `chains`.
 * @throws IndexerError for invalid variables and without an answer of the proxy, and the reason of the signal if it is aborted.
 */
export async function each<
  T extends Project,
  P extends keyof T & string,
  R,
  V,
  const List extends ChainList<T[P]>,
>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, Kind>,
  variables: Given<V>,
  { onResult, ...options }: EachOptions<T[P], R, List>,
): Promise<readonly Settled<R, KeysOf<T[P], List>>[]> {
  type Result = Settled<R, KeysOf<T[P], List>>;
  let chains: readonly Result["chain"][] = [];
  const results = new Map<unknown, Result>();
  const readLine = (line: Line) => {
    chains = (line["chains"] ?? chains) as typeof chains;
    const { chain, result = chain && { status: "failed", tried: [], ...line } } = line;
    if (!result) return;
    results.set((result as Result).chain, result as Result);
    notify(onResult, result as Settled<R, never>);
  };
  try {
    await sendLines(client, { call: "each", operation, variables, options }, readLine);
  } catch (failure) {
    if (!chains[0] || !IndexerError.is(failure)) throw failure;
    const error = failure.toJSON();
    for (const chain of chains) if (!results.has(chain)) readLine({ chain, error });
  }
  return chains.flatMap((chain) => results.get(chain) ?? []);
}

/**
 * Queries several chains, and returns one list in the operation's order, cut to its size.
 *
 * @throws IndexerError for variables that no endpoint accepts, and if every chain failed: then `tried` has all
 *   failures. The reason of the signal if it is aborted.
 */
export function merged<
  T extends Project,
  P extends keyof T & string,
  R,
  V,
  const List extends ChainList<T[P]>,
>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, "list" | "pages">,
  variables: Given<V>,
  options: MergedOptions<T[P], List>,
): Promise<Merged<R, KeysOf<T[P], List>>> {
  type Answer = Merged<R, KeysOf<T[P], List>> & {
    data?: readonly R[];
    readonly results: readonly { data?: unknown }[];
  };
  return send(client, { call: "merged", operation, variables, options }, (answer: Answer) => {
    const { data, results, rows } = answer;
    // Chains that share their data have its index.
    for (const result of results) if ("data" in result) result.data = data?.[result.data as number];
    delete answer.data;
    return Array.isArray(rows);
  });
}

/**
 * Returns the heads and states of indexers.
 *
 * @returns a result for each chain in each style that serves it, in the order of the chains and of the proxy's styles.
 * @throws IndexerError without an answer of the proxy, and the reason of the signal if it is aborted.
 */
export function health<T extends Project, P extends keyof T & string, const List extends ChainList<T[P]>>(
  client: Client<T>,
  protocol: P,
  options: HealthOptions<T[P], List>,
): Promise<readonly Settled<Health, KeysOf<T[P], List>>[]> {
  return send(client, { call: "health", operation: { protocol }, options }, Array.isArray);
}
