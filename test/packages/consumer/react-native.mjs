// Runs the client with the globals of React Native: its package for abort signals, and responses without a stream.
import { deepEqual } from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { AbortController, AbortSignal } from "abort-controller";
import { row } from "lockflow-client/testing";
import { createClient, query, run } from "./generated/client.js";
import { StreamsByRecipient } from "./generated/lockup/testing.js";

const stream = row(StreamsByRecipient);
const block = { number: 100, hash: "0x1", timestamp: Math.floor(Date.now() / 1000) };
const body = JSON.stringify({ data: { streams: [stream], _meta: { block, hasIndexingErrors: false } } });
const server = createServer(({ url }, response) => {
  if (!url.includes("silent")) response.end(body);
}).listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${server.address().port}`;

const platformFetch = globalThis.fetch;
const PlatformController = globalThis.AbortController;
Object.assign(globalThis, {
  AbortController,
  AbortSignal,
  async fetch(to, { signal, ...init }) {
    const stop = new PlatformController();
    signal.addEventListener("abort", () => stop.abort());
    const response = await platformFetch(to, { ...init, redirect: "follow", signal: stop.signal });
    const { status, headers } = response;
    return { status, headers, url: response.url, text: () => response.text() };
  },
});

const ask = (path, more) => {
  const env = { LOCKFLOW_SUBGRAPH_PRODUCTION_URL: `${url}/${path}`, LOCKFLOW_SUBGRAPH_API_KEY: "key" };
  const client = createClient({ env, styles: ["subgraph"], retries: 0 });
  return [client, StreamsByRecipient, { recipient: stream.recipient }, { chain: "ethereum", ...more }];
};
const nameOf = ({ name, code }) => [name, code];

const { signal } = new AbortController();
deepEqual((await run(...ask("{deployment}", { signal }))).data.streams, [stream]);
deepEqual((await query(...ask("{deployment}", { signal })).queryFn(new AbortController())).data.streams, [
  stream,
]);
deepEqual(await run(...ask("silent/{deployment}", { timeout: 50 })).catch(nameOf), [
  "IndexerError",
  "timeout",
]);
const controller = new AbortController();
setTimeout(() => controller.abort(), 50);
deepEqual(await run(...ask("silent/{deployment}", { signal: controller.signal })).catch(nameOf), [
  "AbortError",
  undefined,
]);
server.closeAllConnections();
server.close();
