import { type Chain, type ChainRef, type KeyOf, requestedKey } from "../client/chain-ref.ts";
import type { Client } from "../client/client-types.ts";
import { throwable } from "../client/indexer-error.ts";
import type { ChainInId, Given, Kind, PortableOperation } from "../client/portable-operation.ts";
import type { Chains, Project } from "../manifest/manifest-types.ts";
import { bindRun } from "./bind.ts";
import { settle } from "./settle.ts";
import { type CallOptions, type Success, startCall } from "./start-call.ts";

/** The chain, and the options of the call. */
export type RunOptions<C extends Chains = Chains, Ref = ChainRef<C>> = CallOptions & { readonly chain: Ref };

/** The options if an id in the variables contains the chain. */
export type ChainlessOptions = CallOptions & { readonly chain?: undefined };

/**
 * Runs an operation on one chain, in the first style that answers. The chain may be omitted if an id in the variables
 * contains it.
 *
 * @throws IndexerError if no style answers, and the reason of the signal if it is aborted.
 */
export function run<T extends Project, P extends keyof T & string, R, V>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, Kind> & ChainInId,
  variables: Given<V>,
  options?: ChainlessOptions,
): Promise<Success<R, Chain<T[P]>>>;
export function run<T extends Project, P extends keyof T & string, R, V, const Ref extends ChainRef<T[P]>>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, Kind>,
  variables: Given<V>,
  options: RunOptions<T[P], Ref>,
): Promise<Success<R, KeyOf<T[P], Ref>>>;
export async function run<T extends Project, P extends keyof T & string, R, V>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, Kind>,
  variables: Given<V>,
  options: CallOptions & { readonly chain?: unknown } = {},
): Promise<Success<R, never>> {
  const call = startCall({ client, operation, variables }, options);
  const result = await settle(call, requestedKey(client, operation, variables, options.chain));
  if (result.status === "failed") throw throwable(result.error);
  return result as Success<R, never>;
}

/** A method for each operation of a module. */
export type Bound<T extends Project, Module> = {
  readonly [Name in keyof Module as Module[Name] extends PortableOperation<string, unknown, never, Kind>
    ? Uncapitalize<Name & string>
    : never]: Module[Name] extends PortableOperation<infer P extends keyof T & string, infer R, infer V, Kind>
    ? Method<T[P], R, V> & (Module[Name] extends ChainInId ? ChainlessMethod<T[P], R, V> : unknown)
    : never;
};

type Method<C extends Project[string], R, V> = <const Ref extends ChainRef<C>>(
  variables: V,
  options: RunOptions<C, Ref>,
) => Promise<Success<R, KeyOf<C, Ref>>>;

type ChainlessMethod<C extends Project[string], R, V> = (
  variables: V,
  options?: ChainlessOptions,
) => Promise<Success<R, Chain<C>>>;

/**
 * Binds the operations of a module to a client. A bundle then has all operations of the module.
 *
 * @example
 * // `operations` is everything that `lockup/portable.ts` exports.
 * const lockup = bind(client, operations);
 * const { data } = await lockup.streamsBySender({ sender }, { chain: "base" });
 */
export function bind<T extends Project, Module extends object>(
  client: Client<T>,
  operations: Module,
): Bound<T, Module> {
  return bindRun(operations, (operation, variables, options) =>
    run(client as Client<never>, operation, variables, options),
  );
}
