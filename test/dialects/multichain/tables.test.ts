import { describe, expect, it } from "vitest";
import { RELEASES } from "../../../src/dialects/multichain/release.ts";
import {
  buildTables,
  INTERNAL_TABLE_NAMES,
  internalTables,
} from "../../../src/dialects/multichain/tables.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";

describe("buildTables", () => {
  const tables = buildTables(
    parseEntities(
      `type House { id: Int!  cats: [Cat!]! @derivedFrom(field: "home")  notes: [Note!]! @derivedFrom(field: "houseId") }
       type Cat { id: ID!  home: House! }
       type Note { id: ID!  houseId: Int! }`,
      "entities.graphql",
    ),
    RELEASES["3.8"],
    { perChain: false, postgresDefault: true, bytesType: "string" },
  );

  it("has a relation for each list, through a reference or an id", () => {
    expect(tables.find(({ name }) => name === "House")?.arrayRelations).toEqual([
      { name: "cats", table: "Cat" },
      { name: "notes", table: "Note" },
    ]);
  });

  it("stores a reference in a column with the type of the target's id", () => {
    const cat = tables.find(({ name }) => name === "Cat");
    expect(cat?.objectRelations).toEqual([{ name: "home", table: "House" }]);
    expect(cat?.columns.find(({ name }) => name === "home_id")).toMatchObject({
      name: "home_id",
      description: null,
      scalar: "Int",
      list: false,
      nullable: false,
      source: { entity: "Cat", field: { name: "home" }, target: "House" },
    });
  });
});

describe("internalTables", () => {
  it("are all listed in INTERNAL_TABLE_NAMES, so none is read as an entity", () => {
    const names = Object.values(RELEASES).flatMap((features) =>
      internalTables(features).map((table) => table.name),
    );
    expect([...new Set(names)].sort()).toEqual([...INTERNAL_TABLE_NAMES].sort());
  });

  it("have primary keys of their required columns", () => {
    for (const table of Object.values(RELEASES).flatMap(internalTables)) {
      const required = table.columns.filter((column) => !column.nullable).map((column) => column.name);
      expect(required, table.name).toEqual(expect.arrayContaining([...table.primaryKey]));
    }
  });
});
