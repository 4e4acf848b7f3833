// Times the judged diff of two large schemas, roll-up included, beside `diff` of @graphql-inspector/core, interleaved.
// The inputs, in three variants:
// - schemas that were compared before: ours canonical with memoized data; inspector a GraphQLSchema each;
// - new schemas: ours canonical only; inspector the same GraphQLSchema as before;
// - SDL: ours parses, canonicalizes and compares; inspector builds with `assumeValid` and compares.
// The sources are bundled first, as the build does it: a loader of TypeScript would slow down ours only.
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { diff } from "@graphql-inspector/core";
import { build } from "esbuild";
import { buildSchema } from "graphql";

const root = new URL("..", import.meta.url).pathname;
// In the source tree, so that packages are found.
const scratch = mkdtempSync(join(root, "bench/.compare-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
await build({
  stdin: {
    contents: `
      export { compareSchemas } from "./src/compare/compare-schemas.ts";
      export { diffSchemas } from "./src/compare/diff-schemas.ts";
      export { canonicalize } from "./src/dialects/canonicalize.ts";
      export { parseSdl } from "./src/dialects/parse-sdl.ts";
      export { parseEntities } from "./src/dialects/parse-entities.ts";
      export { renderSdl } from "./src/dialects/render-sdl.ts";
      export { styles } from "./src/dialects/index.ts";`,
    resolveDir: root,
  },
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  logLevel: "error",
  outfile: join(scratch, "compare.mjs"),
});
const { compareSchemas, diffSchemas, canonicalize, parseEntities, parseSdl, renderSdl, styles } =
  await import(join(scratch, "compare.mjs"));

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);
const SCALARS = [
  "String!",
  "BigInt!",
  "Int!",
  "Boolean!",
  "Bytes!",
  "String",
  "BigInt",
  "Kind!",
  "Timestamp!",
];
const style = styles.multichain;

/** A model of `count` entities of 22 columns and 3 relations, every seventh with public aggregates. */
function buildSide(count, edit) {
  const definitions = ["enum Kind { A B C }"];
  for (let entity = 0; entity < count; entity++) {
    const columns = new Map();
    for (let column = 0; column < 22; column++) {
      columns.set(`column${column}`, SCALARS[(entity + column) % SCALARS.length]);
    }
    edit(columns, entity);
    const fields = [...columns].map(([name, type]) => `${name}: ${type}`).join(" ");
    const other = (offset) => `Ent${(entity + offset) % count}`;
    definitions.push(
      `type Ent${entity} @entity { id: ID! ${fields} parent: ${other(1)}! other: ${other(7)} kids: [${other(count - 1)}!]! @derivedFrom(field: "parent") }`,
    );
  }
  const aggregates = Array.from({ length: Math.ceil(count / 7) }, (_, index) => `Ent${index * 7}`);
  return canonicalize(style.deriver.derive(parseEntities(definitions.join("\n"), "bench"), { aggregates }));
}

/** Applies five kinds of edit in turn to about every third column family; each changes a few coordinates. */
function edit(every) {
  return (columns, entity) => {
    if (entity % every > 0) return;
    const name = `column${entity % 22}`;
    const type = columns.get(name);
    columns.delete(name);
    columns.set(`fresh${entity}`, SCALARS[entity % SCALARS.length]);
    columns.set("column21", "BigInt!");
    const loose = `column${(entity + 3) % 22}`;
    if (columns.has(loose)) columns.set(loose, columns.get(loose).replace("!", ""));
    if (entity % 3 === 0) columns.set(`renamed${entity}`, type);
  };
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

async function time(run) {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

async function bench(name, count, every) {
  const before = buildSide(count, () => {});
  const after = buildSide(count, edit(every));
  const texts = [before, after].map(renderSdl);
  const build = () => texts.map((text) => buildSchema(text, { assumeValid: true }));
  const compare = ([before, after]) =>
    diffSchemas({ before, after }, style, { exhaustiveEnums: false }).causes;
  const built = build();
  const contests = {
    "compared before": [() => compare([before, after]), () => diff(...built)],
    "never read": [() => compare([{ ...before }, { ...after }]), () => diff(...built)],
    "from SDL": [
      () => compare(texts.map((text) => canonicalize(parseSdl(text, "bench")))),
      () => diff(...build()),
    ],
  };
  console.log(
    `${name}: ${before.types.length} types, ${compareSchemas(before, after).length} changes (inspector lists ${(await diff(...built)).length}), ${compare([before, after]).length} root causes`,
  );
  const runs = Object.values(contests).map(() => []);
  for (let round = 0; round < ROUNDS + 3; round++) {
    for (const [at, [own, other]] of Object.values(contests).entries()) {
      const ours = await time(own);
      const peer = await time(other);
      // The first rounds warm the machine up.
      if (round >= 3) runs[at].push({ ours, peer });
    }
  }
  const medianOf = (at, key) => median(runs[at].map((run) => run[key]));
  for (const [at, given] of Object.keys(contests).entries()) {
    const ratio = median(runs[at].map(({ ours, peer }) => ours / peer));
    console.log(
      `  ${given}: ours ${medianOf(at, "ours").toFixed(1)} ms; inspector ${medianOf(at, "peer").toFixed(1)} ms; ratio ${ratio.toFixed(2)} (${ratio <= 1 ? "within" : "OVER"} 1.0)`,
    );
  }
  return medianOf(1, "ours");
}

const small = await bench("a tenth", 15, 3);
const large = await bench("the case", 150, 3);
const growth = large / small;
console.log(
  `10 times the types: ${growth.toFixed(1)} times the time (${growth <= 13 ? "within" : "OVER"} 13)`,
);
