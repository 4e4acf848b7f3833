// Runs an operation against a server with canned answers, and compares the codes of the errors.
import { deepEqual } from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { row } from "lockflow-client/testing";
import { createClient, IndexerError, merged, run } from "./generated/client.js";
import { StreamsByRecipient } from "./generated/lockup/testing.js";

let answer = (_) => {};
const server = createServer((_, response) => answer(response)).listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${server.address().port}`;

const text =
  (body, status = 200, headers = {}) =>
  (response) =>
    response.writeHead(status, headers).end(body);
const json = (body) => text(JSON.stringify(body));
const error = (message, code) => json({ errors: [{ message, extensions: { code } }] });
const stream = row(StreamsByRecipient);
const meta = (number) => ({
  _meta: {
    block: { number, hash: "0x1", timestamp: Math.floor(Date.now() / 1000) },
    hasIndexingErrors: false,
  },
});
const subgraph = (streams, number = 100) => json({ data: { streams, ...meta(number) } });
const multichain = (streams, block = 100) =>
  json({
    data: { streams, lockflow: [{ chain_id: 1, latest_processed_block: block, block_height: block }] },
  });

const CASES = [
  ["subgraph", subgraph([stream]), "ok"],
  ["multichain", multichain([stream]), "ok"],
  ["subgraph", subgraph([], -1), "behind"],
  ["multichain", multichain([], -1), "behind"],
  ["multichain", multichain([], null), "behind"],
  ["multichain", json({ data: { streams: [], lockflow: [] } }), "not-served"],
  ["multichain", multichain([{ ...stream, depositAmount: 5 }]), "rejected"],
  ["subgraph", subgraph([{ ...stream, chainId: "5" }]), "wrong-chain"],
  ["subgraph", subgraph(Array(200).fill(stream)), "unavailable"],
  ["subgraph", json({ data: null }), "unavailable"],
  ["subgraph", text("<h1>Hello</h1>"), "unavailable"],
  ["subgraph", text("<h1>Not found</h1>", 404), "unavailable"],
  ["subgraph", text("", 302, { location: "https://other.test" }), "not-served"],
  ["subgraph", text("", 429, { "retry-after": "86400" }), "rate-limited"],
  ["subgraph", text("", 401), "auth"],
  ["subgraph", text("", 502), "unavailable"],
  ["subgraph", error("auth error: API key not found"), "auth"],
  ["subgraph", error("bad indexers: {0xabc: Timeout}"), "indexers"],
  ["subgraph", error("indexing_error"), "indexing"],
  ["subgraph", error("Type `Query` has no field `streams`"), "rejected"],
  ["multichain", error("x", "rate-limit-exceeded"), "rate-limited"],
  ["multichain", error("x", "time-limit-exceeded"), "overloaded"],
  ["multichain", error("x", "postgres-error"), "unavailable"],
  ["subgraph", text(`{"data":${"[".repeat(70)}${"]".repeat(70)}}`), "unavailable"],
  ["subgraph", text(Buffer.from([0x7b, 0xff, 0xfe, 0x7d])), "unavailable"],
  ["subgraph", (response) => response.write('{"data"'), "timeout"],
  ["subgraph", (response) => response.destroy(), "network"],
];

const env = {
  LOCKFLOW_MULTICHAIN_URL: `${url}/{id}`,
  LOCKFLOW_LOCKUP_ID: "abc",
  LOCKFLOW_SUBGRAPH_TESTING_URL: `${url}/{deployment}`,
};
const clientOf = (options) =>
  createClient({ env, environment: "testing", retries: 0, maxWait: 100, timeout: 1000, ...options });
const variables = { recipient: "0x7a8ee2d0ac6a4aeb092e11b1ca344349c39e88ac" };
const codeOf = async (promise) => {
  const failure = await promise.then(
    () => null,
    (reason) => reason,
  );
  // An error keeps its facts when it is copied.
  return failure === null ? "ok" : structuredClone(failure.toJSON()).code;
};

const codes = [];
for (const [style, canned] of CASES) {
  answer = canned;
  const promise = run(clientOf({ styles: [style] }), StreamsByRecipient, variables, { chain: "ethereum" });
  codes.push([style, await codeOf(promise)]);
}
deepEqual(
  codes,
  CASES.map(([style, , code]) => [style, code]),
);

answer = text("", 502);
const every = await merged(clientOf({}), StreamsByRecipient, variables, {
  chains: ["base", "ethereum"],
}).catch((reason) => reason);
deepEqual([IndexerError.is(every), every.code, every.tried.length], [true, "unavailable", 4]);
server.closeAllConnections();
server.close();
