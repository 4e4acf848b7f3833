import { Kind, print, type ValueNode } from "graphql";
import type { ReadFilter } from "../dialects/foreign-query.ts";
import { CHAIN_FIELD } from "../operations/portable/compile-list.ts";
import type { EntityFacts, Facts } from "../operations/portable/read-entities.ts";

export type SplitFilter = {
  readonly rest: ReadFilter;
  /** Null for all chains. */
  readonly chain: ValueNode | null;
  /** Whether the condition names one chain. */
  readonly isOne: boolean;
};

/**
 * Removes the condition on the chain from a filter, if every row must pass it.
 *
 * @param path the references from a row to the one with its chain.
 */
export function splitChain(filter: ReadFilter, path: readonly string[]): SplitFilter {
  const none = { rest: filter, chain: null, isOne: false };
  switch (filter.kind) {
    case "test": {
      const isOfChain = path.length === 0 && filter.column === CHAIN_FIELD && !filter.isNegated;
      const { test, value: chain } = filter;
      if (!isOfChain || (test !== "equal" && test !== "in") || !isChain(chain)) return none;
      const isOne = test === "equal" || (chain.kind === Kind.LIST && chain.values.length === 1);
      return { rest: { kind: "and", of: [] }, chain, isOne };
    }
    case "related": {
      const [field, ...further] = path;
      if (filter.field !== field) return none;
      const split = splitChain(filter.of, further);
      if (split.chain === null) return none;
      return isEmpty(split.rest) ? split : { ...split, rest: { ...filter, of: split.rest } };
    }
    case "and": {
      const parts = filter.of.map((part) => splitChain(part, path));
      const split = parts.filter(({ chain }) => chain !== null);
      const [only] = split;
      // Two conditions on the chain cannot become one option.
      if (only === undefined || split.length > 1) return none;
      return { ...only, rest: { kind: "and", of: parts.map(({ rest }) => rest) } };
    }
    case "or": {
      // If all conditions have the same chain, they are conditions on that chain.
      const parts = filter.of.map((part) => splitChain(part, path));
      const chains = new Set(parts.map(({ chain }) => chain && print(chain)));
      const [first] = parts;
      if (first === undefined || chains.size > 1 || parts.some(({ rest }) => isEmpty(rest))) return none;
      return first.chain === null
        ? none
        : { ...first, rest: { ...filter, of: parts.map(({ rest }) => rest) } };
    }
    case "given":
      return none;
  }
}

/** Whether every row passes a filter. */
function isEmpty(filter: ReadFilter): boolean {
  return filter.kind === "and" && filter.of.every(isEmpty);
}

function isChain(value: ValueNode): boolean {
  if (value.kind === Kind.LIST) return value.values.length > 0 && value.values.every(isChain);
  return (
    value.kind === Kind.VARIABLE ||
    value.kind === Kind.INT ||
    (value.kind === Kind.STRING && /^\d+$/.test(value.value))
  );
}

/** Returns a unique column among those of `distinct_on`, so that every row is distinct; null for none. */
export function findUniqueColumn(
  distinct: ValueNode,
  { name }: Pick<EntityFacts, "name">,
  { facts, isOfOneChain }: { readonly facts: Facts; readonly isOfOneChain: boolean },
): string | null {
  const { cursors } = facts.definition;
  const cursor = isOfOneChain && Object.hasOwn(cursors, name) ? cursors[name] : "id";
  const columns = distinct.kind === Kind.LIST ? distinct.values : [distinct];
  const names = columns.flatMap((column) => (column.kind === Kind.ENUM ? [column.value] : []));
  return names.find((column) => column === "id" || column === cursor) ?? null;
}
