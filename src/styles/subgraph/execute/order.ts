import type { Arguments } from "./coerce.ts";
import { messages } from "./messages.ts";
import { refuse } from "./refusal.ts";
import type { Attribute, EntityFacts, SchemaIndex } from "./schema-index.ts";
import type { OrderKey } from "./tables.ts";

export type Order = {
  readonly key: OrderKey;
  /** Descending is the exact reverse of ascending: nulls come first and ties by `id` turn with it (B.3). */
  readonly descending: boolean;
};

/**
 * Reads `orderBy` and `orderDirection`.
 *
 * @param nested the collection lies inside another entity, where `ref__f` fails.
 * @throws Refusal for a field the server cannot order by.
 */
export function readOrder(entity: EntityFacts, args: Arguments, index: SchemaIndex, nested: boolean): Order {
  const orderBy = args.get("orderBy");
  if (orderBy?.kind !== "Enum") return defaultOrder(entity);
  const direction = args.get("orderDirection");
  const descending = direction?.kind === "Enum" && direction.value === "desc";
  // The server splits at `__` and takes the first two parts, also where the name of a field holds `__`.
  const [name = "", childName] = orderBy.value.split("__");
  const attribute = entity.attribute(name);
  if (attribute === undefined) return refuse(messages.noAttribute(entity.name, name));
  if (childName === undefined) {
    if (attribute.list || attribute.kind !== "scalar") {
      refuse(messages.orderNotSupported(entity.name, name));
    }
    return { key: { name, attribute, child: null }, descending };
  }
  const child = index.entity(attribute.base)?.attribute(childName);
  if (child === undefined) return refuse(messages.noAttribute(attribute.base, childName));
  if (nested && entity.kind !== "interface") {
    refuse(messages.store("ordering by the field of a reference inside of a nested collection"));
  }
  return { key: { name: `${name}__${childName}`, attribute, child }, descending };
}

function defaultOrder(entity: EntityFacts): Order {
  if (entity.kind === "aggregation") {
    const timestamp = entity.attribute("timestamp");
    if (timestamp) return { key: { name: "timestamp", attribute: timestamp, child: null }, descending: true };
  }
  return { key: idOrder(entity), descending: false };
}

/** Ascending by `id`, the order of everything that asks for none. */
export function idOrder(entity: EntityFacts): OrderKey {
  return { name: "id", attribute: entity.attribute("id") ?? PLAIN_ID, child: null };
}

const PLAIN_ID: Attribute = {
  name: "id",
  type: "ID!",
  base: "ID",
  list: false,
  kind: "scalar",
  valueType: "ID",
  derivedFrom: null,
};
