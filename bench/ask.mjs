// Measures `lockflow ask` against a loop of `fetch` that writes NDJSON, over the same pages of a server in another process.
// Each takes turns with the others; the median counts. Needs a build.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROWS = Number(process.env.BENCH_ROWS ?? 200_000);
const TURNS = Number(process.env.BENCH_TURNS ?? 3);
/** The goals of processor time, as a multiple of that of the loop, which keeps no state to continue from. */
const GOALS = { fetch: 1, csv: 1.3, parquet: 1.6, lake: 1.6 };
/** In megabytes. */
const MEMORY_GOAL = 190;

const root = new URL("..", import.meta.url).pathname;
const scratch = mkdtempSync(join(tmpdir(), "lockflow-bench-"));
const server = spawn(process.execPath, [join(root, "bench/serve-rows.mjs")], {
  env: { ...process.env, BENCH_ROWS: String(ROWS) },
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const port = await new Promise((resolve) =>
    server.stdout.once("data", (text) => resolve(String(text).trim())),
  );
  const url = `http://127.0.0.1:${port}`;
  writeFileSync(join(scratch, "lockflow.config.json"), '{ "protocols": ["lockup"] }');
  for (const path of ["generated/schemas", "operations/lockup/portable"]) {
    cpSync(join(root, path), join(scratch, path), { recursive: true });
  }
  const fragments = ["asset-fields", "stream-fields"].map((name) =>
    readFileSync(join(root, `operations/lockup/portable/fragments/${name}.graphql`), "utf8"),
  );
  const query = [
    readFileSync(join(root, "operations/lockup/portable/all-streams.graphql"), "utf8"),
    ...fragments,
  ];
  const ask = (name) => [
    ...[join(root, "dist/cli.js"), "ask", "AllStreams", "--protocol", "lockup", "--chain", "base"],
    ...["--style", "subgraph", "--pages", "--out", name],
  ];
  const commands = {
    fetch: [join(root, "bench/fetch-rows.mjs"), url, query.join("\n"), join(scratch, "rows.ndjson")],
    csv: ask("rows.csv"),
    parquet: ask("rows.parquet"),
    lake: [...ask("lake/"), "--confirmations", "0"],
  };
  const found = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [name, command] of Object.entries(commands)) found[name].push(measure(command, url));
    // A folder that is not empty is not written without --since-last.
    rmSync(join(scratch, "lake"), { recursive: true });
  }
  const median = (name, key) => found[name].map((one) => one[key]).sort((a, b) => a - b)[TURNS >> 1];
  const lines = Object.keys(commands).map((name) => ({
    name,
    seconds: median(name, "wall"),
    processor: median(name, "processor"),
    megabytes: Math.max(...found[name].map(({ memory }) => memory)),
    factor: median(name, "processor") / median("fetch", "processor"),
    factorOfTime: median(name, "wall") / median("fetch", "wall"),
  }));
  console.log(`${ROWS} rows of 40 columns:`);
  for (const { name, seconds, processor, megabytes, factor, factorOfTime } of lines) {
    const times = `${seconds.toFixed(2)} s, ${processor.toFixed(2)} s of a processor`;
    const goal = GOALS[name];
    const speed = `${factor.toFixed(2)} of the loop (${factor <= goal ? "within" : "OVER"} ${goal}), ${factorOfTime.toFixed(2)} of its time`;
    const memory = `${megabytes.toFixed(0)} MB (${megabytes <= MEMORY_GOAL ? "within" : "OVER"} ${MEMORY_GOAL})`;
    console.log(`  ${name.padEnd(8)} ${times}: ${speed}, ${memory}`);
  }
} finally {
  server.kill();
  rmSync(scratch, { recursive: true });
}

/** Runs a program: seconds, seconds of a processor, and megabytes at most. */
function measure(command, url) {
  const env = {
    ...process.env,
    LOCKFLOW_SUBGRAPH_PRODUCTION_URL: `${url}/{deployment}`,
    LOCKFLOW_SUBGRAPH_API_KEY: "none",
    BENCH_MEMORY: join(scratch, "memory"),
    BENCH_TIME: join(scratch, "time"),
  };
  const preloads = ["peak-memory", "processor-time"].flatMap((name) => [
    "--require",
    join(root, `bench/${name}.cjs`),
  ]);
  const start = process.hrtime.bigint();
  execFileSync(process.execPath, [...preloads, ...command], {
    cwd: scratch,
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const wall = Number(process.hrtime.bigint() - start) / 1e9;
  const read = (name) => Number(readFileSync(join(scratch, name), "utf8"));
  return { wall, processor: read("time") / 1000, memory: read("memory") };
}
