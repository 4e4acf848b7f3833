import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Emulator, type EmulatorEndpoint, startEmulator } from "../../emulator/index.ts";
import { REPOSITORY } from "../support/repository.ts";

const CHAINS = ["mainnet", "base", "sepolia", "linea"];
const DEPLOYMENTS = ["lockup", "flow"].flatMap((protocol) =>
  CHAINS.map((chain) => `protocol-${protocol}-${chain}`),
);

type Running = { readonly process: ChildProcess; readonly endpoints: readonly EmulatorEndpoint[] };

describe("emulate --engine graph-node", () => {
  let real: Running;
  let plain: Emulator;
  beforeAll(async () => {
    real = await startCommand();
    plain = await startEmulator({ fleet: { subgraph: "graph-node-0.45" } });
  });
  afterAll(async () => {
    real.process.kill("SIGTERM");
    await once(real.process, "exit");
    await plain.close();
  });

  it.each(DEPLOYMENTS)("answers as the emulator does for %s", async (name) => {
    const own = real.endpoints.filter(({ deployment }) => deployment === name);
    expect(own.length).toBeGreaterThan(0);
    for (const { url, environment } of own) {
      const other = plain.endpoints.find((one) => one.deployment === name && one.environment === environment);
      const head = JSON.parse((await ask(other?.url ?? "", META)).body).data._meta.block;
      for (const query of questionsAt(head)) {
        const [want, got] = [await ask(other?.url ?? "", query), await ask(url, query)];
        expect(got, query).toEqual(want);
      }
    }
  });

  it("also serves the multichain deployments", async () => {
    const url = real.endpoints.find(({ style }) => style === "multichain")?.url ?? "";
    expect(JSON.parse((await ask(url, "{ Stream(limit: 1) { id } }")).body)).toMatchObject({
      data: { Stream: [{ id: expect.any(String) }] },
    });
  });
});

it.each(["SIGINT", "SIGKILL"] as const)("leaves no child process after %s", async (signal) => {
  const { process } = await startCommand();
  const started = childrenOf(process.pid ?? 0);
  expect(started.map(nameOf)).toEqual(expect.arrayContaining(["gnd", "postgres", "sh"]));
  process.kill(signal);
  const [code] = (await once(process, "exit")) as [number | null];
  expect(code).toBe(signal === "SIGKILL" ? null : 0);
  for (let tries = 0; tries < 100 && started.some(isThere); tries += 1) await setTimeout(100);
  expect(started.filter(isThere)).toEqual([]);
});

it("serves the rows of a custom indexer, over its blocks and with its roll-ups", async () => {
  const indexer = { style: "subgraph", release: "graph-node-0.45", entities: ENTITIES, rows: ROWS } as const;
  await using plain = await startEmulator({ indexers: [indexer] });
  await using real = await startEmulator({ indexers: [indexer], engine: "graph-node" });
  for (const query of [
    "{ ports(orderBy: name) { id name open berths { id } } }",
    "{ ports(block: { number: 120 }) { id name } _meta(block: { number: 120 }) { block { number hash timestamp } } }",
    "{ ports(where: { _change_block: { number_gte: 300 } }) { id } }",
    "{ days: stays(interval: day) { id timestamp count } hours: stays(interval: hour) { id count } }",
    "{ ports(block: { number: 99 }) { id } }",
    '{ portSearch(text: "two | again:* | one | 1") { id name } before: portSearch(text: "two | one", block: { number: 120 }) { id } }',
  ]) {
    const [want, got] = await Promise.all(
      [plain, real].map(({ url }) => ask(`${url}/testing/indexer`, query)),
    );
    expect(got, query).toEqual(want);
    expect(want?.status).toBe(200);
  }
});

