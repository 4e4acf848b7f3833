import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { introspectionAnswer, SMALL_ENTITIES, subgraphProbeAnswer } from "../support/indexer-answers.ts";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";
import { closedUrl, type Received, testServer } from "../support/test-server.ts";

/** The chain ids of the deployments that most tests query, by suffix. */
const CHAIN_IDS: Readonly<Record<string, number>> = { mainnet: 1, base: 8453, gnosis: 100 };

type Answer = (request: Received, response: ServerResponse) => void;

const isProbe = (request: Received) => request.body.includes("_meta");

/** Answers like a subgraph of `entities` on the chain of the path. */
function healthy(entities = SMALL_ENTITIES): Answer {
  return (request, response) => {
    const chainId = CHAIN_IDS[request.path.split("-").at(-1) ?? ""] ?? null;
    response.setHeader("content-type", "application/json");
    response.end(isProbe(request) ? subgraphProbeAnswer(chainId) : introspectionAnswer("subgraph", entities));
  };
}

/** A project whose lockup subgraphs of three chains are served by `answers`, by suffix. */
async function fleet(answers: Readonly<Record<string, Answer>>, config: Record<string, unknown> = {}) {
  const server = await testServer((request, response) => {
    const answer = answers[request.path.split("-").at(-1) ?? ""] ?? healthy();
    answer(request, response);
  });
  const deployments = Object.fromEntries(
    Object.keys(CHAIN_IDS).map((suffix) => {
      const name = `protocol-lockup-${suffix}`;
      return [name, { testing: { url: `${server.url}/${name}` } }];
    }),
  );
  const project = tempProject();
  project.write(
    "lockflow.config.json",
    JSON.stringify({
      protocols: ["lockup"],
      timeout: 20_000,
      ...config,
      deployments: { ...deployments, ...(config["deployments"] as object) },
    }),
  );
  return { project, server };
}

const plain =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };

