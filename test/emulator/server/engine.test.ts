import { describe, expect, it, onTestFinished } from "vitest";
import type { Emulator, EmulatorOptions, Fault } from "../../../emulator/index.ts";
import { deploymentHash } from "../../../emulator/indexers/emulated-deployment.ts";
import { PROTOCOL_DEPLOYMENTS } from "../../support/chain-counts.ts";
import { run } from "../../support/run.ts";
import { tempProject } from "../../support/temp-project.ts";
import { emulate, endpoint, post } from "../support.ts";

/** A stub of the node: it echoes its input, and closes the connection if the body contains "panic". */
const STUB = `import { createServer } from "node:http";
export const isSupported = () => true;
export async function startGraphNode({ chains, settings }) {
  const deployed = [];
  const networks = [...chains].map(({ network, blocks }) => [network, [...blocks].length]);
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    if (body.includes("panic")) return request.socket.destroy();
    if (body.includes("wrong")) {
      response.writeHead(200, { "content-type": ["application/json", "application/json"] });
      return response.end(JSON.stringify({ errors: [{ message: "Type \`Query\` has no field \`wrong\`" }] }));
    }
    const { url, headers } = request;
    response.writeHead(200, { "content-type": ["application/json", "application/json"], "graph-indexed": "{}" });
    response.end(JSON.stringify({ data: { url, headers, body, deployed, networks, settings, port: server.address().port } }));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: "http://127.0.0.1:" + server.address().port,
    deploy: async ({ id, network, entities, tables, head }) => {
      const counts = [...tables].map(({ entity, versions }) => [entity, [...versions].length]);
      deployed.push({ id, network, entities: entities.length, counts, head: head.number });
    },
    close: async () => { server.close(); server.closeAllConnections(); },
  };
}`;

const MANIFEST = JSON.stringify({ name: "lockflow-graph-node", type: "module", exports: "./index.js" });

function projectWith(stub: string): string {
  const folder = "node_modules/lockflow-graph-node";
  return tempProject({ [`${folder}/package.json`]: MANIFEST, [`${folder}/index.js`]: stub }).root;
}

function start(options: EmulatorOptions = {}): Promise<Emulator> {
  const deployments = options.indexers ? [] : SERVED;
  return emulate({ engine: "graph-node", root: projectWith(STUB), deployments, ...options });
}

type Echo = {
  readonly data: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly deployed: readonly { readonly id: string; readonly counts: readonly [string, number][] }[];
    readonly networks: readonly [string, number][];
    readonly settings: Readonly<Record<string, string>>;
    readonly port: number;
  };
};

async function echo(url: string, headers: Record<string, string> = {}, body = '{"query":"{ a }"}') {
  const response = await post(url, body, headers);
  return ((await response.json()) as Echo).data;
}

const NAME = "protocol-flow-base";
const SERVED = [NAME, "protocol-lockup-base", "protocol-flow-linea", "protocol-flow-multichain"];
const QUERY = { query: "{ a }" };

describe("emulate --engine graph-node", () => {
  it.each([
    [
      "is not installed",
      () => tempProject().root,
      "The engine graph-node needs a package that is not installed: npm install --save-dev lockflow-graph-node.",
    ],
    [
      "has no programs for the machine",
      () => projectWith("export const isSupported = () => false;"),
      "The engine graph-node runs on Linux on x64 with glibc only, and this machine is another.",
    ],
    [
      "does not start",
      () => projectWith(STUB.replace("const deployed", 'throw new Error("no room"); const deployed')),
      "The engine graph-node did not start.\n  no room",
    ],
  ])("error: the package %s", async (_, root, sentence) => {
    const args = ["emulate", "--engine", "graph-node", "--port", "0"];
    expect(await run(root(), args)).toEqual({ code: 2, out: "", err: `lockflow: ${sentence}\n` });
  });

  it("serves all deployments", async () => {
    const root = projectWith(STUB);
    const { code, out } = await run(root, ["emulate", "--engine", "graph-node", "--port", "0", "--json"]);
    expect(code).toBe(0);
    const endpoints = JSON.parse(out) as Emulator["endpoints"];
    expect(new Set(endpoints.map(({ deployment }) => deployment)).size).toBe(2 * PROTOCOL_DEPLOYMENTS);
  });
});

