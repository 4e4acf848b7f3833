import { type FieldNode, Kind, type ValueNode } from "graphql";
import type { PagedList } from "../style.ts";

/** Reads a list as graph-node takes it: `first`, one order, and a filter of all rows by that column. */
export function readPagedSubgraph({ arguments: args = [] }: FieldNode): PagedList | null {
  const given = new Map<string, ValueNode>(args.map(({ name, value }) => [name.value, value]));
  const first = given.get("first");
  const column = readWord(given.get("orderBy"), "id");
  const direction = readWord(given.get("orderDirection"), "asc");
  const isKnown = args.every(({ name }) => KNOWN.includes(name.value));
  if (!isKnown || first?.kind !== Kind.VARIABLE || column === null) return null;
  if (direction !== "asc" && direction !== "desc") return null;
  const after = findAfter(given.get("where"), `${column}_${direction === "asc" ? "gt" : "lt"}`);
  return after === null ? null : { first: first.name.value, column, direction, after };
}

const KNOWN: readonly string[] = ["first", "orderBy", "orderDirection", "where", "block", "subgraphError"];

/** A word that is written out; null for a variable. */
function readWord(value: ValueNode | undefined, otherwise: string): string | null {
  if (value === undefined) return otherwise;
  return value.kind === Kind.ENUM ? value.value : null;
}

/** The variable that a column of all rows is compared with. */
function findAfter(filter: ValueNode | undefined, test: string): string | null {
  if (filter?.kind !== Kind.OBJECT) return null;
  for (const { name, value } of filter.fields) {
    if (name.value === "and") {
      for (const one of value.kind === Kind.LIST ? value.values : [value]) {
        const found = findAfter(one, test);
        if (found !== null) return found;
      }
    }
    if (name.value === test && value.kind === Kind.VARIABLE) return value.name.value;
  }
  return null;
}
