// Sends the calls of many visitors to the proxy, with all chains as hosts of their own and as paths of one host. Compares the
// times of healthy chains while one deployment hangs and one fails with the times without faults, and the heap of the proxy
// after many calls. Run `npm run build` first; `npm run bench` does both.
import { fork } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const VISITORS = Number(process.env.BENCH_VISITORS ?? 500);
/** Calls between the readings of the heap. Times are measured with half of them. */
const CALLS = Number(process.env.BENCH_CALLS ?? 10_000);
const TURNS = 3;
const LIMIT = 1.3;
const HEAP_LIMIT = 5;
const root = new URL("..", import.meta.url).pathname;

if (!existsSync(join(root, "generated/dist/proxied.js"))) {
  throw new Error("generated/dist/proxied.js does not exist: run `npm run build` first.");
}
const { createClient, run } = await import(join(root, "generated/dist/proxied.js"));
const { StreamsByRecipient } = await import(join(root, "generated/dist/lockup/proxied.js"));

for (const layout of ["own", "shared"]) {
  const children = [];
  const start = (script, ...args) => {
    const child = fork(join(root, "bench", script), args, { execArgv: [...process.execArgv, "--expose-gc"] });
    children.push(child);
    return child;
  };
  try {
    await measure(layout, start);
  } finally {
    for (const child of children) child.kill();
  }
}

async function measure(layout, start) {
  const hosts = start("serve-hosts.mjs", layout);
  const { endpoints, failing } = await answerOf(hosts);
  const proxy = start("serve-proxy.mjs");
  const url = await answerOf(proxy, endpoints);
  const visit = { client: createClient({ proxy: url }), chains: Object.keys(endpoints), failing };

  await sendCalls(visit, CALLS);
  const healthy = [];
  const broken = [];
  // In turns, because a disturbance of the machine is longer than a measurement.
  for (let turn = 0; turn < TURNS; turn++) {
    healthy.push(await sendCalls(visit, CALLS / 2));
    await answerOf(hosts, "break");
    await sendCalls(visit, CALLS / 4);
    broken.push(await sendCalls(visit, CALLS / 2));
    await answerOf(hosts, "lift");
    await sendCalls(visit, CALLS / 4);
  }
  const before = await answerOf(proxy, "heap");
  await sendCalls(visit, CALLS);
  const growth = ((await answerOf(proxy, "heap")) - before) / 1e6;

  const name = layout === "own" ? "hosts of their own" : "paths of one host";
  const ratio = median(broken) / median(healthy);
  const failed = broken.reduce((sum, one) => sum + one.failed, 0);
  const count = broken.reduce((sum, one) => sum + one.count, 0);
  console.log(`the proxy, ${VISITORS} visitors, ${visit.chains.length} chains as ${name}`);
  console.log(
    `  95th percentile of healthy chains beside two failing ones: ratio ${ratio.toFixed(2)}, ${failed} of ${count} failed (${rate(ratio, LIMIT)})`,
  );
  console.log(`  heap after ${CALLS} more calls: ${growth.toFixed(1)} MB (${rate(growth, HEAP_LIMIT)})`);
}

/** Each visitor sends a call a second, whether the last one has ended or not. Returns the times of healthy chains. */
async function sendCalls({ client, chains, failing }, most) {
  const times = [];
  const calls = [];
  let failed = 0;
  const started = performance.now();
  for (let count = 0; count < most; count++) {
    await pause(started + (count * 1000) / VISITORS - performance.now());
    const chain = chains[count % chains.length];
    const isHealthy = !failing.includes(chain);
    const sent = performance.now();
    const call = run(client, StreamsByRecipient, { recipient: randomAddress(), first: 5 }, { chain }).then(
      () => isHealthy && times.push(performance.now() - sent),
      () => isHealthy && failed++,
    );
    // Calls to the chain that hangs end during later measurements.
    if (isHealthy) calls.push(call);
  }
  await Promise.all(calls);
  times.sort((a, b) => a - b);
  return { p95: times[Math.floor(times.length * 0.95)], failed, count: times.length + failed };
}

function median(measurements) {
  return measurements.map(({ p95 }) => p95).sort((a, b) => a - b)[measurements.length >> 1];
}

function randomAddress() {
  const digits = Array.from({ length: 40 }, () => Math.floor(Math.random() * 16).toString(16));
  return `0x${digits.join("")}`;
}

/** Sends a message to a process, and returns its answer. */
function answerOf(child, message) {
  const answer = new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", (code) => reject(new Error(`${child.spawnargs[2]} ended with ${code}.`)));
  });
  if (message !== undefined) child.send(message);
  return answer;
}

function rate(value, limit) {
  return `${value <= limit ? "within" : "OVER"} ${limit}`;
}