describe("introspect", () => {
  it("sends at most two requests per deployment and writes the snapshot and the fleet record", async () => {
    const { project, server } = await fleet({});
    const { code, out } = await run(project.root, ["introspect"]);
    expect(code).toBe(0);
    expect(server.received).toHaveLength(6);
    expect(out).toContain("Introspected 3 of 3 deployments.");
    const files = project.files("generated");
    expect(Object.keys(files).sort()).toEqual([
      "generated/schemas/deployments.json",
      "generated/schemas/lockup/subgraph.graphql",
    ]);
    const record = JSON.parse(files["generated/schemas/deployments.json"] ?? "");
    expect(record.deployments.map((row: { name: string }) => row.name)).toEqual([
      "protocol-lockup-base",
      "protocol-lockup-gnosis",
      "protocol-lockup-mainnet",
    ]);
    expect(JSON.stringify(files)).not.toContain("127.0.0.1");
  });

  it("writes the same bytes again, whatever the order and concurrency", async () => {
    const { project } = await fleet({});
    await run(project.root, ["introspect"]);
    const first = project.files("generated");
    const again = await run(project.root, ["introspect", "--concurrency", "1"]);
    expect(again.out).toContain("unchanged");
    expect(project.files("generated")).toEqual(first);
  });

  it("does not fail for a dormant deployment, and keeps its last schema", async () => {
    const answers: Record<string, Answer> = {};
    const dormant = { status: "dormant", since: "2026-03-31" };
    const { project, server } = await fleet(answers);
    await run(project.root, ["introspect"]);
    const before = project.files("generated");
    const config = JSON.parse(project.read("lockflow.config.json"));
    Object.assign(config.deployments["protocol-lockup-base"], dormant);
    project.write("lockflow.config.json", JSON.stringify(config));
    answers["base"] = plain(404, "");
    const { code, out } = await run(project.root, ["introspect"]);
    expect(code).toBe(0);
    expect(out).toContain("Introspected 2 of 3 deployments.");
    expect(out).toMatch(
      /1 dormant and returned no schema, so their snapshots are unchanged:\n {2}protocol-lockup-base: The endpoint answered HTTP 404.*It has been dormant since 2026-03-31\.$/m,
    );
    expect(server.received.some(({ path }) => path === "/protocol-lockup-base")).toBe(true);
    expect(project.files("generated")).toEqual(before);
    // The run fails if every deployment is dormant.
    for (const deployment of Object.values(config.deployments)) Object.assign(deployment as object, dormant);
    project.write("lockflow.config.json", JSON.stringify(config));
    for (const suffix of ["gnosis", "mainnet"]) answers[suffix] = plain(404, "");
    expect((await run(project.root, ["introspect"])).code).toBe(2);
  });

  it("corrects a snapshot that was edited by hand", async () => {
    const { project } = await fleet({});
    await run(project.root, ["introspect"]);
    const path = "generated/schemas/lockup/subgraph.graphql";
    const text = project.read(path);
    project.write(path, text.replace("type Watcher {", "type Watcher {\n  more: Int"));
    await run(project.root, ["introspect"]);
    expect(project.read(path)).toBe(text);
  });

  it("keeps a variant file for a chain with another schema, and removes it when no chain serves it", async () => {
    const shrunk = SMALL_ENTITIES.replace("depositAmount: BigInt!", "");
    const answers: Record<string, Answer> = { base: healthy(shrunk) };
    const { project } = await fleet(answers);
    await run(project.root, ["introspect"]);
    const variant = Object.keys(project.files("generated")).find((path) =>
      /lockup\/subgraph\.[0-9a-f]{8}\.graphql$/.test(path),
    );
    expect(variant).toBeDefined();
    expect(project.read("generated/schemas/lockup/subgraph.graphql")).toContain("depositAmount");
    expect(project.read(variant ?? "")).not.toContain("depositAmount");
    const rows = JSON.parse(project.read("generated/schemas/deployments.json")).deployments;
    expect(rows.map((row: { snapshot: string }) => `generated/${row.snapshot}`)).toEqual([
      variant,
      "generated/schemas/lockup/subgraph.graphql",
      "generated/schemas/lockup/subgraph.graphql",
    ]);

    answers["base"] = healthy();
    const { out } = await run(project.root, ["introspect"]);
    expect(out).toContain("removed: no chain serves this variant any more");
    expect(project.files("generated")).not.toHaveProperty(variant ?? "");
  });

  it("takes the snapshot from the followed deployment, even if most serve another schema", async () => {
    const shrunk = SMALL_ENTITIES.replace("depositAmount: BigInt!", "");
    const { project } = await fleet(
      { base: healthy(shrunk) },
      { follow: { lockup: "protocol-lockup-base" } },
    );
    await run(project.root, ["introspect"]);
    expect(project.read("generated/schemas/lockup/subgraph.graphql")).not.toContain("depositAmount");
  });

  it("breaks a tie in favour of more fields", async () => {
    const shrunk = SMALL_ENTITIES.replace("depositAmount: BigInt!", "");
    const { project } = await fleet({ base: healthy(shrunk), gnosis: plain(500, "") });
    await run(project.root, ["introspect"]);
    expect(project.read("generated/schemas/lockup/subgraph.graphql")).toContain("depositAmount");
  });

  it("writes one file for chains whose schemas differ only in descriptions", async () => {
    const documented = SMALL_ENTITIES.replace("alias: String!", '"Short name." alias: String!');
    const { project } = await fleet({ base: healthy(documented) });
    await run(project.root, ["introspect"]);
    expect(Object.keys(project.files("generated"))).toHaveLength(2);
    const rows = JSON.parse(project.read("generated/schemas/deployments.json")).deployments;
    expect(new Set(rows.map((row: { schema: string }) => row.schema)).size).toBe(1);
    expect(new Set(rows.map((row: { docs: string }) => row.docs)).size).toBe(2);
  });

  it("error: reports a deployment that switches protocols (HTTP 101), and requests the others", async () => {
    const { project } = await fleet({
      base: (_, response) =>
        response.socket?.write(
          "HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n",
        ),
    });
    const { code, out } = await run(project.root, ["introspect"]);
    expect(code).toBe(2);
    expect(out).toContain("Introspected 2 of 3 deployments.");
    expect(out).toContain("protocol-lockup-base: The endpoint answered HTTP 101.");
  });

  it("error: names a deployment that serves another chain, and keeps its data out", async () => {
    const { project } = await fleet({
      base: (request, response) =>
        response.end(isProbe(request) ? subgraphProbeAnswer(100) : introspectionAnswer("subgraph")),
    });
    const { code, out } = await run(project.root, ["introspect"]);
    expect(code).toBe(1);
    expect(out).toMatch(
      /protocol-lockup-base: It serves gnosis \(chain id 100\) instead of base \(chain id 8453\)/,
    );
    expect(project.read("generated/schemas/deployments.json")).not.toContain("protocol-lockup-base");
  });

  const FLOW_ENTITIES = SMALL_ENTITIES.replace("depositAmount", "ratePerSecond");

  it("error: names a deployment that serves another protocol, and keeps its schema out", async () => {
    const { project } = await fleet({ base: healthy(FLOW_ENTITIES) });
    const { code, out } = await run(project.root, ["introspect"]);
    expect(code).toBe(1);
    expect(out).toContain("protocol-lockup-base: It serves flow instead of lockup.");
    expect(project.read("generated/schemas/deployments.json")).not.toContain("protocol-lockup-base");
    expect(Object.keys(project.files("generated"))).toHaveLength(2);
  });

  it("error: reports another protocol rather than an incomplete schema", async () => {
    const answers: Record<string, Answer> = {};
    const { project } = await fleet(answers);
    await run(project.root, ["introspect"]);
    const before = project.files("generated");
    answers["base"] = healthy("type Payment @entity { id: ID! ratePerSecond: BigInt! }");
    answers["gnosis"] = (request, response) =>
      response.end(isProbe(request) ? subgraphProbeAnswer(1) : introspectionAnswer("subgraph"));
    const { code, out } = await run(project.root, ["introspect"]);
    expect(code).toBe(1);
    expect(out).toContain("protocol-lockup-base: It serves flow instead of lockup.");
    // Wrong identities are listed before written files and notes.
    expect(out.split("\n").slice(1, 5)).toEqual([
      "Introspected 1 of 3 deployments.",
      "",
      "2 not what the manifest says, so their snapshots are unchanged:",
      "  protocol-lockup-base: It serves flow instead of lockup. Correct its URL: its rows are another protocol's.",
    ]);
    expect(project.files("generated")).toEqual(before);
    answers["gnosis"] = plain(500, "");
    expect(await run(project.root, ["introspect"])).toMatchObject({ code: 2 });
  });

  it.each([
    ["of both protocols", SMALL_ENTITIES.replace("alias: String!", "alias: String! ratePerSecond: BigInt!")],
    ["of neither protocol", SMALL_ENTITIES.replace("depositAmount", "amount")],
  ])("accepts an indexer %s", async (_, entities) => {
    const { project } = await fleet({ base: healthy(entities) });
    expect(await run(project.root, ["introspect"])).toMatchObject({ code: 0 });
  });

  it("error: names both deployments if the multichain ids are swapped", async () => {
    const server = await testServer((request, response) => {
      const flow = request.path.includes("lockup");
      response.end(introspectionAnswer("multichain", flow ? FLOW_ENTITIES : SMALL_ENTITIES));
    });
    const project = tempProject();
    const ids = { lockup: "lockup", flow: "flow" };
    project.write(
      "lockflow.config.json",
      JSON.stringify({ multichain: { url: `${server.url}/{id}`, ids }, timeout: 20_000 }),
    );
    const { code, out } = await run(project.root, ["introspect"]);
    expect(code).toBe(1);
    expect(out).toContain("protocol-flow-multichain: It serves lockup instead of flow.");
    expect(out).toContain("protocol-lockup-multichain: It serves flow instead of lockup.");
    expect(Object.keys(project.files())).toEqual(["lockflow.config.json"]);
  });

  it("reads compressed answers", async () => {
    const { project } = await fleet({ base: compressed(introspectionAnswer("subgraph")) });
    expect(await run(project.root, ["introspect"])).toMatchObject({ code: 0 });
  });

  it("prints a note for a deployment that does not report its chain", async () => {
    const { project } = await fleet({
      base: (request, response) =>
        response.end(isProbe(request) ? subgraphProbeAnswer(null) : introspectionAnswer("subgraph")),
    });
    const { code, out } = await run(project.root, ["introspect"]);
    expect(code).toBe(0);
    expect(out).toContain("note: protocol-lockup-base does not say which chain it serves");
  });

  it("accepts a schema with an indexing error", async () => {
    const { project } = await fleet({
      base: (request, response) => {
        const body = JSON.parse(
          isProbe(request) ? subgraphProbeAnswer(8453) : introspectionAnswer("subgraph"),
        );
        response.end(JSON.stringify({ ...body, errors: [{ message: "indexing_error" }] }));
      },
    });
    const { code, out } = await run(project.root, ["introspect"]);
    expect(code).toBe(0);
    expect(out).toContain('protocol-lockup-base reports "indexing_error" with its schema');
  });
});

