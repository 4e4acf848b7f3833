import type fc from "fast-check";
import type { Row, RowValue } from "../../../emulator/styles/read-view.ts";
import type { Column, Facts } from "./facts.ts";
import { drawn, type Random } from "./random.ts";
import { type Scope, valueFor } from "./values.ts";

/** Rows by entity. */
export type Tables = ReadonlyMap<string, readonly Row[]>;

/**
 * Generates the tables of a schema. References may have no target. For both styles, required references always have a
 * target, because the styles differ if it is missing, and no table is empty.
 */
export function tablesOf(facts: Facts, scope: Scope = "both"): fc.Arbitrary<Tables> {
  return drawn((random) => writeTables(random, facts, scope));
}

/** Writes the tables of `tablesOf`. */
export function writeTables(random: Random, facts: Facts, scope: Scope): Tables {
  const isBoth = scope === "both";
  const least = isBoth ? 1 : 0;
  const ids = new Map(
    [...facts.values()].map(({ name, id }) => [
      name,
      [...new Set(random.some(least, 12, () => valueFor(random, id, scope)))],
    ]),
  );

  function stored(column: Column): RowValue {
    const { target, required, list } = column;
    const targetIds = ids.get(target ?? "") ?? [];
    if (!required && random.chance(0.3)) return null;
    if (list) return random.some(0, 4, () => valueFor(random, column, scope));
    const isKnown = targetIds.length > 0 && ((isBoth && required) || random.chance(0.6));
    return isKnown ? random.pick(targetIds) : valueFor(random, column, scope);
  }

  return new Map(
    [...facts.values()].map(({ name, columns: [, ...columns] }) => [
      name,
      (ids.get(name) ?? []).map((id) => ({
        id,
        ...Object.fromEntries(columns.map((column) => [column.name, stored(column)])),
      })),
    ]),
  );
}
