import { expect, it } from "vitest";
import type { ApiSchema } from "../../src/dialects/api-schema.ts";
import type { StyleName } from "../../src/dialects/surface.ts";
import { causesOf, derive } from "./fixtures.ts";

it.each<[name: string, style: StyleName, before: string, after: string]>([
  ["of a column, on subgraphs", "subgraph", "String!", "Int!"],
  ["of a column, on multichain", "multichain", "String!", "Int!"],
  // Multichain shows this nullability at `field_id` only, so the field itself has no change but its deprecation.
  ["of a relation, on multichain", "multichain", "Asset!", "Asset"],
])("a deprecated field whose type also changes has the type as its cause: %s", (_, style, before, after) => {
  const of = (type: string) =>
    derive(style, `type Asset @entity { id: ID! } type Stream @entity { id: ID! field: ${type} }`);
  expect(causesOf(style, of(before), deprecate(of(after)))).toEqual([
    expect.objectContaining({
      change: { kind: "field-type-changed", coordinate: "Stream.field", before, after },
      severity: "breaking",
      derivedChanges: expect.arrayContaining([
        { kind: "field-deprecation-changed", coordinate: "Stream.field", before: null, after: "old" },
      ]),
    }),
  ]);
});

function deprecate(schema: ApiSchema): ApiSchema {
  const types = schema.types.map((type) => {
    if (type.kind !== "OBJECT" || type.name !== "Stream") return type;
    const fields = type.fields.map((field) =>
      field.name === "field" ? { ...field, deprecationReason: "old" } : field,
    );
    return { ...type, fields };
  });
  return { ...schema, types };
}
