import type { EntityModel } from "../../schema/entity-model.ts";

/**
 * Compares names by when graph-node first met them while reading an entity schema. Root fields stand in that
 * order, which is document order unless a type is called like a field used before it (A.9).
 */
export function createRootOrder(model: EntityModel): (a: Named, b: Named) => number {
  const positions = new Map<string, number>();
  const intern = (name: string) => {
    if (!positions.has(name)) positions.set(name, positions.size);
  };
  for (const name of ["id", "Poi$", "digest", "blockTime", "vid"]) intern(name);
  for (const definition of model.definitions) {
    if (definition.kind === "fulltext") continue;
    intern(definition.name);
    if (definition.kind === "aggregation") {
      for (const interval of definition.intervals) intern(`${definition.name}_${interval}`);
    }
    if (definition.kind !== "enum") for (const field of definition.fields) intern(field.name);
  }
  return (a, b) => (positions.get(a.name) ?? 0) - (positions.get(b.name) ?? 0);
}

type Named = { readonly name: string };
