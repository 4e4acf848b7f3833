import { cached } from "../../../../src/base/collections.ts";
import type { Row } from "../../read-view.ts";
import type { Filter } from "./column-filter.ts";
import type { EntityFacts, SchemaIndex } from "./schema-index.ts";
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
  const childMatches = ({ type, row }: Entry): boolean =>
    cached(known, idOf(row), () => filter.matches(row, type));
  // A field of an interface is derived where the types that implement it say so.
  const sources = new Map<string, string | null>();
  const sourceOf = (type: string): string | null =>
    cached(sources, type, () => {
      const attribute = index.entity(type)?.attribute(field) ?? parent.attribute(field);
      return attribute?.derivedFrom ?? null;
    });
  const targets = index.concreteTypes(target.name);

  function matches(row: Row, type: string): boolean {
    const derivedFrom = sourceOf(type);
    const id = row[field];
    if (derivedFrom === null) return typeof id === "string" ? idMatches(id) : idsOf(id).some(idMatches);
    for (const each of targets) {
      for (const child of tables.matching(each, derivedFrom, row["id"] ?? null)) {
        if (childMatches({ type: each, row: child })) return true;
      }
    }
    return false;
  }

  function idMatches(id: string): boolean {
    return cached(known, id, () => {
      const child = tables.find(target.name, id);
      return child !== undefined && filter.matches(child.row, child.type);
    });
  }

  return { matches, lookups: [] };
}
