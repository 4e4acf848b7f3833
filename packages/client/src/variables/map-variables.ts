import { IndexerError, refuseValue } from "../client/indexer-error.ts";
import {
  blockVariable,
  type Given,
  IS_SHARED,
  type Kind,
  type PortableOperation,
} from "../client/portable-operation.ts";
import { own } from "../client/values.ts";
import type { StyleName } from "../manifest/manifest-types.ts";
import { readList } from "./readers.ts";

/**
 * Maps the variables of a portable operation to those that are sent in a style. Null counts as omitted.
 *
 * @param chainIds the ids of the requested chains, for the multichain indexers.
 * @throws IndexerError `invalid-variables` for values that the styles read differently, whatever the style, and for unknown
 *   variables; `no-time-travel` for a block in a style without past blocks.
 */
export function mapVariables<P extends string, R, V, K extends Kind>(
  operation: PortableOperation<P, R, V, K>,
  style: StyleName,
  variables: Given<V>,
  chainIds: readonly (number | string | bigint)[] = [],
): Record<string, unknown> {
  const isMultichain = IS_SHARED[style];
  for (const reader of isMultichain ? Object.values(operation.chainIds ?? {}) : []) {
    const isOne = typeof reader === "function";
    if (isOne ? chainIds.length !== 1 : chainIds.length === 0) {
      refuseValue("chainIds", `a list of ${isOne ? "one" : "at least one"} chain id`);
    }
  }
  const sent = convertVariables(operation, style, { variables, chainIds });
  const block = own((variables ?? {}) as Record<string, unknown>, blockVariable(operation));
  if (isMultichain && (operation.pinned || (block ?? null) !== null)) {
    throw new IndexerError("no-time-travel", `${operation.name} requests a past block.`, { style });
  }
  return sent;
}

/** Does the same for a client, which knows that the style serves the block and the chains. */
export function convertVariables<P extends string, R, V, K extends Kind>(
  operation: PortableOperation<P, R, V, K>,
  style: StyleName,
  {
    variables,
    chainIds = [],
  }: { readonly variables: Given<V>; readonly chainIds?: readonly (number | string | bigint)[] },
): Record<string, unknown> {
  const {
    variables: readers = {},
    required = [],
    nonEmpty = [],
    map,
    chainIds: chainVariables = {},
  } = operation;
  const given = (variables ?? {}) as Record<string, unknown>;
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(readers, name));
  if (unknown !== undefined) refuseValue("variables", Object.keys(readers).join(", ") || "omitted", unknown);
  const values: Record<string, unknown> = {};
  for (const [name, reader] of Object.entries(readers)) {
    const value = own(given, name);
    if ((value === undefined || value === null) && !required.includes(name)) continue;
    values[name] = typeof reader === "function" ? reader(value, name) : readList(value, name, reader[0]);
    if (nonEmpty.includes(name) && (values[name] as readonly unknown[]).length === 0) {
      refuseValue(name, "a non-empty list");
    }
  }
  const isMultichain = IS_SHARED[style];
  const mapped = map ? map(values, !isMultichain, chainIds.length > 1 ? undefined : chainIds[0]) : values;
  const sent: Record<string, unknown> = {};
  for (const name of (isMultichain && operation.sent) || Object.keys(readers)) {
    if (own(mapped, name) !== undefined) sent[name] = mapped[name];
  }
  for (const [name, reader] of isMultichain ? Object.entries(chainVariables) : []) {
    sent[name] =
      typeof reader === "function"
        ? reader(chainIds[0], "chainIds")
        : readList(chainIds, "chainIds", reader[0]);
  }
  return sent;
}
