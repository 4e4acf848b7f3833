// Times `generate` and `check` of a project of two protocols and of one of ten, each on all chains in both styles, as
// whole processes, interleaved. What counts is processor time, less what it takes to start a process.
// Run `npm run build` first; `npm run bench` does both.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
const FEW = 2;
const MANY = Number(process.env.BENCH_PROTOCOLS ?? 10);
/** In proportion to the work, and a tenth for a larger heap. */
const LIMIT = (MANY / FEW) * 1.1;
const CHAINS = 30;
const ENTITIES = 10;
const FIELDS = 20;
const OPERATIONS = 12;
const root = new URL("..", import.meta.url).pathname;
const cli = join(root, "dist/cli.js");
const preload = join(root, "bench/processor-time.cjs");

if (!existsSync(cli)) throw new Error("dist/cli.js does not exist: run `npm run build` first.");
const scratch = mkdtempSync(join(tmpdir(), "lockflow-bench-"));
const timeFile = join(scratch, "time");

const range = (length) => Array.from({ length }, (_, index) => index);
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Milliseconds of processor time that a command takes. */
async function measure(args, cwd) {
  const child = spawn(process.execPath, ["--require", preload, cli, ...args], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, BENCH_TIME: timeFile },
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      printed += chunk;
    });
  }
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`lockflow ${args.join(" ")} ended with ${code}:\n${printed}`);
  return Number(readFileSync(timeFile, "utf8"));
}

/** Creates names that no two protocols share, so that no cache by text helps another protocol. */
const entityName = (protocol, entity) => `P${protocol}Row${"abcdefghij"[entity % ENTITIES]}`;
const fieldNames = (protocol) => range(FIELDS).map((field) => `p${protocol}Field${field}`);

function entitySchema(protocol) {
  const types = range(ENTITIES).map((entity) => [
    `type ${entityName(protocol, entity)} @entity {`,
    "  id: ID!",
    "  chainId: BigInt!",
    `  next: ${entityName(protocol, entity + 1)}!`,
    `  others: [${entityName(protocol, entity + ENTITIES - 1)}!]! @derivedFrom(field: "next")`,
    ...fieldNames(protocol).map((name) => `  ${name}: BigInt!`),
    "}",
  ]);
  return types.flat().join("\n");
}

function operation(protocol, style, index) {
  const name = entityName(protocol, index);
  const fields = fieldNames(protocol).join(" ");
  const rows =
    style === "subgraph"
      ? `${name[0].toLowerCase()}${name.slice(1)}s(first: $first)`
      : `${name}(limit: $first)`;
  return `query Q${index}($first: Int! = 10) { rows: ${rows} { id ${fields} next { id ${fields} } others { id } } }`;
}

/** A project that was introspected and generated once. */
async function createProject(count) {
  const folder = join(scratch, String(count));
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const chains = range(CHAINS).map((chain) => `bench-${chain}`);
  const config = {
    chains: Object.fromEntries(
      chains.map((key, index) => {
        const names = { name: `Bench ${index}`, multichainName: key, subgraphSuffix: key };
        return [key, { chainId: 9_000_000 + index, ...names }];
      }),
    ),
    protocols: Object.fromEntries(
      range(count).map((protocol) => {
        const chain = `${entityName(protocol, 0)}.chainId`;
        return [`p${protocol}`, { entities: `p${protocol}.graphql`, chains, identity: { chain } }];
      }),
    ),
  };
  write("lockflow.config.json", JSON.stringify(config));
  // The folder of caches.
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  for (const protocol of range(count)) {
    write(`p${protocol}.graphql`, entitySchema(protocol));
    for (const style of ["multichain", "subgraph"]) {
      for (const index of range(OPERATIONS)) {
        write(`operations/p${protocol}/${style}/${index}.graphql`, operation(protocol, style, index));
      }
    }
  }
  await measure(["introspect"], folder);
  return folder;
}

/** One round of a project: milliseconds of each run. */
async function runRound(folder) {
  const forget = () => rmSync(join(folder, "node_modules/.cache"), { recursive: true, force: true });
  forget();
  rmSync(join(folder, "generated/manifest.ts"), { force: true });
  const cold = await measure(["generate"], folder);
  const warm = await measure(["generate"], folder);
  const check = await measure(["check"], folder);
  forget();
  const coldCheck = await measure(["check"], folder);
  return { cold, warm, coldCheck, check };
}

const NAMES = {
  cold: "generate, cold",
  warm: "generate, nothing changed",
  coldCheck: "check, cold",
  check: "check, nothing changed",
};

try {
  const [few, many] = [await createProject(FEW), await createProject(MANY)];
  const runs = { few: [], many: [], start: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    const measured = {
      few: await runRound(few),
      many: await runRound(many),
      start: await measure(["--version"], few),
    };
    // The first round warms the disk.
    if (round === 0) continue;
    for (const [key, run] of Object.entries(measured)) runs[key].push(run);
  }
  const start = median(runs.start);
  console.log(
    `${FEW} and ${MANY} protocols, each on ${CHAINS} chains in both styles; ${start.toFixed(0)} ms to start`,
  );
  for (const [key, name] of Object.entries(NAMES)) {
    const [one, other] = [runs.few, runs.many].map((all) => median(all.map((run) => run[key])) - start);
    const ratio = other / one;
    console.log(
      `  ${name}: ${one.toFixed(0)} ms, ${other.toFixed(0)} ms; ratio ${ratio.toFixed(1)} (${ratio <= LIMIT ? "within" : "OVER"} ${LIMIT})`,
    );
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