function compressed(body: string | Buffer): Answer {
  const answers = { schema: gzipSync(body), probe: gzipSync(subgraphProbeAnswer(8453)) };
  return (request, response) => {
    response.setHeader("content-encoding", "gzip");
    response.end(isProbe(request) ? answers.probe : answers.schema);
  };
}

const huge: Answer = (_, response) => {
  const chunk = Buffer.alloc(1024 * 1024, "x");
  let sent = 0;
  const send = () => {
    while (sent++ < 200) if (!response.write(chunk)) return response.once("drain", send);
    return response.end();
  };
  response.on("error", () => {});
  send();
};

const half = JSON.parse(introspectionAnswer("subgraph"));
half.data.__schema.types = half.data.__schema.types.slice(0, 12);

const silent: Answer = () => {};

const failures: [name: string, answer: Answer, want: RegExp][] = [
  ["a time-out", silent, /The endpoint did not answer completely within 1 s/],
  ["401", plain(401, "no"), /refused access \(HTTP 401\)/],
  ["404", plain(404, "no"), /answered HTTP 404.*the deployment may have moved/],
  [
    "410",
    plain(410, ""),
    /answered HTTP 410.*permanently gone: set its status to "retired" in the configuration/,
  ],
  [
    "a permanent redirect",
    plain(308, "", { location: "https://new.example/" }),
    /moved permanently \(HTTP 308\) to https:\/\/new\.example\/.*Configure the new URL/,
  ],
  ["429 with Retry-After", plain(429, "slow", { "retry-after": "30" }), /HTTP 429\); it asks to wait 30 s/],
  [
    "429 with a date",
    plain(429, "", { "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" }),
    /until 2026-10-21T07:28:00.000Z/,
  ],
  ["500", plain(500, "oops"), /answered HTTP 500/],
  ["HTML", plain(200, "<!DOCTYPE html><html></html>"), /a web page instead of JSON/],
  ["an empty body", plain(200, ""), /an empty body/],
  [
    "truncated JSON",
    plain(200, introspectionAnswer("subgraph").slice(0, 5000)),
    /is not JSON, or was cut off/,
  ],
  ["JSON that is not a result", plain(200, "[1]"), /not a GraphQL result/],
  [
    "errors in a 200",
    plain(200, '{"errors":[{"message":"bad indexers: {}"}]}'),
    /HTTP 200 with no data: bad indexers/,
  ],
  [
    "an auth error in a 200",
    plain(200, '{"errors":[{"message":"auth error: API key not found"}]}'),
    /no data: auth error.*check the key/i,
  ],
  [
    "introspection disabled",
    plain(200, '{"errors":[{"message":"GraphQL introspection is not allowed"}]}'),
    /does not answer introspection/,
  ],
  [
    "a default that is not a value",
    plain(200, introspectionAnswer("subgraph").replace('"defaultValue":"100"', '"defaultValue":") { evil"')),
    /not an introspection result: the default of Query\.\w+\(first:\) is "\) \{ evil", which is not a GraphQL value/,
  ],
  ["half a schema", plain(200, JSON.stringify(half)), /schema is incomplete: .* refers to type/],
  [
    "an invalid name",
    plain(200, introspectionAnswer("subgraph").replaceAll('"alias"', '"a b"')),
    /should be a GraphQL name, but is "a b"/,
  ],
  [
    "a redirect to another host",
    plain(302, "", { location: "https://elsewhere.example/?key=1" }),
    /redirects \(HTTP 302\).*to: https:\/\/elsewhere.example\//,
  ],
  ["a body of 200 MB", huge, /larger than 16 MB/],
  [
    "a small compressed body with large content",
    compressed(Buffer.alloc(40 * 1024 * 1024, "x")),
    /larger than 16 MB/,
  ],
  [
    "an invalid compressed body",
    plain(200, "nonsense", { "content-encoding": "gzip" }),
    /its compressed answer is broken/,
  ],
  [
    "a dropped connection",
    (_, response) => response.destroy(),
    /closed before the answer was complete|could not be reached/,
  ],
  [
    "a terminal's control characters",
    plain(200, '{"errors":[{"message":"\\u001b[2Jbad"}]}'),
    /no data: \[2Jbad/,
  ],
];

