import { expect, it } from "vitest";
import type { ApiSchema, ApiType } from "../../src/dialects/api-schema.ts";
import { requireWhole } from "../../src/fleet/introspect-targets.ts";
import { catchError } from "../support/catch-error.ts";

function schemaOf(types: number, rootFields: number): ApiSchema {
  const field = (name: string) => ({
    name,
    description: null,
    args: [],
    type: "Int",
    deprecationReason: null,
  });
  const object = (name: string, count: number): ApiType => ({
    kind: "OBJECT",
    name,
    description: null,
    interfaces: [],
    fields: Array.from({ length: count }, (_, index) => field(`f${index}`)),
  });
  const others = Array.from({ length: types - 1 }, (_, index) => object(`T${index}`, 1));
  return {
    queryType: "Query",
    mutationType: null,
    subscriptionType: null,
    types: [object("Query", rootFields), ...others],
    directives: [],
  };
}

it.each<[types: number, rootFields: number, want: string | null]>([
  [20, 10, null],
  // A release may remove half of the types, but not half of the root fields.
  [10, 10, null],
  [9, 10, "The schema has 9 types where the snapshot has 20, so it is considered incomplete."],
  [20, 6, null],
  [20, 5, "The schema has 5 root fields where the snapshot has 10, so it is considered incomplete."],
])("requireWhole with %i of 20 types and %i of 10 root fields", (types, rootFields, want) => {
  const check = () => requireWhole(schemaOf(types, rootFields), { types: 20, rootFields: 10 });
  if (want === null) expect(check).not.toThrow();
  else expect(catchError(check)).toMatchObject({ code: "SCHEMA_INCOMPLETE", sentence: want });
});
