// Times the work of `drift` for one large schema: parsing its bytes, hashing, comparing it with the snapshot, and
// validating operations. Prints the ratio of times for ten times as much and once as much of one thing.
// The sources are bundled first, as the build does it: a loader of TypeScript would be timed as well.
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { parse } from "graphql";

const root = new URL("..", import.meta.url).pathname;
// In the source tree, so that packages are found.
const scratch = mkdtempSync(join(root, "bench/.scale-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
await build({
  stdin: {
    contents: `
      export { findDifferences } from "./src/compare/find-differences.ts";
      export { createSchemaReader } from "./src/fleet/read-schema.ts";
      export { buildIntrospection } from "./src/dialects/introspection.ts";
      export { parseSdl } from "./src/dialects/parse-sdl.ts";
      export { renderSdl } from "./src/dialects/render-sdl.ts";
      export { styles } from "./src/dialects/index.ts";
      export { plain, SWELLINGS } from "./test/support/swell-schema.ts";`,
    resolveDir: root,
  },
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  logLevel: "error",
  outfile: join(scratch, "scale.mjs"),
});
const bundle = await import(join(scratch, "scale.mjs"));
const {
  buildIntrospection,
  createSchemaReader,
  findDifferences,
  parseSdl,
  plain,
  renderSdl,
  styles,
  SWELLINGS,
} = bundle;

const FEW = Number(process.env.BENCH_MEMBERS ?? 1500);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/** A sort takes a little more than ten times as long for ten times as much, and so does a larger heap. */
const LIMIT = 12;
const OPERATIONS = [
  {
    name: "Streams",
    document: parse("query Streams { __typename }"),
  },
];

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Milliseconds of processor time, which other programs change less than the time on the clock. */
function time(run) {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function judge(style, before, bytes) {
  const { schema } = createSchemaReader([], [])(bytes, style);
  findDifferences({
    before,
    after: schema,
    style,
    where: null,
    operations: OPERATIONS,
    exhaustiveEnums: false,
    locate: () => null,
    fix: null,
  });
}

for (const name of ["subgraph", "multichain"]) {
  const style = styles[name];
  console.log(`${name}: ${FEW} and ${FEW * 10} more of what a schema has`);
  for (const { name: what, swell } of SWELLINGS) {
    const before = plain(name);
    const bodies = [FEW, FEW * 10].map((count) =>
      Buffer.from(JSON.stringify({ data: buildIntrospection(swell(name, count)) })),
    );
    const runs = bodies.map(() => []);
    try {
      for (let round = 0; round <= ROUNDS; round++) {
        for (const [at, body] of bodies.entries()) {
          const taken = time(() => judge(style, before, body));
          // The first round warms the machine up.
          if (round > 0) runs[at].push(taken);
        }
      }
    } catch (error) {
      if (!/^(SCHEMA|ENDPOINT)_/.test(error.code)) throw error;
      console.log(`  ${what}: refused (${error.code})`);
      continue;
    }
    const [few, many] = runs.map(median);
    const ratio = many / few;
    console.log(
      `  ${what}: ${few.toFixed(0)} ms, ${many.toFixed(0)} ms; ratio ${ratio.toFixed(1)} (${ratio <= LIMIT ? "within" : "OVER"} ${LIMIT})`,
    );
  }
}

// A snapshot of three thousand types, as `check` and `generate` read it.
const text = renderSdl(SWELLINGS.find(({ name }) => name === "derived entities").swell("subgraph", 1000));
const parsing = Array.from({ length: ROUNDS }, () => time(() => parseSdl(text, "snapshot.graphql")));
console.log(
  `a snapshot of ${(text.length / 1e6).toFixed(1)} MB is parsed in ${median(parsing).toFixed(0)} ms`,
);
