import { describe, expect, it } from "vitest";
import { RELEASES } from "../../../src/dialects/multichain/release.ts";
import { INTERNAL_TABLE_NAMES, internalTables } from "../../../src/dialects/multichain/tables.ts";

describe("internalTables", () => {
  const tables = Object.values(RELEASES).flatMap(internalTables);

  it("are all listed in INTERNAL_TABLE_NAMES, so none is read as an entity", () => {
    expect([...new Set(tables.map(({ name }) => name))].sort()).toEqual([...INTERNAL_TABLE_NAMES].sort());
  });

  it("have primary keys of their required columns", () => {
    for (const { name, columns, primaryKey } of tables) {
      const required = columns.filter((column) => !column.nullable).map((column) => column.name);
      expect(required, name).toEqual(expect.arrayContaining([...primaryKey]));
    }
  });
});
