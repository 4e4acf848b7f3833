// Compares the time of the generated client with a bare `fetch` of the same query, and its bundle size with common GraphQL
// clients. Run `npm run build` first; `npm run bench` does both.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const ASKED = Number(process.env.BENCH_ASKED ?? 1000);
/** Latency of a distant indexer and of a near one, in milliseconds. */
const FAR = 100;
const NEAR = 1;
const MERGED_LIMIT = 1.2;
const EACH_LIMIT = 1.5;
const RUN_LIMIT = 1.05;
/** Goals of the bundles of pages behind the proxy, in bytes after gzip. */
const SIZES = [
  {
    name: "a page: createClient, run, one operation",
    goal: 1_500,
    names: "createClient, run",
    operation: "StreamsBySender",
  },
  {
    name: "all functions of a page",
    goal: 2_800,
    names: "createClient, run, each, merged, pages, all, watch, health",
  },
];

const AMOUNTS_GOAL = 1_200;

const root = new URL("..", import.meta.url).pathname;
const generated = join(root, "generated/dist");

if (!existsSync(join(generated, "client.js"))) {
  throw new Error("generated/dist/client.js does not exist: run `npm run build` first.");
}
const { createClient, each, merged, run } = await import(join(generated, "client.js"));
const { RecentStreams } = await import(join(generated, "lockup/portable.js"));
const { lockupDeployments } = await import(join(generated, "manifest.js"));
const { chains } = Object.values(lockupDeployments).find(({ style }) => style === "multichain");

const scratch = mkdtempSync(join(tmpdir(), "lockflow-bench-"));
const servers = [];
try {
  await timeFan();
  await timeRun();
  await weigh();
} finally {
  for (const server of servers) server.kill();
  rmSync(scratch, { recursive: true, force: true });
}

/** Queries all chains of the multichain indexer at once, against one request to it. */
async function timeFan() {
  const env = await serve("serve-fleet.mjs", FAR);
  const client = createClient({ env, styles: ["multichain"] });
  let request;
  const recording = createClient({
    env,
    styles: ["multichain"],
    fetch: (...asked) => {
      request = asked;
      return fetch(...asked);
    },
  });
  const variables = { first: 20 };
  await merged(recording, RecentStreams, variables, { chains });
  const [url, { method, headers, body }] = request;
  const seconds = await alternate(ROUNDS, {
    bare: async () => (await fetch(url, { method, headers, body })).json(),
    merged: () => merged(client, RecentStreams, variables, { chains }),
    each: () => each(client, RecentStreams, variables, { chains }),
  });
  const rounds = Math.ceil(chains.length / client.concurrency);
  report(
    `merged, ${chains.length} chains at ${FAR} ms, against one request`,
    seconds.merged / seconds.bare,
    MERGED_LIMIT,
  );
  report(
    `each, ${chains.length} chains at ${FAR} ms, against ${rounds} rounds of ${client.concurrency}`,
    seconds.each / (seconds.bare * rounds),
    EACH_LIMIT,
  );
}