it("serves generated rows for any entities, as a node writes them", async () => {
  const options = {
    protocols: { ports: { entities: { subgraph: ENTITIES } } },
    deployments: ["protocol-ports-base", "protocol-ports-mainnet"],
  };
  await using plain = await startEmulator({ ...options, fleet: { subgraph: "graph-node-0.45" } });
  await using real = await startEmulator({ ...options, engine: "graph-node" });
  for (const name of options.deployments) {
    for (const query of [
      "{ ports(first: 1000) { id name open berths { id } } berths(first: 1000) { id port { id } } }",
      "{ visits(first: 1000) { id timestamp } }",
      "{ days: stays(interval: day, first: 1000) { id count } hours: stays(interval: hour, first: 1000) { id count } }",
    ]) {
      const [want, got] = await Promise.all(
        [plain, real].map(({ url }) => ask(`${url}/testing/${name}`, query)),
      );
      expect(got, query).toEqual(want);
      expect(JSON.parse(want?.body ?? "")).not.toHaveProperty("errors");
    }
  }
});

const ENTITIES = `type _Schema_
  @fulltext(name: "portSearch", language: en, algorithm: rank, include: [{ entity: "Port", fields: [{ name: "name" }] }])
type Port @entity(immutable: false) {
  id: Bytes!
  name: String!
  open: Boolean
  berths: [Berth!]! @derivedFrom(field: "port")
}
type Berth @entity(immutable: true) { id: ID! port: Port! }
type Visit @entity(timeseries: true) { id: Int8! timestamp: Timestamp! }
type Stay @aggregation(intervals: ["hour", "day"], source: "Visit") {
  id: Int8! timestamp: Timestamp! count: Int8! @aggregate(fn: "count")
}`;

const ROWS = [
  {
    block: 100,
    rows: {
      Port: [
        { id: "0x01", name: "one\t\\\n\"'é", open: null },
        { id: "0x02", name: "two" },
      ],
      Berth: [{ id: "b", port: "0x01" }],
      Stay: [
        { id: "1", interval: "hour", timestamp: "3600000000", count: "2" },
        { id: "2", interval: "day", timestamp: "0", count: "3" },
      ],
    },
  },
  { block: 300, rows: { Port: [{ id: "0x01", name: "1", open: true }] }, deleted: { Port: ["0x02"] } },
  { block: 500_000, rows: { Port: [{ id: "0x02", name: "again" }] } },
];

const META = "{ _meta { block { number hash timestamp parentHash } deployment hasIndexingErrors } }";

type Block = { readonly number: number; readonly hash: string };

function questionsAt({ number, hash }: Block): string[] {
  return [
    META,
    "{ streams(first: 1000, orderBy: subgraphId, orderDirection: desc) { id alias sender withdrawnAmount startTime asset { symbol } batch { size batcher { batchCounter } } actions(first: 2) { id category amountA } } }",
    "{ actions(first: 1000, orderBy: timestamp) { id block category fee addressB stream { id } } }",
    "{ watchers { id actionCounter } assets(where: { decimals_gt: 6 }) { id name streams(first: 2) { id } } batchers { batches { id } } }",
    '{ streams(where: { or: [{ version: "v1.0" }, { asset_: { symbol_contains_nocase: "d" } }] }) { id } }',
    `{ streams(block: { number: ${number - 200} }, first: 1000) { id withdrawnAmount } }`,
    `{ streams(block: { hash: "${hash}" }, where: { _change_block: { number_gte: ${number - 90} } }) { id } }`,
    `{ streams(block: { number: ${number - 501} }) { id } }`,
    `{ streams(block: { number: ${number + 1} }) { id } }`,
    "{ streams(skip: 5001) { id } }",
    "{ __schema { types { name fields { name args { name } } } } }",
  ];
}

type Answer = { readonly status: number; readonly headers: object; readonly body: string };

async function ask(url: string, query: string): Promise<Answer> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer any" },
    body: JSON.stringify({ query }),
  });
  const { date: _, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: await response.text() };
}

async function startCommand(): Promise<Running> {
  const args = ["emulate", "--engine", "graph-node", "--port", "0", "--json"];
  const started = spawn(process.execPath, ["--import", "tsx", "src/cli/main.ts", ...args], {
    cwd: REPOSITORY,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await Promise.race([
    once(createInterface({ input: started.stdout }), "line"),
    once(started, "exit").then(([code]) => Promise.reject(new Error(`It ended with ${code}.`))),
  ])) as [string];
  return { process: started, endpoints: JSON.parse(line) };
}

function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  return children.filter((one) => one !== "").map(Number);
}

function nameOf(pid: number): string {
  return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
}

function isThere(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}
