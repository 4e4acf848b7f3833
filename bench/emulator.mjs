// Times the built emulator beside a server of graphql-yoga whose resolvers filter arrays: the same rows, queries and
// Node, turns of a few requests each, medians of ratios. And its start beside an import of graphql, as whole processes.
// Run `npm run build` first; `npm run bench` does both.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
/** The servers take turns of `requests` requests, until the limit of turns or of time. */
const REQUESTS = 10;
const TURNS = 60;
const FEWEST_TURNS = 5;
const SECONDS = 5;
const WARM_REQUESTS = 1000;
const WARM_SECONDS = 2;
/** Streams per chain, and how many times as fast as the peer the emulator has to be. */
const SIZES = [
  [1_000, 1],
  [100_000, 10],
].filter(([size]) => Number(process.env.BENCH_STREAMS ?? size) === size);
const root = new URL("..", import.meta.url).pathname;
const scratch = mkdtempSync(join(tmpdir(), "lockflow-bench-"));
const children = [];

if (!existsSync(join(root, "dist/emulator.js"))) {
  throw new Error("dist/emulator.js does not exist: run `npm run build` first.");
}

const FIELDS = "id alias category sender recipient depositAmount timestamp asset { id symbol decimals }";

/** The same queries in both dialects, about one stream. */
const QUERIES = {
  subgraph: {
    "first page": () => `{ streams(first: 100, orderBy: timestamp, orderDirection: desc) { ${FIELDS} } }`,
    "by id": ({ id }) => `{ stream(id: "${id}") { ${FIELDS} } }`,
    "by sender": ({ sender }) =>
      `{ streams(first: 100, where: { sender: "${sender}" }, orderBy: timestamp, orderDirection: desc) { ${FIELDS} } }`,
    "by sender and category": ({ sender, category }) =>
      `{ streams(first: 100, where: { sender: "${sender}", category: ${category} }, orderBy: subgraphId) { ${FIELDS} } }`,
  },
  multichain: {
    "first page": () => `{ Stream(limit: 100, order_by: [{ timestamp: desc }, { id: desc }]) { ${FIELDS} } }`,
    "by id": ({ id }) => `{ Stream_by_pk(id: "${id}") { ${FIELDS} } }`,
    "by sender": ({ sender }) =>
      `{ Stream(limit: 100, where: { sender: { _eq: "${sender}" } }, order_by: [{ timestamp: desc }, { id: desc }]) { ${FIELDS} } }`,
    "by sender and category": ({ sender, category }) =>
      `{ Stream(limit: 100, where: { sender: { _eq: "${sender}" }, category: { _eq: ${category} } }, order_by: [{ subgraphId: asc }, { id: asc }]) { ${FIELDS} } }`,
  },
};