/** Sends one query after the other to a near indexer, so that the time of the client dominates. */
async function timeRun() {
  const env = await serve("serve-fleet.mjs", 0);
  let answer;
  const recording = createClient({
    env,
    styles: ["multichain"],
    fetch: async (...asked) => {
      const response = await fetch(...asked);
      answer = await response.clone().text();
      return response;
    },
  });
  await run(recording, RecentStreams, { first: 20 }, { chain: "base" });
  const file = join(scratch, "answer.json");
  writeFileSync(file, answer);
  const url = await serve("serve-answer.mjs", file, NEAR);
  let request;
  const near = (fetch) =>
    createClient({
      styles: ["multichain"],
      endpoint: ({ protocol, style }) => ({
        deployment: "near",
        protocol,
        style,
        environment: "production",
        chains,
        url,
        method: "POST",
        headers: { "content-type": "application/json" },
        auth: null,
        secretHeaders: {},
        limits: {},
      }),
      fetch,
    });
  const ask = (client) => run(client, RecentStreams, { first: 20 }, { chain: "base" });
  await ask(
    near((...asked) => {
      request = asked;
      return fetch(...asked);
    }),
  );
  const [, { method, headers, body }] = request;
  const client = near((...asked) => fetch(...asked));
  const seconds = await alternate(ROUNDS, {
    bare: async () => {
      for (let count = 0; count < ASKED; count++) await (await fetch(url, { method, headers, body })).json();
    },
    timed: async () => {
      for (let count = 0; count < ASKED; count++) {
        const signal = AbortSignal.timeout(15_000);
        await (await fetch(url, { method, headers, body, signal })).json();
      }
    },
    run: async () => {
      for (let count = 0; count < ASKED; count++) await ask(client);
    },
  });
  // The difference between these two is the cost of a timeout.
  const peers = { "a bare fetch": seconds.bare, "a fetch with a time-out": seconds.timed };
  for (const [name, peer] of Object.entries(peers)) {
    report(`run, ${ASKED} questions at ${NEAR} ms, against ${name}`, seconds.run / peer, RUN_LIMIT);
  }
}

/** Bytes of bundles, minified and with gzip, including every import. Other clients are measured without documents. */
async function weigh() {
  console.log("bytes of bundles after gzip");
  for (const { name, goal, names, operation } of SIZES) {
    const from = JSON.stringify(join(root, "generated/proxied.ts"));
    const module = JSON.stringify(join(root, "generated/lockup/proxied.ts"));
    const constant = operation ? `export { ${operation} } from ${module};` : "";
    const bytes = await bundleSize(`export { ${names} } from ${from}; ${constant}`);
    console.log(`  ${name.padEnd(50)} ${bytes} (${bytes <= goal ? "within" : "OVER"} ${goal})`);
  }
  const amounts = await bundleSize('export * from "./packages/operations/amounts.ts";');
  console.log(
    `  ${"amounts".padEnd(50)} ${amounts} (${amounts <= AMOUNTS_GOAL ? "within" : "OVER"} ${AMOUNTS_GOAL})`,
  );
  const direct = await bundleSize('export { createClient, run } from "lockflow-client";');
  console.log(`  ${"without a proxy: createClient, run".padEnd(50)} ${direct}`);
  const peers = {
    "graphql-request": 'export { GraphQLClient } from "graphql-request";',
    "@urql/core": 'export { Client, fetchExchange } from "@urql/core";',
    "@apollo/client": 'export { ApolloClient, HttpLink, InMemoryCache } from "@apollo/client";',
  };
  for (const [name, contents] of Object.entries(peers)) {
    console.log(`  ${name.padEnd(50)} ${await bundleSize(contents)}`);
  }
}

async function bundleSize(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  return gzipSync(outputFiles[0].contents, { level: 9 }).length;
}

/** Starts a server of this folder, and returns the first line that it prints. */
async function serve(script, ...args) {
  const child = spawn(process.execPath, [join(root, "bench", script), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  servers.push(child);
  for await (const line of createInterface(child.stdout)) return JSON.parse(line);
  throw new Error(`${script} ended without output.`);
}

/** Returns the median seconds of each function. They run in turns; the first round does not count. */
async function alternate(rounds, works) {
  const seconds = Object.fromEntries(Object.keys(works).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, work] of Object.entries(works)) {
      const start = performance.now();
      await work();
      if (round > 0) seconds[name].push((performance.now() - start) / 1000);
    }
  }
  return Object.fromEntries(
    Object.entries(seconds).map(([name, all]) => [name, all.sort((a, b) => a - b)[all.length >> 1]]),
  );
}

function report(what, ratio, limit) {
  console.log(`${what}\n  time ratio ${ratio.toFixed(3)} (${ratio <= limit ? "within" : "OVER"} ${limit})`);
}