describe("introspect: one failing endpoint", () => {
  it.each(failures)("error: %s", async (_, answer, want) => {
    const answers: Record<string, Answer> = {};
    const { project } = await fleet(answers, answer === silent ? { timeout: 1000 } : {});
    await run(project.root, ["introspect"]);
    const before = project.files("generated");

    answers["base"] = answer;
    const { code, out } = await run(project.root, ["introspect"]);
    expect(code).toBe(2);
    const [line, ...more] = out.split("\n").filter((text) => text.trim().startsWith("protocol-lockup-base:"));
    expect(line).toMatch(want);
    expect(line).not.toContain("\u001b");
    expect(more).toEqual([]);
    expect(out).toContain("Introspected 2 of 3 deployments.");
    expect(project.files("generated")).toEqual(before);
  });

  it("error: a refused connection", async () => {
    const { project } = await fleet(
      {},
      { deployments: { "protocol-lockup-sepolia": { testing: { url: `${await closedUrl()}/x` } } } },
    );
    const { code, out } = await run(project.root, ["introspect"]);
    expect(code).toBe(2);
    expect(out).toMatch(/protocol-lockup-sepolia: .*the connection was refused.*URL: http:\/\/127/);
    expect(out).toContain("Introspected 3 of 4 deployments.");
  });

  it("error: a schema with a fraction of the known types does not change a snapshot", async () => {
    const answers: Record<string, Answer> = {};
    const { project } = await fleet(answers);
    await run(project.root, ["introspect"]);
    const before = project.files("generated");
    answers["base"] = plain(
      200,
      JSON.stringify({
        data: {
          __schema: {
            queryType: { name: "Query" },
            mutationType: null,
            subscriptionType: null,
            types: [
              {
                kind: "OBJECT",
                name: "Query",
                fields: [{ name: "a", args: [], type: { kind: "SCALAR", name: "Int" } }],
                interfaces: [],
              },
            ],
            directives: [],
          },
        },
      }),
    );
    const { code, out } = await run(project.root, ["introspect"]);
    expect(code).toBe(2);
    expect(out).toMatch(/protocol-lockup-base: The schema has 1 types where the snapshot has \d+/);
    expect(project.files("generated")).toEqual(before);
  });

  it("error: a schema with at most half of the known root fields does not change a snapshot", async () => {
    const answers: Record<string, Answer> = {};
    const { project } = await fleet(answers);
    await run(project.root, ["introspect"]);
    const before = project.files("generated");
    const body = JSON.parse(introspectionAnswer("subgraph"));
    const root = body.data.__schema.types.find((type: { name: string }) => type.name === "Query");
    expect(root.fields).toHaveLength(5);

    root.fields.splice(0, 2);
    answers["base"] = (request, response) =>
      response.end(isProbe(request) ? subgraphProbeAnswer(8453) : JSON.stringify(body));
    expect(await run(project.root, ["introspect"])).toMatchObject({ code: 0 });

    root.fields.splice(0, 1);
    for (const [path, text] of Object.entries(before)) project.write(path, text);
    const { code, out } = await run(project.root, ["introspect"]);
    expect(code).toBe(2);
    expect(out).toContain(
      "protocol-lockup-base: The schema has 2 root fields where the snapshot has 5, so it is considered incomplete.",
    );
    expect(project.files("generated")).toEqual(before);
  });

  it("does not write files if no deployment answers", async () => {
    const dead = plain(500, "");
    const { project } = await fleet({ mainnet: dead, base: dead, gnosis: dead });
    const { code } = await run(project.root, ["introspect"]);
    expect(code).toBe(2);
    expect(Object.keys(project.files())).toEqual(["lockflow.config.json"]);
  });
});

