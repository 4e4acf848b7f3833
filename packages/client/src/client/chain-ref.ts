import type { ChainRoute, Chains, ServedRoutes } from "../manifest/manifest-types.ts";
import { listServed } from "../manifest/routes.ts";
import type { Client } from "./client-types.ts";
import { refuseValue } from "./indexer-error.ts";
import type { ChainInId } from "./portable-operation.ts";
import { own } from "./values.ts";

/** The keys of a protocol's chains. */
export type Chain<C extends Chains> = keyof C & string;

/** A chain by its key or its id: `"base"` or `8453`. */
export type ChainRef<C extends Chains> = Chain<C> | C[keyof C];

/** The key of a chain that is given by its key or its id. */
export type KeyOf<C extends Chains, Ref> = Ref extends string
  ? Ref
  : { [Key in Chain<C>]: C[Key] extends Ref ? Key : never }[Chain<C>];

/** The keys of the chains of a list. */
export type KeysOf<C extends Chains, List> = List extends readonly (infer Ref)[] ? KeyOf<C, Ref> : Chain<C>;

/**
 * Several chains. `"all"` are those that are not retired and have an endpoint in the client's environment, `"mainnets"` the
 * same without testnets.
 */
export type ChainList<C extends Chains> = readonly ChainRef<C>[] | "all" | "mainnets";

/** The facts of a chain that is served. */
export function rowOf({ routes }: Client, chain: string): ChainRoute {
  return routes.chains[chain] as ChainRoute;
}

/** The key of a chain, given by its key or id; an unknown chain as it was given, for the caller to reject. */
export function findKey({ routes }: Client, chain: unknown): string {
  const { chains } = routes;
  const isIt = (key: string) => key === chain || String(chains[key]?.chainId) === String(chain);
  return Object.keys(chains).find(isIt) ?? String(chain);
}

/**
 * The key of the requested chain, which an id in the variables may contain.
 *
 * @throws IndexerError `invalid-variables` for an id without a known chain.
 */
export function requestedKey(
  client: Client,
  { chainOf }: { readonly chainOf?: ChainInId["chainOf"] },
  variables: unknown,
  chain: unknown,
): string {
  if (chain !== undefined || !chainOf) return findKey(client, chain);
  const { variable, pattern } = chainOf;
  const id = (variables as Readonly<Record<string, unknown>> | undefined)?.[variable];
  const key = findKey(client, new RegExp(`^${pattern}$`, "i").exec(String(id))?.[1]);
  return own(client.routes.chains, key) ? key : refuseValue(variable, "an id of a known chain", id);
}

/** The keys of the chains of a list. */
export function listKeys<C extends Chains>(
  client: Client,
  protocol: string,
  list: ChainList<C>,
): readonly string[] {
  // In JavaScript, another string is the key of one chain.
  if (list !== "all" && list !== "mainnets") return [list].flat().map((chain) => findKey(client, chain));
  const served = listServed(client.routes, protocol, client.environment);
  return Object.keys(client.routes.chains).filter(
    (key) => served.includes(key) && !(list === "mainnets" && rowOf(client, key).testnet),
  );
}

/**
 * Returns whether a style serves an operation on a chain, given by its key or its id, such as that of a wallet. Generated
 * code has `isServed(operation, id)`, which is bound to the project.
 */
export function isServed<C extends Chains>(
  { chains, protocols }: ServedRoutes,
  { protocol, not }: ServedOperation,
  id: unknown,
): id is ChainRef<C> {
  const [key = ""] = Object.entries(chains).find(([key, { chainId }]) => key === id || chainId === id) ?? [];
  const deployments = protocols[protocol]?.deployments ?? [];
  return deployments.some(
    (deployment) => deployment.chains.includes(key) && !not?.[deployment.style]?.includes(key),
  );
}

/** The protocol of an operation, and the chains that do not serve it. */
export type ServedOperation<P extends string = string> = {
  readonly protocol: P;
  readonly not?: { readonly multichain?: readonly string[]; readonly subgraph?: readonly string[] };
};
