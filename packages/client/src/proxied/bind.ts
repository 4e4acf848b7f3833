import { bindRun } from "../calls/bind.ts";
import type { Success } from "../calls/start-call.ts";
import type { Chain, ChainRef, KeyOf } from "../client/chain-ref.ts";
import type { Kind } from "../client/portable-operation.ts";
import type { Project } from "../manifest/manifest-types.ts";
import { run } from "./calls.ts";
import type { ChainlessOptions, Client, HasChain, PortableOperation, RunOptions } from "./types.ts";

/** A method for each operation of a module. */
export type Bound<T extends Project, Module> = {
  readonly [Name in keyof Module as Module[Name] extends PortableOperation<string, unknown, never, Kind>
    ? Uncapitalize<Name & string>
    : never]: Module[Name] extends PortableOperation<infer P extends keyof T & string, infer R, infer V, Kind>
    ? Method<T[P], R, V> & (Module[Name] extends HasChain ? ChainlessMethod<T[P], R, V> : unknown)
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
 * Binds the operations of a module to a client.
 *
 * @example
 * // `operations` is everything that `lockup/proxied.ts` exports.
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