/** One keep-alive connection to a server. It implements just enough HTTP, because servers are measured, not a client. */
function openConnection(url) {
  const { hostname, port, pathname } = new URL(url);
  let received = [];
  let settle;
  let socket = open();

  function open() {
    const opened = connect({ host: hostname, port: Number(port), noDelay: true });
    opened.on("data", (chunk) => {
      received.push(chunk);
      const all = received.length === 1 ? chunk : Buffer.concat(received);
      const body = bodyOf(all);
      if (body === null) received = [all];
      else {
        received = [];
        settle.resolve(body);
      }
    });
    opened.on("error", (error) => settle.reject(error));
    opened.on("close", () => settle?.reject(new Error(`${url} closed the connection.`)));
    return opened;
  }

  return {
    post: (query) =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject };
        // A server closes an idle connection during the turn of a slow peer.
        if (socket.destroyed || socket.readableEnded) socket = open();
        const body = JSON.stringify({ query });
        socket.write(
          `POST ${pathname} HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
        );
      }),
    close: () => socket.destroy(),
  };
}

/** Returns the body of a response, or null while it is incomplete. */
function bodyOf(bytes) {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const head = bytes.toString("latin1", 0, end).toLowerCase();
  const body = bytes.subarray(end + 4);
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
  if (length !== undefined) return body.length < Number(length) ? null : body.toString();
  if (!body.toString("latin1", Math.max(0, body.length - 5)).endsWith("0\r\n\r\n")) return null;
  const chunks = [];
  for (let at = 0; ; ) {
    const line = body.indexOf("\r\n", at);
    const size = Number.parseInt(body.toString("latin1", at, line), 16);
    if (size === 0) return Buffer.concat(chunks).toString();
    chunks.push(body.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}

async function ask(connection, query) {
  const { data, errors } = JSON.parse(await connection.post(query));
  if (data === undefined || data === null || errors) {
    throw new Error(`${query} was answered with ${JSON.stringify(errors)}`);
  }
  return data;
}

/** Starts a server of this folder, which prints its URLs when it is ready. */
async function serve(script, argument) {
  const child = spawn(
    process.execPath,
    ["--max-old-space-size=8192", join(root, "bench", script), argument],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  children.push(child);
  const line = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      if (text.includes("\n")) resolve(text);
    });
    child.once("close", (code) => reject(new Error(`${script} ended with ${code}`)));
  });
  return JSON.parse(line);
}

/** Fetches the emulator's rows, page by page, in the form that the peer needs. */
async function fetchRows({ subgraph, multichain }) {
  const stored = "id alias category sender recipient depositAmount timestamp subgraphId";
  return {
    subgraph: await fetchAll(
      (after) =>
        `{ list: streams(first: 1000, orderBy: id, where: { id_gt: "${after}" }) { ${stored} asset { id } } }`,
      "{ list: assets(first: 1000) { id symbol decimals } }",
      subgraph,
    ),
    multichain: await fetchAll(
      (after) =>
        `{ list: Stream(limit: 1000, order_by: { id: asc }, where: { id: { _gt: "${after}" } }) { ${stored} asset { id } } }`,
      "{ list: Asset(order_by: { id: asc }) { id symbol decimals } }",
      multichain,
    ),
  };
}

async function fetchAll(page, assets, url) {
  const connection = openConnection(url);
  const streams = [];
  for (;;) {
    const { list } = await ask(connection, page(streams.at(-1)?.id ?? ""));
    for (const stream of list) streams.push({ ...stream, asset: stream.asset.id });
    if (list.length < 1000) break;
  }
  const { list } = await ask(connection, assets);
  connection.close();
  return { streams, assets: list };
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Returns the mean milliseconds of some consecutive requests. */
async function time(connection, queries) {
  const start = process.hrtime.bigint();
  for (const query of queries) await connection.post(query);
  return Number(process.hrtime.bigint() - start) / 1e6 / queries.length;
}

/** Sends the same requests to both servers in turns, until the limit of turns or of time. */
async function race(ours, peer, write) {
  const runs = [];
  const end = Date.now() + SECONDS * 1000;
  while (runs.length < TURNS && (runs.length < FEWEST_TURNS || Date.now() < end)) {
    const queries = Array.from({ length: REQUESTS }, write);
    runs.push({ ours: await time(ours, queries), peer: await time(peer, queries) });
  }
  return runs;
}

/** Queries each server for a while, so that compiled code is measured. */
async function warm(connections, write) {
  for (const connection of connections) {
    const end = Date.now() + WARM_SECONDS * 1000;
    for (let count = 0; count < WARM_REQUESTS && Date.now() < end; count++) await connection.post(write());
  }
}

async function benchQueries(size, wanted) {
  const emulator = await serve("serve-emulator.mjs", String(size));
  const rows = await fetchRows(emulator);
  const file = join(scratch, `rows-${size}.json`);
  writeFileSync(file, JSON.stringify(rows));
  const arrays = await serve("serve-arrays.mjs", file);
  for (const [style, queries] of Object.entries(QUERIES)) {
    const { streams } = rows[style];
    const [ours, peer] = [openConnection(emulator[style]), openConnection(arrays[style])];
    console.log(`${size} streams per chain, ${style}: ${streams.length} streams`);
    for (const [name, write] of Object.entries(queries)) {
      // Each request is about another stream, so that no server can cache an answer.
      let next = 0;
      const another = () => write(streams[(next++ * 7919) % streams.length]);
      for (let sample = 0; sample < 3; sample++) {
        const query = another();
        const [mine, theirs] = [await ask(ours, query), await ask(peer, query)];
        if (JSON.stringify(mine) !== JSON.stringify(theirs)) {
          throw new Error(
            `The servers differ on ${query}:\n${JSON.stringify(mine)}\n${JSON.stringify(theirs)}`,
          );
        }
      }
      await warm([ours, peer], another);
      const runs = await race(ours, peer, another);
      const ratio = median(runs.map((run) => run.peer / run.ours));
      const show = (key) => `${median(runs.map((run) => run[key])).toFixed(2)} ms`;
      const verdict = ratio >= wanted ? "reached" : "MISSED";
      console.log(
        `  ${name}: ours ${show("ours")}, peer ${show("peer")}, ${ratio.toFixed(1)} times as fast (${verdict} ${wanted})`,
      );
    }
    ours.close();
    peer.close();
  }
  stop();
}

function stop() {
  for (const child of children.splice(0)) {
    child.removeAllListeners("close");
    child.kill();
  }
}

async function run(code) {
  const start = process.hrtime.bigint();
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { cwd: root, stdio: "inherit" });
  const status = await new Promise((resolve) => child.once("close", resolve));
  if (status !== 0) throw new Error(`A process ended with ${status}.`);
  return Number(process.hrtime.bigint() - start) / 1e6;
}

async function benchStart() {
  const graphql = 'await import("graphql"); process.exit();';
  const emulator =
    'const { startEmulator } = await import("./dist/emulator.js"); await startEmulator(); process.exit();';
  const runs = [];
  for (let round = 0; round <= ROUNDS * 2; round++) {
    const nothing = await run("process.exit();");
    const peer = await run(graphql);
    const ours = await run(emulator);
    // The first round warms the disk.
    if (round > 0) runs.push({ nothing, peer, ours });
  }
  const ratio = median(runs.map(({ ours, peer }) => ours / peer));
  const bare = median(runs.map(({ ours, peer, nothing }) => (ours - nothing) / (peer - nothing)));
  const show = (key) => `${median(runs.map((one) => one[key])).toFixed(0)} ms`;
  console.log(
    `startEmulator(), ready, against an import of graphql\n  ours ${show("ours")}; peer ${show("peer")}; Node alone ${show("nothing")}\n  time ratio ${ratio.toFixed(2)} (${ratio <= 3 ? "within" : "OVER"} 3), without Node's own start ${bare.toFixed(2)} (${bare <= 3 ? "within" : "OVER"} 3)`,
  );
}

try {
  await benchStart();
  for (const [size, wanted] of SIZES) await benchQueries(size, wanted);
} finally {
  stop();
  rmSync(scratch, { recursive: true, force: true });
}
