import { describe, expect, test } from "vitest";
import { flattenSchema } from "../../../src/dialects/canonicalize.ts";
import { SUBGRAPH_SCALARS } from "../../../src/dialects/subgraph/platform-types.ts";
import { deriveFrom, shapeOf } from "./schema-shape.ts";

const schema = deriveFrom("type Stream @entity { id: ID! }", { release: "0.44" });

describe("the types graph-node adds", () => {
  test.each([
    ["OrderDirection", "asc, desc"],
    ["_SubgraphErrorPolicy_", "allow, deny"],
    ["Aggregation_interval", "hour, day"],
    ["Aggregation_current", "exclude, include"],
    ["LogLevel", "CRITICAL, ERROR, WARNING, INFO, DEBUG"],
    ["BlockChangedFilter", "number_gte: Int!"],
    ["Block_height", "hash: Bytes, number: Int, number_gte: Int"],
    ["_Meta_", "block: _Block_!, deployment: String!, hasIndexingErrors: Boolean!"],
    ["_Block_", "hash: Bytes, number: Int!, timestamp: Int, parentHash: Bytes"],
    [
      "_Log_",
      "id: String!, subgraphId: String!, timestamp: String!, level: LogLevel!, text: String!, arguments: [_LogArgument_!]!, meta: _LogMeta_!",
    ],
    ["_LogArgument_", "key: String!, value: String!"],
    ["_LogMeta_", "module: String!, line: Int!, column: Int!"],
  ])("%s", (name, shape) => {
    expect(shapeOf(schema, name).join(", ")).toBe(shape);
  });

  // The committed snapshots have the descriptions of the other types.
  test("that came with 0.42 and 0.44 have descriptions", () => {
    const late = flattenSchema(schema).filter(({ coordinate }) =>
      /^(_?Log|Aggregation_current)/.test(coordinate),
    );
    expect(late).toHaveLength(24);
    expect(late.filter(({ description }) => !description)).toEqual([]);
  });

  test("include all scalars, used or not, and SUBGRAPH_SCALARS lists each", () => {
    const names = schema.types.filter((type) => type.kind === "SCALAR").map((type) => type.name);
    expect(names).toEqual([
      ...["BigDecimal", "BigInt", "Boolean", "Bytes", "Float", "ID", "Int", "Int8", "String", "Timestamp"],
    ]);
    expect([...SUBGRAPH_SCALARS.keys()].toSorted()).toEqual(names);
  });

  test("include graph-node's directives", () => {
    const required = (name: string, type: string) => ({ name, description: null, type, defaultValue: null });
    const condition = {
      description: null,
      locations: ["FIELD", "FRAGMENT_SPREAD", "INLINE_FRAGMENT"],
      args: [required("if", "Boolean!")],
    };
    expect(schema.directives).toMatchObject([
      { name: "skip", ...condition },
      { name: "include", ...condition },
      { name: "entity", locations: ["OBJECT"], args: [] },
      { name: "subgraphId", locations: ["OBJECT"], args: [required("id", "String!")] },
      { name: "derivedFrom", locations: ["FIELD_DEFINITION"], args: [required("field", "String!")] },
    ]);
  });
});
