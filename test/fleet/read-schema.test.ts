import { expect, it } from "vitest";
import { styles } from "../../src/dialects/index.ts";
import { STYLE_NAMES, type StyleName } from "../../src/dialects/surface.ts";
import { createSchemaReader, findProtocols } from "../../src/fleet/read-schema.ts";
import { BUILT_IN_DEFINITIONS } from "../support/built-in-definitions.ts";
import { introspectionAnswer, SMALL_ENTITIES } from "../support/indexer-answers.ts";

const read = (
  body: string,
  style: StyleName = "subgraph",
  reader = createSchemaReader(BUILT_IN_DEFINITIONS, []),
) => reader(new TextEncoder().encode(body), styles[style]);

it("createSchemaReader parses equal bodies once", () => {
  const reader = createSchemaReader(BUILT_IN_DEFINITIONS, []);
  const first = read(introspectionAnswer("subgraph"), "subgraph", reader);
  expect(read(introspectionAnswer("subgraph"), "subgraph", reader)).toBe(first);
  expect(read(introspectionAnswer("subgraph"))).not.toBe(first);
});

it("createSchemaReader separates a change of the platform from a change of the entities", () => {
  const base = read(introspectionAnswer("subgraph"));
  const withoutFeature = read(
    introspectionAnswer("subgraph").replaceAll('"_change_block"', '"_changed_block"'),
  );
  expect(withoutFeature.hashes.schema).not.toBe(base.hashes.schema);
  expect(withoutFeature.entities).toBe(base.entities);
  const renamed = read(introspectionAnswer("subgraph", SMALL_ENTITIES.replace("alias", "name")));
  expect(renamed.entities).not.toBe(base.entities);
});

const marks: [entities: string, want: string[]][] = [
  ["depositAmount: BigInt!", ["lockup"]],
  ["ratePerSecond: BigInt!", ["flow"]],
  ["ratePerSecond: BigInt! depositAmount: BigInt!", ["lockup", "flow"]],
  ["amount: BigInt! deposit_amount: Int", []],
];
it.each(marks)("createSchemaReader finds the protocols of %s in either style", (fields, want) => {
  const entities = `type Thing @entity { id: ID! ${fields} }`;
  for (const style of STYLE_NAMES) {
    const { schema } = read(introspectionAnswer(style, entities), style);
    expect(findProtocols(styles[style].schemas.read(schema), BUILT_IN_DEFINITIONS)).toEqual(want);
  }
});
