import { expect, it } from "vitest";
import { entitiesOf } from "../../emulator/dataset/entities/index.ts";
import type { ApiSchema } from "../../src/dialects/api-schema.ts";
import { canonicalize } from "../../src/dialects/canonicalize.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseSdl } from "../../src/dialects/parse-sdl.ts";
import { measureSnapshot } from "../../src/workspace/snapshot.ts";
import { renderSnapshot } from "../../src/workspace/snapshot-schema.ts";

const schemas: [name: string, schema: ApiSchema][] = [
  ["lockup multichain", styles.multichain.deriver.derive(entitiesOf("lockup", "multichain"))],
  ["flow subgraph", styles.subgraph.deriver.derive(entitiesOf("flow", "subgraph"))],
  [
    "a query root that is not named Query, beside a type Query",
    parseSdl(
      '"""a\ntype Root {\n  a: Int""" type Query { a: Int b: Int } interface I { a: Int } schema { query: Root } type RootOf { a: Int } type Root implements I { "b" a("c" x: Int): Int }',
      "test",
    ),
  ],
];

it.each(schemas)("measureSnapshot counts the same types and root fields as a parser: %s", (_, given) => {
  const schema = canonicalize(given);
  const text = renderSnapshot(schema, { protocol: "lockup", style: "subgraph" });
  const root = schema.types.find(({ name }) => name === schema.queryType);
  const base = { path: "", text, hash: "" };
  expect(measureSnapshot({ protocol: "lockup", style: "subgraph", base, variants: [] })).toEqual({
    types: schema.types.length,
    rootFields: root?.kind === "OBJECT" ? root.fields.length : -1,
  });
});
