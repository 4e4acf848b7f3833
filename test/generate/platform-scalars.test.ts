import { isScalarType } from "graphql";
import { expect, it } from "vitest";
import { canonicalize } from "../../src/dialects/canonicalize.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import { renderSdl } from "../../src/dialects/render-sdl.ts";
import { STYLE_NAMES } from "../../src/dialects/surface.ts";
import { toGraphqlSchema } from "../../src/dialects/to-graphql-schema.ts";
import { generateFrom } from "../support/generate-from.ts";

const ENTITIES = parseEntities("type Lot @entity { id: ID! }", "entities.graphql");

const RELEASES = STYLE_NAMES.flatMap((style) =>
  styles[style].platform.releases.map((release) => [style, release] as const),
);

it.each(RELEASES)("the scalars of the tables of %s %s have a type by default", (style, release) => {
  const schema = toGraphqlSchema(styles[style].deriver.derive(ENTITIES, { release }));
  const scalars = Object.values(schema.getTypeMap())
    .filter(isScalarType)
    .map(({ name }) => name)
    .filter((name) => name !== "ID");
  expect(scalars.filter((name) => !styles[style].scalars.has(name))).toEqual([]);
});

it("the contract of a row of Envio 2.27 is a string", async () => {
  const api = styles.multichain.deriver.derive(ENTITIES, { release: "2.27" });
  const { types } = await generateFrom({
    sdl: renderSdl(canonicalize(api)),
    operations: "query Q { dynamic_contract_registry(limit: 1) { contract_type } }",
    style: "multichain",
  });
  expect(types).toContain("contract_type: string;");
});
