// Times the built CLI as whole processes beside its peers, interleaved, and prints medians and medians of ratios.
// Run `npm run build` first; `npm run bench` does both.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeDocuments, writeTwice } from "./write-documents.mjs";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
const root = new URL("..", import.meta.url).pathname;
const cli = join(root, "dist/cli.js");
const preload = join(root, "bench/peak-memory.cjs");
const scratch = mkdtempSync(join(tmpdir(), "lockflow-bench-"));
const memoryFile = join(scratch, "memory");

if (!existsSync(cli)) throw new Error("dist/cli.js does not exist: run `npm run build` first.");

/** A copy of the repository to generate in, with the installed modules linked and its own cache. */
function workTree(name) {
  const folder = join(scratch, name);
  for (const entry of ["operations", "generated", "bench", "package.json", "lockflow.config.ts"]) {
    cpSync(join(root, entry), join(folder, entry), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return folder;
}

async function measure(args, cwd) {
  const start = process.hrtime.bigint();
  const child = spawn(process.execPath, args, {
    cwd,
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      ...process.env,
      NODE_OPTIONS: `--require ${preload}`,
      BENCH_MEMORY: memoryFile,
      BENCH_KEY: "Bearer bench",
    },
  });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}:\n${errors}`);
  return { seconds, megabytes: Number(readFileSync(memoryFile, "utf8")) };
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

function report(name, ours, peer, limit) {
  const ratio = median(ours.map((run, index) => run.seconds / peer[index].seconds));
  const memory = median(ours.map((run, index) => run.megabytes / peer[index].megabytes));
  const show = (runs) =>
    `${median(runs.map((run) => run.seconds)).toFixed(3)} s, ${median(runs.map((run) => run.megabytes)).toFixed(0)} MB`;
  const verdict = ratio <= limit ? "within" : "OVER";
  console.log(
    `${name}\n  ours ${show(ours)}; peer ${show(peer)}\n  time ratio ${ratio.toFixed(3)} (${verdict} ${limit}), memory ratio ${memory.toFixed(2)}`,
  );
}

async function benchGenerate() {
  const tree = workTree("generate");
  await writeDocuments(join(tree, "bench/documents"));
  const twice = workTree("twice");
  writeTwice(join(twice, "operations"));
  const codegen = join(root, "node_modules/@graphql-codegen/cli/esm/bin.js");
  const cache = join(root, "node_modules/.cache/lockflow");
  const runs = { stock: [], cold: [], twice: [], warm: [], check: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    rmSync(join(tree, "bench/out"), { recursive: true, force: true });
    const stock = await measure([codegen, "--config", "bench/stock-codegen.ts"], tree);
    rmSync(cache, { recursive: true, force: true });
    for (const path of ["lockup", "flow", "client.ts", "manifest.ts"]) {
      for (const folder of [tree, twice])
        rmSync(join(folder, "generated", path), { recursive: true, force: true });
    }
    const inTwoFiles = await measure([cli, "generate"], twice);
    const cold = await measure([cli, "generate"], tree);
    const warm = await measure([cli, "generate"], tree);
    const check = await measure([cli, "check"], tree);
    // The first round warms the disk.
    if (round === 0) continue;
    for (const [key, run] of Object.entries({ stock, cold, twice: inTwoFiles, warm, check }))
      runs[key].push(run);
  }
  report("generate, cold, against the stock CLI", runs.cold, runs.stock, 0.33);
  report("generate, written once, against the same in two files", runs.cold, runs.twice, 1.1);
  report("generate, nothing changed, against the stock CLI", runs.warm, runs.stock, 0.07);
  report("check, clean, against the stock CLI", runs.check, runs.stock, 0.12);
}

/**
 * Times `drift` too, which queries the same deployments and compares. Its snapshots are the schemas served just before.
 * The first run, and any run after a change, validates the operations; other runs use the cache.
 */
async function benchIntrospect() {
  const tree = workTree("introspect");
  const emulator = spawn(process.execPath, [cli, "emulate", "--port", "0", "--json"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const line = await new Promise((resolve) => {
    let text = "";
    emulator.stdout.on("data", (chunk) => {
      text += chunk;
      if (text.includes("\n")) resolve(text);
    });
  });
  const endpoints = JSON.parse(line);
  const asked = [
    ...new Map(
      [...endpoints]
        .sort((a, b) => (a.environment < b.environment ? -1 : 1))
        .map((endpoint) => [endpoint.deployment, endpoint]),
    ).values(),
  ];
  const deployments = Object.fromEntries(
    asked.map(({ deployment, environment, url }) => [
      deployment,
      {
        [environment]:
          environment === "production" ? { url, headers: { authorization: { env: "BENCH_KEY" } } } : { url },
      },
    ]),
  );
  const { writeFileSync } = await import("node:fs");
  writeFileSync(join(tree, "lockflow.config.json"), JSON.stringify({ deployments }));
  rmSync(join(tree, "lockflow.config.ts"));
  writeFileSync(join(tree, "urls.json"), JSON.stringify(asked));
  const bare = join(root, "bench/bare-posts.mjs");
  const cache = join(root, "node_modules/.cache/lockflow");
  const runs = { bare: [], ours: [], first: [], drift: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    const peer = await measure([bare, "urls.json"], tree);
    const ours = await measure([cli, "introspect"], tree);
    rmSync(cache, { recursive: true, force: true });
    const first = await measure([cli, "drift"], tree);
    const drift = await measure([cli, "drift"], tree);
    if (round === 0) continue;
    runs.bare.push(peer);
    runs.ours.push(ours);
    runs.first.push(first);
    runs.drift.push(drift);
  }
  emulator.kill();
  report(
    "introspect all deployments, against one bare POST of the same query for each",
    runs.ours,
    runs.bare,
    1.25,
  );
  report("drift of all deployments, the first time, against introspect", runs.first, runs.ours, 1.8);
  report("drift of all deployments, against introspect", runs.drift, runs.ours, 1.3);
}

try {
  await benchGenerate();
  await benchIntrospect();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
