import type { Reader } from "../../../packages/client/src/client/portable-operation.ts";
import * as readers from "../../../packages/client/src/variables/readers.ts";
import type { CompiledOperation } from "../../operations/portable/compiled-operation.ts";
import { authoredVariables, chainVariables } from "./portable-plan.ts";

/** The names of the functions of the client that read a variable. */
type ReaderName = {
  [Name in keyof typeof readers]: (typeof readers)[Name] extends Reader ? Name : never;
}[keyof typeof readers];

const READERS: Readonly<Record<ReaderName, Reader>> = readers;

/** The reader of a variable, by the name of its function, and whether the variable is a list. */
export type VariableReader = {
  readonly name: string;
  readonly reader: ReaderName;
  readonly isList: boolean;
};

/** Returns the readers of the variables of an operation. */
export function variableReaders(compiled: CompiledOperation): VariableReader[] {
  const { filters, bytes, ids, ranges, block } = compiled.facts;
  return authoredVariables(compiled).map(([name, type]) => {
    const isList = type.startsWith("[");
    const plain = type.replace(/\W/g, "");
    if (filters.some(({ from }) => from === name)) return { name, reader: "filter", isList: false };
    if (bytes.includes(name)) return { name, reader: "bytes", isList };
    if (ids.includes(name)) return { name, reader: plain === "ID" ? "idWithBytes" : "textWithBytes", isList };
    if (ranges.first.includes(name)) return { name, reader: "size", isList };
    if (ranges.skip.includes(name)) return { name, reader: "offset", isList };
    if (block.numbers.includes(name)) return { name, reader: "blockNumber", isList };
    return { name, reader: READERS_BY_TYPE.get(plain) ?? "text", isList };
  });
}

/** Returns the readers of the variables that hold the ids of the requested chains. */
export function chainReaders(compiled: CompiledOperation): VariableReader[] {
  return chainVariables(compiled).map(([name, type]) => ({ name, ...chainReader(type) }));
}

/** Returns the reader of a variable of chains: ids of other types than `Int` are sent as text. */
export function chainReader(type: string): Omit<VariableReader, "name"> {
  return { reader: /\bInt\b/.test(type) ? "chainNumber" : "chainId", isList: type.startsWith("[") };
}

/** Returns the functions of readers by the names of their variables, as operations have them. */
export function readersByName(
  all: readonly VariableReader[],
): Readonly<Record<string, Reader | readonly [Reader]>> {
  const entries = all.map(({ name, reader, isList }) => {
    const read = READERS[reader];
    return [name, isList ? ([read] as const) : read] as const;
  });
  return Object.fromEntries(entries);
}

/** Readers by type; values of other types are text. */
const READERS_BY_TYPE: ReadonlyMap<string, ReaderName> = new Map([
  ["BigDecimal", "decimal"],
  ["BigInt", "bigInt"],
  ["Block_height", "block"],
  ["Boolean", "flag"],
  ["Bytes", "bytes"],
  ["ID", "id"],
  ["Int", "int"],
  ["OrderDirection", "direction"],
]);