describe("the engine graph-node", () => {
  it("deploys each subgraph once, on its first request", async () => {
    const emulator = await start({ streams: 3 });
    const { url } = endpoint(emulator, "subgraph", "testing", NAME);
    const [first] = await Promise.all([echo(url), echo(url)]);
    const gateway = endpoint(emulator, "subgraph", "production", "protocol-lockup-base").url;
    const { deployed, networks, settings } = await echo(gateway, { authorization: "Bearer x" });
    expect(first.deployed.map(({ id }) => id)).toEqual([deploymentHash(NAME)]);
    expect(deployed.map(({ id }) => id)).toEqual([NAME, "protocol-lockup-base"].map(deploymentHash));
    expect(Object.fromEntries(first.deployed[0]?.counts ?? [])).toMatchObject({ Stream: expect.any(Number) });
    // Both protocols share the blocks of a chain.
    expect(networks.map(([, blocks]) => blocks)).toEqual([501, 501]);
    expect(settings).toMatchObject({ GRAPH_GRAPHQL_MAX_SKIP: "5000", ENABLE_GRAPHQL_VALIDATIONS: "false" });
  });

  it("gets requests unchanged, at every path of a node, without the Authorization header", async () => {
    const emulator = await start();
    const id = deploymentHash(NAME);
    const body = '{"query":"{ a(n: 1e400) }", "variables": [1]}';
    for (const path of [`/testing/${NAME}`, `/subgraphs/name/${NAME}`, `/subgraphs/id/${id}`]) {
      const type = { "content-type": "application/json; charset=latin1" };
      const sent = { authorization: "Bearer secret", ...type };
      const got = await echo(`${emulator.url}${path}?api-version=9`, sent, body);
      expect(got).toMatchObject({ url: `/subgraphs/id/${id}?api-version=9`, body, headers: type });
      expect(got.headers).not.toHaveProperty("authorization");
    }
    const response = await post(`${emulator.url}/testing/${NAME}`, QUERY);
    expect(response.headers.get("content-type")).toBe("application/json, application/json");
    expect(response.headers.get("graph-indexed")).toBe("{}");
  });

  it("is served through the gateway, which rewrites its errors", async () => {
    const emulator = await start({ apiKeys: ["good"] });
    const { url } = endpoint(emulator, "subgraph", "production", NAME);
    const ask = async (query: string, key = "good") =>
      (await post(url, { query }, { authorization: `Bearer ${key}` })).text();
    expect(await ask("{ a }")).toMatch(/^\{"data":\{"url":"/);
    expect(await ask("{ a }", "bad")).toMatch(/^\{"errors":\[\{"message":"auth/);
    expect(await ask("{ wrong }")).toMatch(/^\{"errors":\[\{"message":"[^"]*has no field `wrong`/);
    expect(await ask("{ panic }")).toMatch(/^\{"errors":\[\{"message":"[^"]*failed to connect/);
    const node = post(`${emulator.url}/testing/${NAME}`, { query: "{ panic }" });
    await expect(node).rejects.toThrow("fetch failed");
  });

  it("serves only subgraphs; the emulator keeps multichain deployments and daily limits", async () => {
    const emulator = await start({ dailyQueries: 1 });
    const query = { query: "{ Stream(limit: 1) { id } }" };
    const multichain = await post(endpoint(emulator, "multichain").url, query);
    expect(await multichain.json()).toMatchObject({ data: { Stream: [{ id: expect.any(String) }] } });
    const { url } = endpoint(emulator, "subgraph", "testing", NAME);
    expect([(await post(url, QUERY)).status, (await post(url, QUERY)).status]).toEqual([200, 429]);
  });

  it.each<[fault: Fault, want: unknown]>([
    [{ kind: "502" }, 502],
    [{ kind: "latency", milliseconds: 5 }, 200],
    [{ kind: "truncated-json" }, "a body that is not JSON"],
    [
      { kind: "errors-beside-data", message: "oops" },
      { data: {}, errors: [{ message: "oops" }] },
    ],
    [{ kind: "wrong-chain", chain: "linea" }, { data: { url: idPath("protocol-flow-linea") } }],
    [{ kind: "wrong-protocol" }, { data: { url: idPath("protocol-lockup-base") } }],
  ])("supports the fault %j", async (fault, want) => {
    const emulator = await start();
    await emulator.fault({ ...fault, deployment: NAME } as Fault);
    const response = await post(endpoint(emulator, "subgraph", "testing", NAME).url, QUERY);
    if (typeof want === "number") expect(response.status).toBe(want);
    else if (typeof want === "string") await expect(response.json()).rejects.toThrow("JSON");
    else expect(await response.json()).toMatchObject(want as object);
  });

  it("supports the fault introspection-off", async () => {
    const emulator = await start({ faults: [{ kind: "introspection-off" }] });
    const { url } = endpoint(emulator, "subgraph", "testing", NAME);
    const schema = await post(url, { query: "{ __schema { types { name } } }" });
    expect(await schema.json()).toHaveProperty("errors");
    expect(await (await post(url, QUERY)).json()).toHaveProperty("data");
  });

  const OTHER = {
    name: "b",
    protocol: "flow",
    style: "subgraph",
    chainIds: [1],
    environments: ["testing"],
  } as const;
  it.each<[options: EmulatorOptions, sentence: string]>([
    [{ live: true }, "cannot add new blocks"],
    [
      { fleet: { base: "graph-node-0.44" } },
      "cannot serve protocol-flow-base as graph-node-0.44: it is graph-node-0.45",
    ],
    [{ deployments: ["protocol-flow-multichain"] }, "no subgraph is to be served"],
    [
      { deployments: ["protocol-flow-base", { ...OTHER, settings: { boolFilters: false } }] },
      "cannot serve b with other settings than protocol-flow-base: one node serves both",
    ],
    // A chain that is not served.
    [
      { deployments: [NAME], faults: [{ kind: "wrong-chain", chain: "linea" }] },
      'A fault "wrong-chain" changes the indexer',
    ],
  ])("error: refuses %j before it starts", (options, sentence) => expectRefusal(options, sentence));

  it.each<Fault>([
    { kind: "drop-field", field: "Stream.sender" },
    { kind: "add-enum-member", member: "StreamCategory.X" },
    { kind: "stuck-head" },
    { kind: "lagging-head", blocks: 5 },
    { kind: "indexing-error" },
    { kind: "release", release: "graph-node-0.44" },
    { kind: "flapping", first: "graph-node-0.40", second: "graph-node-0.44" },
  ])("error: refuses the fault $kind before it starts", async (fault) => {
    const sentence = `A fault "${fault.kind}" changes the indexer, but the engine graph-node serves unchanged subgraphs.`;
    await expectRefusal({ faults: [fault] }, sentence);
  });

  async function expectRefusal(options: EmulatorOptions, sentence: string): Promise<void> {
    const root = projectWith(STUB.replace("const deployed", 'throw new Error("started"); const deployed'));
    await expect(start({ root, ...options })).rejects.toThrow(sentence);
  }

  it("supports faults that change multichain deployments, but not advance", async () => {
    const faults: Fault[] = [{ kind: "drop-field", field: "Stream.sender", style: "multichain" }];
    const emulator = await start({ faults });
    const { url } = endpoint(emulator, "multichain");
    expect(await (await post(url, { query: "{ Stream { sender } }" })).json()).toHaveProperty("errors");
    expect(() => emulator.advance(1)).toThrow("The engine graph-node cannot add new blocks");
  });

  it("serves a custom indexer with the operator's settings", async () => {
    const entities = "type Port @entity(immutable: false) { id: ID! }";
    const settings = { boolFilters: false, strictValidation: true, maxComplexity: 7 };
    const indexer = { style: "subgraph", entities, rows: { Port: [{ id: "a" }] }, settings } as const;
    const emulator = await start({ indexers: [indexer] });
    const { deployed, settings: env, networks } = await echo(endpoint(emulator, "subgraph", "testing").url);
    expect(deployed).toMatchObject([{ entities: entities.length, counts: [["Port", 1]], head: 1000 }]);
    expect(networks).toMatchObject([[expect.any(String), 1000]]);
    expect(env).toMatchObject({
      ENABLE_GRAPHQL_VALIDATIONS: "true",
      GRAPH_GRAPHQL_DISABLE_BOOL_FILTERS: "true",
      GRAPH_GRAPHQL_DISABLE_CHILD_SORTING: "false",
      GRAPH_GRAPHQL_MAX_COMPLEXITY: "7",
    });
  });

  it("is closed with the emulator, and if the emulator fails to start", async () => {
    const emulator = await start();
    const { port } = await echo(endpoint(emulator, "subgraph", "testing", NAME).url);
    await emulator.close();
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow("fetch failed");

    const taken = await emulate();
    // A fault that edits entities needs them before the emulator listens, and with them the node.
    const stub = STUB.replace("close: async () => {", "close: async () => { globalThis.closedStub = true;");
    onTestFinished(() => void Reflect.deleteProperty(globalThis, "closedStub"));
    const faults: Fault[] = [{ kind: "drop-field", field: "Stream.sender", style: "multichain" }];
    await expect(start({ root: projectWith(stub), faults, port: taken.port })).rejects.toThrow("in use");
    expect(Reflect.get(globalThis, "closedStub")).toBe(true);
  });
});

function idPath(name: string): string {
  return `/subgraphs/id/${deploymentHash(name)}`;
}
