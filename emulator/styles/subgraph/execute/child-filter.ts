import type { Row } from "../../read-view.ts";
import type { Filter } from "./column-filter.ts";
import type { Attribute, EntityFacts, SchemaIndex } from "./schema-index.ts";
import { idsOf } from "./stored-value.ts";
import { type Entry, idOf, type Tables } from "./tables.ts";

/**
 * Matches rows some of whose referred entities match a filter (B.4). Each of those is tested once.
 */
export function childFilter(
  field: string,
  parent: EntityFacts,
  target: EntityFacts,
  filter: Filter,
  { index, tables }: { readonly index: SchemaIndex; readonly tables: Tables },
): Filter {
  const known = new Map<string, boolean>();
  const childMatches = ({ type, row }: Entry): boolean => {
    const id = idOf(row);
    let matched = known.get(id);
    if (matched === undefined) {
      matched = filter.matches(row, type);
      known.set(id, matched);
    }
    return matched;
  };
  // A field of an interface is derived where the types that implement it say so.
  const attributes = new Map<string, Attribute | undefined>();
  const attributeOf = (type: string): Attribute | undefined => {
    if (!attributes.has(type)) attributes.set(type, index.entity(type)?.attribute(field));
    return attributes.get(type) ?? parent.attribute(field);
  };
  const targets = index.concreteTypes(target.name);

  function matches(row: Row, type: string): boolean {
    const derivedFrom = attributeOf(type)?.derivedFrom ?? null;
    if (derivedFrom === null) {
      const id = row[field];
      if (id === null || id === undefined) return false;
      if (typeof id === "string") return idMatches(id);
      return idsOf(id).some(idMatches);
    }
    for (const each of targets) {
      for (const child of tables.matching(each, derivedFrom, row["id"] ?? null)) {
        if (childMatches({ type: each, row: child })) return true;
      }
    }
    return false;
  }

  function idMatches(id: string): boolean {
    const before = known.get(id);
    if (before !== undefined) return before;
    const child = tables.find(target.name, id);
    if (child) return childMatches(child);
    known.set(id, false);
    return false;
  }

  return { matches, lookups: [] };
}
