import { cached } from "../base/cached.ts";
import type { CompiledOperation } from "../portable/compiled-operation.ts";
import { RESERVED } from "./protocol-names.ts";
import type { TypeNames } from "./type-names.ts";

/** What stands in the module of portable operations besides them: no two are called the same. */
export type PortableNames = {
  /** What the constant of an operation is called in the module, which exports it under its own name. */
  readonly constant: (operation: string) => string;
  /** `StreamsBySenderVariables` */
  readonly variables: (operation: string) => string;
  /** Another value. Of one name there is one. */
  readonly value: (name: string) => string;
  /** What a type that is imported is called here, where no constant may have its name. */
  readonly imported: (name: string) => string;
  /** The same of a name that types of the schema may have, too. */
  readonly taken: (name: string) => string;
  /** Another type. Of one name there is one. */
  readonly type: (name: string) => string;
};

/** Creates the names of the module of portable operations. Constants are called after their operations if possible. */
export function createPortableNames(
  compiled: readonly Pick<CompiledOperation, "name">[],
  names: TypeNames,
): PortableNames {
  const types = new Map<string, string>();
  const values = new Map<string, string>();
  const taken = new Set([...RESERVED, ...compiled.map(({ name }) => name)]);
  const takeValue = (requested: string) => {
    let free = requested;
    while (taken.has(free)) free += "_";
    taken.add(free);
    return free;
  };
  const type = (name: string) => cached(types, name, names.take);
  const constants = new Map(compiled.map(({ name }) => [name, RESERVED.has(name) ? takeValue(name) : name]));
  const operations = new Set(compiled.map(({ name }) => name));
  for (const { name } of compiled) type(`${name}Variables`);
  const imported = (name: string) => (operations.has(name) ? type(`${name}_`) : name);
  return {
    constant: (operation) => constants.get(operation) ?? operation,
    variables: (operation) => type(`${operation}Variables`),
    value: (name) => cached(values, name, takeValue),
    imported,
    taken: (name) => imported(type(name)),
    type,
  };
}
