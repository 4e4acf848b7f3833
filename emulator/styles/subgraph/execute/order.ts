import { type Arguments, enumOf } from "./coerce.ts";
import { messages } from "./messages.ts";
import { type ErrorEntry, refuse } from "./query-error.ts";
import type { EntityFacts, SchemaIndex } from "./schema-index.ts";

/** By what a collection is ordered, ascending; ties are by `id`. */
export type OrderKey = {
  readonly field: string;
  /** For `ref__f`, the field of the referred entity. */
  readonly child: string | null;
  /** The scalar of the values. */
  readonly valueType: string;
};

export type Order = {
  readonly key: OrderKey;
  /** Descending is the exact reverse of ascending: nulls come first and ties by `id` turn with it (B.3). */
  readonly descending: boolean;
};

/**
 * Reads `orderBy` and `orderDirection`.
 *
 * @throws QueryError for a field the server cannot order by.
 */
export function readOrder(entity: EntityFacts, args: Arguments, index: SchemaIndex): Order {
  const orderBy = args.get("orderBy");
  if (orderBy?.kind !== "Enum") return defaultOrder(entity);
  const direction = args.get("orderDirection");
  const descending = direction?.kind === "Enum" && direction.value === "desc";
  // The server splits at `__` and takes the first two parts, also where the name of a field holds `__`.
  const [field = "", child] = orderBy.value.split("__");
  const attribute = entity.attribute(field);
  if (attribute === undefined) return refuse(messages.noAttribute(entity.name, field));
  if (child === undefined) {
    if (attribute.list || attribute.kind !== "scalar") {
      refuse(messages.orderNotSupported(tableOf(entity, args), field));
    }
    return { key: { field, child: null, valueType: attribute.valueType }, descending };
  }
  const target = index.entity(attribute.base);
  if (target === undefined || target.kind === "aggregation") {
    return refuse(messages.unknownType(attribute.base));
  }
  const childAttribute = target.attribute(child);
  if (childAttribute === undefined) return refuse(messages.noAttribute(target.name, child));
  if (childAttribute.list || childAttribute.kind !== "scalar") {
    refuse(messages.orderNotSupported(target.name, child));
  }
  return { key: { field, child, valueType: childAttribute.valueType }, descending };
}

/** An aggregation has a table for each interval. */
function tableOf({ name, kind }: EntityFacts, args: Arguments): string {
  const interval = enumOf(args, "interval");
  return kind === "aggregation" && interval !== null ? `${name}_${interval}` : name;
}

/**
 * Refuses the orders by a field of a reference that the server makes no SQL for, or none that the database takes: by
 * any field in a list below one entity or more, or where both sides are of several types. By the `id` where one side is,
 * but for a reference to types that are all immutable, or none of them, or from one that is. The bucket that is still
 * being filled is added to no list below an entity, and to none in such an order.
 *
 * @param late takes what the database refuses, after what else it refuses.
 * @throws QueryError
 */
export function refuseJoin(
  { key: { field, child } }: Order,
  entity: EntityFacts,
  args: Arguments,
  index: SchemaIndex,
  nested: boolean,
  late: ErrorEntry[],
): void {
  const addsBucket = enumOf(args, "current") === "include";
  if (child === null && nested && addsBucket) refuse(messages.store(NESTED_CURRENT));
  if (child === null) return;
  const sources = index.concreteTypes(entity.name);
  const targets = index.concreteTypes(entity.attribute(field)?.base ?? "");
  const isImmutable = (type: string) => index.entity(type)?.immutable === true;
  if (targets.length === 0) refuse(messages.nothingToOrderBy);
  if (nested) refuse(messages.store("SortKey::ChildKey cannot be used for parent ordering (yet)"));
  if (sources.length > 1 || addsBucket) {
    const table = targets.length > 1 || addsBucket ? "i1" : child === "id" ? "cc" : null;
    if (table !== null) late.push(messages.store(`missing FROM-clause entry for table "${table}"`));
  } else if (child === "id" && !sources.some(isImmutable) && new Set(targets.map(isImmutable)).size > 1) {
    late.push(messages.store("COALESCE types int4range and integer cannot be matched"));
  }
}

const NESTED_CURRENT = "current aggregation bucket is not supported for Parent-linked nested queries";

/** The order of a collection that asks for none: by `id`, and newest first for an aggregation (B.3). */
function defaultOrder(entity: EntityFacts): Order {
  const timestamp = entity.kind === "aggregation" ? entity.attribute("timestamp") : undefined;
  return timestamp
    ? { key: { field: "timestamp", child: null, valueType: timestamp.valueType }, descending: true }
    : { key: idOrder(entity), descending: false };
}

/** By `id` alone. */
export function idOrder(entity: EntityFacts): OrderKey {
  return { field: "id", child: null, valueType: entity.attribute("id")?.valueType ?? "ID" };
}
