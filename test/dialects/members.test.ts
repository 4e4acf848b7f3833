import { expect, it } from "vitest";
import type { ApiType } from "../../src/dialects/api-schema.ts";
import { countMembers, signaturesOf } from "../../src/dialects/members.ts";

it("signaturesOf keeps the first of two members with one name", () => {
  const type: ApiType = {
    kind: "ENUM",
    name: "Order",
    description: null,
    values: [
      { name: "a", description: "first", deprecationReason: null },
      { name: "b", description: null, deprecationReason: null },
    ],
  };
  const field = { description: null, args: [], deprecationReason: null };
  const rows: ApiType = {
    kind: "OBJECT",
    name: "Rows",
    description: null,
    interfaces: [],
    fields: [
      { ...field, name: "a", type: "Int" },
      { ...field, name: "a", type: "String" },
    ],
  };
  expect([...signaturesOf(type)]).toEqual([
    ["Order.a", "a"],
    ["Order.b", "b"],
  ]);
  expect([...signaturesOf(rows)]).toEqual([["Rows.a", "Int"]]);
  expect(countMembers(rows)).toBe(2);
});
