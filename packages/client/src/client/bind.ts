import type { Project } from "../manifest/project.ts";
import type { Chain, ChainRef, KeyOf } from "./chain-ref.ts";
import type { Client } from "./client-options.ts";
import { isObject } from "./is-object.ts";
import type { ChainInId, Kind, PortableOperation } from "./portable-operation.ts";
import { type ChainlessOptions, type RunOptions, run } from "./run.ts";
import type { Success } from "./settled.ts";

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
  const methods = Object.entries(operations).flatMap(([name, operation]) =>
    isObject(operation) && "subgraph" in operation
      ? [
          [
            name.charAt(0).toLowerCase() + name.slice(1),
            (variables: never, options: RunOptions<never, never>) =>
              run(client as Client<never>, operation as never, variables, options),
          ],
        ]
      : [],
  );
  return Object.fromEntries(methods) as Bound<T, Module>;
}
