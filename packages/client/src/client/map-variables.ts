import type { StyleName } from "../manifest/project.ts";
import { IndexerError } from "./indexer-error.ts";
import { own } from "./own.ts";
import type { Given, Kind, PortableOperation } from "./portable-operation.ts";
import { kindOf, readValue, readValues } from "./read-value.ts";
import { refuseValue } from "./refuse-value.ts";
import { wrapPattern } from "./wrap-pattern.ts";

/**
 * The variables to send for a style, of those of a portable operation. What is null counts as left out.
 *
 * @param chainIds the ids of the chains that are asked, for the multichain indexers.
 * @throws IndexerError `invalid-variables` for values that the styles do not read alike, whatever the style.
 */
export function mapVariables<P extends string, R, V, K extends Kind>(
  operation: PortableOperation<P, R, V, K>,
  style: StyleName,
  variables: Given<V>,
  chainIds: readonly (number | string | bigint)[] = [],
): Record<string, unknown> {
  const {
    bytes = [],
    ids = [],
    wrap = [],
    nonEmpty = [],
    ranges = [],
    skips = [],
    map,
    subgraph,
  } = operation;
  const text = operation[style as "subgraph"];
  const given: Record<string, unknown> = {};
  const declared = declaredVariables(subgraph);
  for (const name of Object.keys(variables ?? {})) {
    if (!declared.some(([known]) => known === name)) refuseVariable(name, declared);
  }
  for (const [name, type] of declared) {
    let value = own((variables ?? {}) as Record<string, unknown>, name);
    const isGiven = value !== undefined && value !== null;
    if (name === "block" || !(isGiven || type.endsWith("!"))) continue;
    // A filter is read where it is mapped.
    if (!map || !/_filter\W*$/.test(type)) {
      const plain = kindOf(type.replace(/\W/g, ""));
      const kind = bytes.includes(name) ? "x" : ids.includes(name) ? plain.toUpperCase() || "S" : plain;
      value = (type.startsWith("[") ? readValues : readValue)(kind, value, name);
    } else if (!value) refuseValue(name, "filter");
    if (nonEmpty.includes(name) && (value as readonly unknown[]).length === 0) {
      refuseValue(name, "list of one or more");
    }
    if (ranges.includes(name)) requireRange(value, 1, 1000, name);
    if (skips.includes(name)) requireRange(value, 0, 5000, name);
    given[name] = value;
  }
  for (const [to, from, before, after] of wrap) {
    const value = own(given, from);
    const wrapped = (one: unknown) =>
      before + after ? wrapPattern(before, one as string, after, from) : one;
    if (value !== undefined) given[to] = Array.isArray(value) ? value.map(wrapped) : wrapped(value);
  }
  const [chain, ...others] = chainIds;
  const mapped = map ? map(given, text === subgraph, others.length > 0 ? undefined : chain) : given;
  const sent = declaredVariables(text).map(([name, type]): [string, unknown] => [
    name,
    /^chainIds(Int|One)?$/.test(name) ? readChains(type, chainIds) : own(mapped, name),
  ]);
  return Object.fromEntries(sent.filter(([, value]) => value !== undefined));
}

/** Whether a text can be asked as of a block of the past. */
export function knowsPast(text: string): boolean {
  return declaredVariables(text).some(([name]) => name === "block");
}

/**
 * The variables a text declares, with their types: in its first line, whose strings may hold anything. What has a default
 * may be left out, whatever its type.
 */
function declaredVariables(text: string): [name: string, type: string][] {
  const head = text
    .split("\n", 1)
    .join("")
    .replace(/"(\\.|[^"\\])*"/g, "");
  const found: [name: string, type: string][] = [];
  for (const [, name = "", type = "", isDefault] of head.matchAll(/\$(\w+): ([\w[\]!]+)( =)?/g)) {
    found.push([name, isDefault ? type.replace(/!$/, "") : type]);
  }
  return found;
}

function requireRange(value: unknown, least: number, most: number, name: string): void {
  if ((value as number) < least || (value as number) > most)
    refuseValue(name, `number of ${least} to ${most}`);
}

/** Every type of chain ids takes text but `Int`. A row that is looked up is of one chain. */
function readChains(type: string, chainIds: readonly (number | string | bigint)[]): unknown {
  const ids = readValues("n", chainIds, "chainIds").map((id) => (/\bInt!/.test(type) ? Number(id) : id));
  if (type.startsWith("[")) return ids.length === 0 ? refuseValue("chainIds", "list of one or more") : ids;
  return ids.length === 1 ? ids[0] : refuseValue("chainIds", "list of one");
}

function refuseVariable(name: string, declared: readonly [name: string, type: string][]): never {
  const own = declared.filter(([known]) => known !== "block");
  const names = own.map(([known]) => `$${known}`).join(", ");
  const known = names === "" ? "has no variables" : `takes ${names}`;
  const near = own.find(([one]) => likeness(name, one) > 0.7);
  const hint = near ? ` Did you mean $${near[0]}?` : "";
  throw new IndexerError(
    "invalid-variables",
    `Unknown variable $${name.slice(0, 200)}; the operation ${known}.${hint}`,
  );
}

/** The share of letters that two names have in common, from 0 to 1. */
function likeness(one: string, other: string): number {
  let rest = other.toLowerCase();
  for (const letter of one.toLowerCase()) rest = rest.replace(letter, "");
  return (2 * (other.length - rest.length)) / (one.length + other.length);
}
