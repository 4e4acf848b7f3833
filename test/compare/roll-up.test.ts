import { describe, expect, it } from "vitest";
import { diffSchemas } from "../../src/compare/diff-schemas.ts";
import type { ApiSchema } from "../../src/dialects/api-schema.ts";
import { canonicalize } from "../../src/dialects/canonicalize.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import type { StyleName } from "../../src/dialects/surface.ts";

describe("a field that changes its type and is deprecated", () => {
  it.each<[name: string, style: StyleName, before: string, after: string]>([
    ["of a column, on subgraphs", "subgraph", "String!", "Int!"],
    ["of a column, on multichain", "multichain", "String!", "Int!"],
    // Multichain shows this nullability at `field_id` only, so the field itself has no change but its deprecation.
    ["of a relation, on multichain", "multichain", "Asset!", "Asset"],
  ])("reports the type as the cause: %s", (_, style, before, after) => {
    const { causes } = diffSchemas(
      { before: derive(style, before), after: deprecate(derive(style, after)) },
      styles[style],
      {
        exhaustiveEnums: false,
      },
    );
    const [cause, ...others] = causes;
    expect(others).toEqual([]);
    expect(cause?.change).toEqual({ kind: "field-type-changed", coordinate: "Stream.field", before, after });
    expect(cause?.severity).toBe("breaking");
    expect(cause?.derivedChanges).toContainEqual({
      kind: "field-deprecation-changed",
      coordinate: "Stream.field",
      before: null,
      after: "old",
    });
  });
});

function derive(style: StyleName, type: string): ApiSchema {
  const entities = `type Asset @entity { id: ID! } type Stream @entity { id: ID! field: ${type} }`;
  return canonicalize(styles[style].deriver.derive(parseEntities(entities, "entities.graphql"), {}));
}

function deprecate(schema: ApiSchema): ApiSchema {
  const types = schema.types.map((type) => {
    if (type.kind !== "OBJECT" || type.name !== "Stream") return type;
    return {
      ...type,
      fields: type.fields.map((field) =>
        field.name === "field" ? { ...field, deprecationReason: "old" } : field,
      ),
    };
  });
  return canonicalize({ ...schema, types });
}
