import { Kind, type ValueNode } from "graphql";
import type { ReadFilter } from "../../dialects/foreign-query.ts";
import { CHAIN_FIELD } from "../../operations/portable/compile-list.ts";

/** A filter without its condition on the chain, and the chain; null where it asks for all. */
export type SplitFilter = { readonly rest: ReadFilter; readonly chain: ValueNode | null };

/**
 * Takes the condition on the chain out of a filter, where every row has to pass it.
 *
 * @param path the references from a row to the one that has its chain.
 */
export function splitChain(filter: ReadFilter, path: readonly string[]): SplitFilter {
  const none = { rest: filter, chain: null };
  switch (filter.kind) {
    case "test": {
      const isOfChain = path.length === 0 && filter.column === CHAIN_FIELD && !filter.isNegated;
      if (!isOfChain || (filter.test !== "equal" && filter.test !== "in")) return none;
      return isChain(filter.value) ? { rest: { kind: "and", of: [] }, chain: filter.value } : none;
    }
    case "related": {
      const [field, ...further] = path;
      if (filter.field !== field) return none;
      const split = splitChain(filter.of, further);
      if (split.chain === null) return none;
      const isEmpty = split.rest.kind === "and" && split.rest.of.length === 0;
      return { chain: split.chain, rest: isEmpty ? split.rest : { ...filter, of: split.rest } };
    }
    case "and": {
      const parts = filter.of.map((one) => splitChain(one, path));
      const found = parts.filter(({ chain }) => chain !== null);
      const [only] = found;
      // Two conditions on the chain are not one option.
      if (only === undefined || found.length > 1) return none;
      return { chain: only.chain, rest: { kind: "and", of: parts.map(({ rest }) => rest) } };
    }
    case "or":
    case "given":
      return none;
  }
}

function isChain(value: ValueNode): boolean {
  if (value.kind === Kind.LIST) return value.values.length > 0 && value.values.every(isChain);
  return (
    value.kind === Kind.VARIABLE ||
    value.kind === Kind.INT ||
    (value.kind === Kind.STRING && /^\d+$/.test(value.value))
  );
}
