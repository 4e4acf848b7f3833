// Times how long the page of a large report takes to its first contentful paint, beside an empty page in the same browser,
// and what it weighs. Run `npm run build` first; `npm run bench` does both. `CHROMIUM` is the path of the browser.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const LIMIT = 300;
const CHAINS = 26;
const OPERATIONS = 60;
const FINDINGS = 500;
const root = new URL("..", import.meta.url).pathname;
const cli = join(root, "dist/cli.js");
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

if (!existsSync(cli)) throw new Error("dist/cli.js does not exist: run `npm run build` first.");
if (!existsSync(executablePath)) {
  console.log(`page of a report: not timed, because ${executablePath} does not exist.`);
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), "lockflow-bench-"));
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

const empty = join(folder, "empty.html");
writeFileSync(empty, "<!doctype html><meta charset=utf-8><title>Empty</title><p>Nothing");
const stored = join(folder, "report.json");
writeFileSync(stored, JSON.stringify(largeReport()));
const page = join(folder, "report.html");
execFileSync(process.execPath, [cli, "report", stored, "--report", `html=${page}`], { stdio: "inherit" });

const browser = await chromium.launch({
  executablePath,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
try {
  const { size } = statSync(page);
  console.log(
    `page of all deployments, ${OPERATIONS} operations and ${FINDINGS} findings, ${(size / 1024).toFixed(0)} KB, to the first contentful paint`,
  );
  for (const view of ["fleet", "coverage", "findings", "parity"]) {
    const [ours, none] = [[], []];
    for (let round = 0; round <= ROUNDS; round++) {
      const pair = [await paint(`${pathToFileURL(page)}#${view}`), await paint(pathToFileURL(empty).href)];
      // The first round warms the browser up.
      if (round === 0) continue;
      ours.push(pair[0]);
      none.push(pair[1]);
    }
    const more = median(ours.map((time, index) => time - none[index]));
    console.log(
      `  ${view.padEnd(8)} ${median(ours).toFixed(0)} ms; empty page ${median(none).toFixed(0)} ms; ${more.toFixed(0)} ms more (${more <= LIMIT ? "within" : "OVER"} ${LIMIT})`,
    );
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Returns the milliseconds from the start of the navigation to the first contentful paint. */
async function paint(url) {
  const tab = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await tab.goto(url);
  const time = await tab.evaluate(
    () =>
      new Promise((resolve) => {
        new PerformanceObserver((list) => {
          for (const { name, startTime } of list.getEntries()) {
            if (name === "first-contentful-paint") resolve(startTime);
          }
        }).observe({ type: "paint", buffered: true });
      }),
  );
  await tab.close();
  return time;
}

function largeReport() {
  const chains = Array.from({ length: CHAINS }, (_, index) => `chain-${index}`);
  const protocols = ["flow", "lockup"];
  const surfaces = protocols.flatMap((protocol) =>
    ["multichain", "subgraph"].map((style) => ({ protocol, style })),
  );
  const headOf = (chain, index) => ({
    chain,
    block: 200_000_000 + index * 1000,
    behind: index % 5 === 0 ? index * 900 : 0,
    earlier: Array.from({ length: 14 }, (_, night) => ({
      block: 199_000_000 + night * 1000,
      since: new Date(Date.UTC(2026, 10, 1 + night)).toISOString(),
    })),
  });
  const endpoints = surfaces.flatMap(({ protocol, style }) =>
    (style === "multichain" ? [chains] : chains.map((chain) => [chain])).map((own) => ({
      deployment: `protocol-${protocol}-${own.length > 1 ? "multichain" : own[0]}`,
      protocol,
      style,
      chains: own,
      status: own[0] === "chain-3" ? "unreachable" : "same",
      message: own[0] === "chain-3" ? "The endpoint answered HTTP 502." : null,
      group: null,
      heads: own.map(headOf),
    })),
  );
  const operations = Array.from({ length: OPERATIONS }, (_, index) => ({
    name: `Operation${index}`,
    ...surfaces[index % 4],
    file: `operations/operation-${index}.graphql`,
    line: 1,
    impact: "broken",
    chains: chains.slice(0, 20),
    missing: chains.slice(20, 22),
  }));
  const findings = Array.from({ length: FINDINGS }, (_, index) => {
    const { protocol, style } = surfaces[index % 4];
    const deployments = endpoints
      .filter((one) => one.protocol === protocol && one.style === style)
      .map(({ deployment }) => deployment)
      .slice(0, 3);
    return {
      fingerprint: index.toString(16).padStart(12, "0"),
      code: "drift/field-removed",
      severity: ["breaking", "risky", "additive", "cosmetic"][index % 4],
      layer: "entity",
      subject: `Entity${index}.field`,
      message: `Entity${index}.field: field removed (was String).`,
      coordinate: `Entity${index}.field`,
      before: "String!",
      after: null,
      derived: 15,
      derivedCoordinates: Array.from({ length: 15 }, (_, at) => `Entity${index}_filter.field_${at}`),
      worstDerived: [],
      where: { protocol, style, deployments },
      elsewhere: [],
      operations: Array.from({ length: 6 }, (_, at) => {
        const operation = operations[(index + at * 4) % OPERATIONS];
        return {
          file: operation.file,
          line: 3,
          column: 5,
          name: operation.name,
          impact: "broken",
          severity: "breaking",
          message: 'Cannot query field "field" on type "Entity".',
          protocol,
          style,
        };
      }),
      place: null,
      fails: index % 4 === 0,
      accepted: false,
      acceptance: null,
      fix: "take it out of the selection, or select what stands for it now.",
    };
  });
  const rows = Array.from({ length: 40 }, (_, entity) => [
    parityRow(`Entity${entity}`, null),
    ...Array.from({ length: 12 }, (_, field) => parityRow(`Entity${entity}`, `field${field}`)),
  ]).flat();
  return {
    version: 1,
    protocols: protocols.map((protocol) => ({
      protocol,
      counts: {
        equal: 480,
        mapped: 0,
        nullability: 0,
        conflict: 0,
        "only-multichain": 0,
        "only-subgraph": 0,
      },
      rows,
      renames: [],
      opaqueEnums: [],
      capabilities: [],
    })),
    outcome: { exit: 1, reason: "125 findings to act on", categories: [] },
    endpoints,
    groups: [],
    findings,
    operations,
    sources: operations.map(({ file }) => ({ file, line: 1, text: `query {\n${"  field\n".repeat(40)}}` })),
    run: { command: "drift", version: "0.1.0", startedAt: "2026-11-20T03:00:00.000Z", durationMs: 1 },
  };
}

function parityRow(entity, field) {
  return {
    entity,
    field,
    multichain: "String!",
    subgraph: "String!",
    verdict: "equal",
    rule: null,
    weaker: null,
  };
}
