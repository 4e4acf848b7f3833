import { describe, expect, it } from "vitest";
import { styles } from "../../src/dialects/index.ts";
import { createSchemaReader, findProtocols } from "../../src/fleet/read-schema.ts";
import { BUILT_IN_DEFINITIONS } from "../support/built-in-definitions.ts";
import { introspectionAnswer, SMALL_ENTITIES } from "../support/indexer-answers.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("createSchemaReader", () => {
  it("parses equal bodies once", () => {
    const read = createSchemaReader(BUILT_IN_DEFINITIONS, []);
    const first = read(bytes(introspectionAnswer("subgraph")), styles.subgraph);
    expect(read(bytes(introspectionAnswer("subgraph")), styles.subgraph)).toBe(first);
    expect(
      createSchemaReader(BUILT_IN_DEFINITIONS, [])(bytes(introspectionAnswer("subgraph")), styles.subgraph),
    ).not.toBe(first);
  });

  it("separates a change of the platform from a change of the entities", () => {
    const read = createSchemaReader(BUILT_IN_DEFINITIONS, []);
    const base = read(bytes(introspectionAnswer("subgraph")), styles.subgraph);
    const withoutFeature = read(
      bytes(introspectionAnswer("subgraph").replaceAll('"_change_block"', '"_changed_block"')),
      styles.subgraph,
    );
    expect(withoutFeature.hashes.schema).not.toBe(base.hashes.schema);
    expect(withoutFeature.entities).toBe(base.entities);
    const renamed = read(
      bytes(introspectionAnswer("subgraph", SMALL_ENTITIES.replace("alias", "name"))),
      styles.subgraph,
    );
    expect(renamed.entities).not.toBe(base.entities);
  });

  const marks: [entities: string, want: string[]][] = [
    ["depositAmount: BigInt!", ["lockup"]],
    ["ratePerSecond: BigInt!", ["flow"]],
    ["ratePerSecond: BigInt! depositAmount: BigInt!", ["lockup", "flow"]],
    ["amount: BigInt! deposit_amount: Int", []],
  ];
  it.each(marks)("finds the protocols of %s in either style", (fields, want) => {
    const read = createSchemaReader(BUILT_IN_DEFINITIONS, []);
    const entities = `type Thing @entity { id: ID! ${fields} }`;
    for (const style of ["multichain", "subgraph"] as const) {
      const { schema } = read(bytes(introspectionAnswer(style, entities)), styles[style]);
      expect(findProtocols(styles[style].schemas.read(schema), BUILT_IN_DEFINITIONS)).toEqual(want);
    }
  });
});
