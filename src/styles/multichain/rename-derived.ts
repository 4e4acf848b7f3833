import type { DerivedNames } from "../style.ts";
import { familyOf } from "./provenance/api-families.ts";

/** What the platform makes of an entity begins with the entity's name, and some of it has the name twice (B.2 to B.9). */
export const renameMultichain: DerivedNames = (from, to) => ({
  type: (name) => {
    const suffix = suffixOf(name, from);
    if (suffix === null || familyOf(from, suffix) === null) return null;
    return `${to}${suffix.replace(`_select_column_${from}_aggregate_`, `_select_column_${to}_aggregate_`)}`;
  },
  rootField: (name) => {
    const suffix = suffixOf(name, from);
    return suffix !== null && ROOT_SUFFIXES.has(suffix) ? `${to}${suffix}` : null;
  },
});

const ROOT_SUFFIXES: ReadonlySet<string> = new Set(["", "_aggregate", "_by_pk", "_stream"]);

function suffixOf(name: string, entity: string): string | null {
  return name.startsWith(entity) ? name.slice(entity.length) : null;
}
