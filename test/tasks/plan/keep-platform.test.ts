import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalize, flattenSchema } from "../../../src/dialects/canonicalize.ts";
import type { EntityModel } from "../../../src/dialects/entity-model.ts";
import { styles } from "../../../src/dialects/index.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import { parseSdl } from "../../../src/dialects/parse-sdl.ts";
import { renderSdl } from "../../../src/dialects/render-sdl.ts";
import { STYLE_NAMES, type StyleName } from "../../../src/dialects/surface.ts";
import { keepPlatform } from "../../../src/tasks/plan/keep-platform.ts";
import { multichainModels } from "../../dialects/multichain/random-models.ts";
import { subgraphModels } from "../../dialects/subgraph/random-models.ts";
import { addPlatformColumn } from "../../support/platform-column.ts";
import { runs } from "../../support/runs.ts";

const BEFORE = parseEntities("type Lot { id: ID! price: BigInt! sold: Boolean! }", "a.graphql");
const AFTER = parseEntities("type Lot { id: ID! price: String! rates: [Float!] }", "b.graphql");

function derive(style: StyleName, model: EntityModel, release: string | undefined) {
  return canonicalize(styles[style].deriver.derive(model, { release }));
}

/** Returns what a plan of new entities has, if the deployed API was edited. */
function kept(style: StyleName, edit: (sdl: string) => string) {
  const shown = canonicalize(parseSdl(edit(renderSdl(derive(style, BEFORE, undefined))), "snapshot"));
  return flattenSchema(keepPlatform(derive(style, AFTER, undefined), shown, styles[style]));
}

it.each(STYLE_NAMES)("keepPlatform changes nothing if the platform is the same: %s", (style) => {
  const models = style === "multichain" ? multichainModels : subgraphModels;
  const releases = fc.constantFrom(...styles[style].platform.releases);
  fc.assert(
    fc.property(models, models, releases, (before, after, release) => {
      const derived = derive(style, after, release);
      const merged = keepPlatform(derived, derive(style, before, release), styles[style]);
      expect(flattenSchema(merged)).toEqual(flattenSchema(derived));
    }),
    { numRuns: runs(20, 400), seed: 7 },
  );
});

const insert = (head: string, member: string) => (sdl: string) =>
  sdl.replace(`${head} {`, `${head} {\n  ${member}`);
it.each<[what: string, style: StyleName, edit: (sdl: string) => string, ...kept: string[]]>([
  [
    "columns of the platform's tables, and their scalars",
    "multichain",
    (sdl) =>
      addPlatformColumn(
        `${sdl}scalar date\ninput date_comparison_exp { _eq: date }\n`,
        "raw_events",
        "day: date",
      ),
    ...["raw_events.day", "raw_events_bool_exp.day", "date", "date_comparison_exp._eq"],
  ],
  [
    "other types of such columns",
    "multichain",
    (sdl) => sdl.replaceAll(/(chainId|chain_id): Int/g, "$1: bigint"),
    ...["_meta.chainId", "chain_metadata_bool_exp.chain_id"],
  ],
  [
    "operators of scalars",
    "multichain",
    insert("input String_comparison_exp", "_fuzzy: String"),
    "String_comparison_exp._fuzzy",
  ],
  ["members of the platform's types", "subgraph", insert("type _Block_", "size: Int"), "_Block_.size"],
  [
    "root fields",
    "subgraph",
    (sdl) => `${insert("type Query", "_health: _Health_")(sdl)} type _Health_ { synced: Boolean! }`,
    ...["Query._health", "_Health_.synced"],
  ],
])("keepPlatform keeps %s", (_, style, edit, ...coordinates) => {
  const members = kept(style, edit);
  const names = members.map(({ coordinate }) => coordinate);
  expect(names).toEqual(expect.arrayContaining(coordinates));
  const isOwn = ({ coordinate }: { readonly coordinate: string }) => coordinate.startsWith("Lot");
  expect(members.filter(isOwn)).toEqual(flattenSchema(derive(style, AFTER, undefined)).filter(isOwn));
  expect(names.find((name) => name.startsWith("Lot.sold"))).toBeUndefined();
});