describe("introspect: error messages of servers", () => {
  it("summarizes 20,000 errors in one line", async () => {
    const errors = Array.from({ length: 20_000 }, (_, index) => ({ message: `error ${index}` }));
    const { project } = await fleet(
      {
        base: (request, response) => {
          const answer = JSON.parse(
            isProbe(request) ? subgraphProbeAnswer(8453) : introspectionAnswer("subgraph"),
          );
          response.end(JSON.stringify({ ...answer, errors }));
        },
        gnosis: plain(200, JSON.stringify({ errors })),
      },
      { timeout: 20_000 },
    );
    const { code, out, err } = await run(project.root, ["introspect"]);
    expect(code).toBe(2);
    expect(out).toContain('reports "error 0" with its schema');
    expect(out).toContain('reports "19997 more errors" with its schema');
    expect(out).toContain("no data: error 0. (and error 1; and error 2; and 19997 more errors)");
    expect(out.length + err.length).toBeLessThan(3000);
  });

  it("does not print workflow commands from an answer", async () => {
    const hostile = "::set-output name=a::b ##[add-mask]c\n::stop-commands::d ##vso[task.setvariable]e";
    const { project } = await fleet({
      base: (_, response) => response.end(JSON.stringify({ errors: [{ message: hostile }] })),
    });
    const results = [
      await run(project.root, ["introspect"]),
      await run(project.root, ["drift", "--report", "text"]),
      await run(project.root, ["explain", hostile]),
      await run(project.root, ["check", "--config", hostile]),
    ];
    for (const { out, err } of results) expect(out + err).not.toMatch(/::|##[a-z]*\[/);
    expect(results.map(({ out, err }) => /: :(set-output|stop-commands)/.test(out + err))).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });
});

describe("introspect: answers that contain a key", () => {
  const KEY = "canary0123456789canary";
  const withKey = (url: string) => ({
    deployments: { "protocol-lockup-xdc": { production: { url, apiKey: { env: "KEY" } } } },
  });
  const schemaWith = (from: string, to: string) => introspectionAnswer("subgraph").replaceAll(from, to);

  const echoes: [name: string, answer: (key: string) => Answer][] = [
    ["in a redirect", (key) => plain(302, "", { location: `https://elsewhere.example/${key}` })],
    ["as the name of a type", (key) => plain(200, schemaWith('"name":"Watcher"', `"name":"Bearer ${key}"`))],
    ["as a kind", (key) => plain(200, schemaWith('"kind":"ENUM"', `"kind":"${key}"`))],
    [
      "escaped in a description",
      (key) => plain(200, schemaWith('"description":null', `"description":"\\u0063${key.slice(1)}"`)),
    ],
    ["in a description", (key) => plain(200, schemaWith('"description":null', `"description":"for ${key}"`))],
    [
      "escaped in an error",
      (key) => plain(200, `{"errors":[{"message":"\\u0063${key.slice(1)} is unknown"}]}`),
    ],
  ];

  it.each(echoes)("do not get the key into output or files: %s", async (_, answer) => {
    const echo = await testServer(answer(KEY));
    const { project } = await fleet({}, withKey(`${echo.url}/xdc`));
    const { code, out, err } = await run(project.root, ["introspect"], { env: { KEY } });
    expect(code).toBe(2);
    expect(out + err).toContain("protocol-lockup-xdc: ");
    expect(out + err + JSON.stringify(project.files())).not.toContain(KEY);
  });

  it.each([
    ["in upper case", KEY.toUpperCase()],
    ["in base64 with a prefix", Buffer.from(`a:${KEY}`).toString("base64")],
    ["percent-encoded", [...KEY].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("")],
  ])("with the key %s are rejected as schemas and redacted as errors", async (_, echoed) => {
    const echo = await testServer((request, response) => {
      if (request.path.endsWith("schema"))
        response.end(schemaWith('"description":null', `"description":${JSON.stringify(`for ${echoed}`)}`));
      else response.end(JSON.stringify({ errors: [{ message: `who is ${echoed}?` }] }));
    });
    for (const path of ["schema", "error"]) {
      const { project } = await fleet({}, withKey(`${echo.url}/${path}`));
      const { code, out, err } = await run(project.root, ["introspect"], { env: { KEY } });
      expect(code).toBe(2);
      expect(out).toContain(
        path === "schema"
          ? "protocol-lockup-xdc: The answer contains the value of a variable that was sent, so it is rejected"
          : "who is <redacted>?",
      );
      const seen = (out + err + JSON.stringify(project.files())).replaceAll(/[^0-9a-z]/gi, "").toLowerCase();
      expect(seen).not.toContain(KEY);
      expect(seen).not.toContain(echoed.replaceAll(/[^0-9a-z]/gi, "").toLowerCase());
    }
  });

  it("with a key that begins with another key are redacted completely", async () => {
    const echo = await testServer((_, response) => response.end(`{"errors":[{"message":"no ${KEY}-tail"}]}`));
    const { project } = await fleet(
      {},
      {
        deployments: {
          "protocol-lockup-xdc": {
            production: { url: `${echo.url}/xdc`, headers: { a: { env: "KEY" }, b: { env: "LONG" } } },
          },
        },
      },
    );
    const { out } = await run(project.root, ["introspect"], { env: { KEY, LONG: `${KEY}-tail` } });
    expect(out).toContain("no data: no <redacted>");
    expect(out).not.toContain("tail");
  });

  const withTeam = (team: unknown) => async () => {
    const server = await testServer((request, response) =>
      healthy(SMALL_ENTITIES.replace("type Stream", '"A vesting stream." type Stream'))(
        { ...request, path: "x-mainnet" },
        response,
      ),
    );
    return fleet(
      {},
      {
        deployments: {
          "protocol-lockup-mainnet": { testing: { url: server.url, headers: { "x-team": team } } },
        },
      },
    );
  };

  it("are accepted if they contain a literal header value", async () => {
    const { project } = await withTeam("vesting")();
    expect(await run(project.root, ["introspect"])).toMatchObject({ code: 0 });
  });

  it("error: are rejected if a variable's value is a common word, with a hint to use a literal", async () => {
    const { project } = await withTeam({ env: "TEAM" })();
    const { code, out } = await run(project.root, ["introspect"], { env: { TEAM: "vesting" } });
    expect(code).toBe(2);
    expect(out).toMatch(
      /mainnet: The answer contains the value of a variable that was sent.* if it is not a secret, write the header as a literal in the configuration\./,
    );
    expect(out).toContain("Introspected 2 of 3 deployments.");
  });

  it("with a key of another endpoint are redacted too", async () => {
    const quiet = await testServer(healthy());
    const { project } = await fleet(
      { base: plain(200, `{"errors":[{"message":"${KEY}"}]}`) },
      withKey(`${quiet.url}/xdc`),
    );
    const { out, err } = await run(project.root, ["introspect"], { env: { KEY } });
    expect(out + err).toContain("no data: <redacted>");
    expect(out + err).not.toContain(KEY);
  });
});

describe("introspect: keys", () => {
  const KEY = "canary0123456789canary";
  const config = (url: string) => ({
    deployments: { "protocol-lockup-xdc": { production: { url, apiKey: { env: "SUBGRAPH_API_KEY" } } } },
  });

  it("error: a missing key fails before the first request, naming the variable", async () => {
    const { project, server } = await fleet({}, config("https://gateway.example/xdc"));
    const { code, err } = await run(project.root, ["introspect"]);
    expect(code).toBe(2);
    expect(err).toMatch(/The environment variable SUBGRAPH_API_KEY is not set[\s\S]*protocol-lockup-xdc/);
    expect(server.received).toEqual([]);
  });

  it("sends a key only to its host, and does not show it even if the server returns it", async () => {
    const echo = await testServer((request, response) =>
      response.end(
        JSON.stringify({ errors: [{ message: `auth error: ${request.headers.authorization} unknown` }] }),
      ),
    );
    const { project, server } = await fleet({}, config(`${echo.url}/xdc`));
    const { code, out, err } = await run(project.root, ["introspect"], { env: { SUBGRAPH_API_KEY: KEY } });
    expect(code).toBe(2);
    expect(echo.received.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${KEY}`]);
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual(Array(6).fill(undefined));
    expect(out + err).toContain("auth error: Bearer <redacted> unknown");
    expect(out + err + JSON.stringify(project.files())).not.toContain(KEY);
  });
});
