import { type FieldNode, Kind, type ValueNode } from "graphql";
import type { PagedList } from "../style.ts";

/** Reads a list as Hasura takes it: a `limit`, one order before all others, and a filter of all rows by that column. */
export function readPagedMultichain({ arguments: args = [] }: FieldNode): PagedList | null {
  const given = new Map<string, ValueNode>(args.map(({ name, value }) => [name.value, value]));
  const first = given.get("limit");
  const [order] = readFields(given.get("order_by"));
  const direction = order?.value.kind === Kind.ENUM ? order.value.value : "";
  const isKnown = args.every(({ name }) => ["limit", "order_by", "where"].includes(name.value));
  if (!isKnown || !order || first?.kind !== Kind.VARIABLE) return null;
  if (direction !== "asc" && direction !== "desc") return null;
  const column = order.name.value;
  const after = findAfter(given.get("where"), column, direction === "asc" ? "_gt" : "_lt");
  return after === null ? null : { first: first.name.value, column, direction, after };
}

/** The fields of an object, or of the first of a list. */
function readFields(value: ValueNode | undefined) {
  const one = value?.kind === Kind.LIST ? value.values[0] : value;
  return one?.kind === Kind.OBJECT ? one.fields : [];
}

/** The variable that a column of all rows is compared with. */
function findAfter(filter: ValueNode | undefined, column: string, operator: string): string | null {
  if (filter?.kind !== Kind.OBJECT) return null;
  for (const { name, value } of filter.fields) {
    if (name.value === "_and") {
      for (const one of value.kind === Kind.LIST ? value.values : [value]) {
        const found = findAfter(one, column, operator);
        if (found !== null) return found;
      }
    }
    if (name.value !== column || value.kind !== Kind.OBJECT) continue;
    const than = value.fields.find((field) => field.name.value === operator)?.value;
    if (than?.kind === Kind.VARIABLE) return than.name.value;
  }
  return null;
}
