import type { Protocol, StyleName } from "../narrowed.ts";
import { own } from "../own.ts";
import type { PortableOperation } from "./portable-operation.ts";
import { kindOf, readValue, readValues } from "./read-value.ts";
import { refuseValue } from "./refuse-value.ts";
import { wrapPattern } from "./wrap-pattern.ts";

/**
 * The variables to send for a style, of those of a portable operation. What is null counts as left out.
 *
 * @param chainIds the ids of the chains that are asked, for the multichain indexers.
 * @throws IndexerError `invalid-variables` for values that the styles do not read alike, whatever the style.
 */
export function mapVariables<P extends Protocol, R, V, K extends "one" | "list" | "pages">(
  operation: PortableOperation<P, R, V, K>,
  style: StyleName,
  // What is given does not decide what is asked for.
  variables: [V][V extends unknown ? 0 : never],
  chainIds: readonly (number | string | bigint)[] = [],
): Record<string, unknown> {
  const given = readVariables(operation, (variables ?? {}) as object);
  const { map } = operation;
  const text = operation[style as "subgraph"];
  const mapped = map ? map(given, text === operation.subgraph) : given;
  const sent: [string, unknown][] = [];
  for (const [name, type] of declaredVariables(text)) {
    const value = /^chainIds(Int|One)?$/.test(name) ? readChains(type, chainIds) : own(mapped, name);
    if (value !== undefined) sent.push([name, value]);
  }
  return Object.fromEntries(sent);
}

type VariableFacts = Omit<PortableOperation<Protocol, unknown, unknown, "one">, "__types">;

/** The variables that were given, and those that are made of them. */
function readVariables(
  { bytes = [], wrap = [], nonEmpty = [], ranges = [], skips = [], map, subgraph }: VariableFacts,
  variables: object,
): Record<string, unknown> {
  const given = new Map<string, unknown>();
  for (const [name, type] of declaredVariables(subgraph)) {
    const value: unknown = own(variables as Record<string, unknown>, name);
    if (value === undefined || value === null || name === "block") continue;
    const kind = bytes.includes(name) ? "x" : kindOf(type.replace(/\W/g, ""));
    // A filter is read where it is mapped.
    const isFilter = map && /_filter\W*$/.test(type);
    const read = isFilter ? value : (type.startsWith("[") ? readValues : readValue)(kind, value, name);
    given.set(name, read);
  }
  for (const name of nonEmpty) {
    if ((given.get(name) as readonly unknown[] | undefined)?.length === 0)
      refuseValue(name, "list of one or more");
  }
  requireRange(given, ranges, 1, 1000);
  requireRange(given, skips, 0, 5000);
  for (const [to, from, before, after] of wrap) {
    const value = given.get(from);
    if (value === undefined) continue;
    const wrapped = (text: unknown) => wrapPattern(before, text as string, after, from);
    given.set(to, before + after === "" ? value : Array.isArray(value) ? value.map(wrapped) : wrapped(value));
  }
  return Object.fromEntries(given);
}

/** The variables a text declares, with their types: in its first line, whose strings may hold anything. */
function declaredVariables(text: string): [name: string, type: string][] {
  const head = text.slice(0, text.indexOf("\n")).replace(/"(\\.|[^"\\])*"/g, "");
  return Array.from(head.matchAll(/\$(\w+): ([\w[\]!]+)/g), ([, name = "", type = ""]) => [name, type]);
}

function requireRange(
  given: ReadonlyMap<string, unknown>,
  names: readonly string[],
  least: number,
  most: number,
): void {
  for (const name of names) {
    const value = (given.get(name) ?? least) as number;
    if (value < least || value > most) refuseValue(name, `number of ${least} to ${most}`);
  }
}

/** Every type of chain ids takes text but `Int`. A row that is looked up is of one chain. */
function readChains(type: string, chainIds: readonly (number | string | bigint)[]): unknown {
  const ids = readValues("n", chainIds, "chainIds").map((id) => (/\bInt!/.test(type) ? Number(id) : id));
  const isList = type.startsWith("[");
  if (isList ? ids.length === 0 : ids.length !== 1)
    refuseValue("chainIds", isList ? "list of the chains to ask" : "list of one chain");
  return isList ? ids : ids[0];
}
