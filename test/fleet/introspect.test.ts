import { describe, expect, it } from "vitest";
import { introspectionAnswer, SMALL_ENTITIES, subgraphProbeAnswer } from "../support/indexer-answers.ts";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";
import { closedUrl, testServer } from "../support/test-server.ts";
import { type Answer, SUFFIXES, serving, smallFleet } from "./small-fleet.ts";

const SUBGRAPH = "generated/schemas/lockup/subgraph.graphql";
const RECORD = "generated/schemas/deployments.json";

const schemaWith = (from: string | RegExp, to: string) =>
  introspectionAnswer("subgraph").replaceAll(from, to);
const entitiesWith = (from: string, to: string) =>
  introspectionAnswer("subgraph", SMALL_ENTITIES.replace(from, to));

const plain =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(status, headers).end(body);
const refusing = (message: string) => plain(200, JSON.stringify({ errors: [{ message }] }));

/** Answers with the schema of a healthy subgraph of Base, and with errors. */
function withErrors(errors: readonly object[]): Answer {
  return ({ body }, response) => {
    const answer = body.includes("_meta") ? subgraphProbeAnswer(8453) : introspectionAnswer("subgraph");
    response.end(JSON.stringify({ ...JSON.parse(answer), errors }));
  };
}

const DORMANT = { status: "dormant", since: "2026-03-31" };

/** Introspects a small fleet whose answers may change between runs. */
async function introspected(answers: Record<string, Answer> = {}, config?: Record<string, unknown>) {
  const fleet = await smallFleet(answers, config);
  const again = (...args: readonly string[]) => run(fleet.project.root, ["introspect", ...args]);
  return { ...fleet, again, ...(await again()) };
}

const MANY_ERRORS = Array.from({ length: 20_000 }, (_, index) => ({ message: `error ${index}` }));

describe("introspect", () => {
  it("sends at most two requests per deployment and writes the snapshot and the fleet record", async () => {
    const { project, server, code, out } = await introspected();
    expect(code).toBe(0);
    expect(server.received).toHaveLength(6);
    expect(out).toContain("Introspected 3 of 3 deployments.");
    const files = project.files("generated");
    expect(Object.keys(files).sort()).toEqual([RECORD, SUBGRAPH]);
    expect(files[RECORD]?.match(/(?<="name":"protocol-lockup-)\w+/g)).toEqual(["base", "gnosis", "mainnet"]);
    expect(JSON.stringify(files)).not.toContain("127.0.0.1");
  });

  it("writes the same bytes again, whatever the concurrency, also over an edited snapshot", async () => {
    const { project, again } = await introspected();
    const first = project.files("generated");
    expect((await again("--concurrency", "1")).out).toContain("unchanged");
    expect(project.files("generated")).toEqual(first);
    project.write(SUBGRAPH, project.read(SUBGRAPH).replace("type Watcher {", "type Watcher {\n  more: Int"));
    await again();
    expect(project.files("generated")).toEqual(first);
  });

  it("does not fail for a dormant deployment, and keeps its last schema", async () => {
    const answers: Record<string, Answer> = {};
    const { project, server, again } = await introspected(answers);
    const before = project.files("generated");
    const config = JSON.parse(project.read("lockflow.config.json"));
    const makeDormant = (...suffixes: readonly string[]) => {
      for (const suffix of suffixes) {
        Object.assign(config.deployments[`protocol-lockup-${suffix}`], DORMANT);
        answers[suffix] = plain(404, "");
      }
      project.write("lockflow.config.json", JSON.stringify(config));
    };
    makeDormant("base");
    const { code, out } = await again();
    expect(code).toBe(0);
    expect(out).toContain("Introspected 2 of 3 deployments.");
    expect(out).toMatch(
      /1 dormant and returned no schema, so their snapshots are unchanged:\n {2}protocol-lockup-base: The endpoint answered HTTP 404.*It has been dormant since 2026-03-31\.$/m,
    );
    expect(server.received.some(({ path }) => path === "/protocol-lockup-base")).toBe(true);
    expect(project.files("generated")).toEqual(before);
    // The run fails if every deployment is dormant.
    makeDormant("gnosis", "mainnet");
    expect((await again()).code).toBe(2);
  });

  it("keeps a variant file for a chain with another schema, and removes it when no chain serves it", async () => {
    const answers: Record<string, Answer> = { base: serving(entitiesWith("depositAmount: BigInt!", "")) };
    const { project, again } = await introspected(answers);
    const paths = [...project.read(RECORD).matchAll(/(?<="snapshot":").*?(?=")/g)];
    const [variant = "", ...others] = paths.map(([path]) => `generated/${path}`);
    expect(others).toEqual([SUBGRAPH, SUBGRAPH]);
    expect(variant).toMatch(/lockup\/subgraph\.[0-9a-f]{8}\.graphql$/);
    expect(project.read(SUBGRAPH)).toContain("depositAmount");
    expect(project.read(variant)).not.toContain("depositAmount");

    delete answers["base"];
    expect((await again()).out).toContain("removed: no chain serves this variant any more");
    expect(project.files("generated")).not.toHaveProperty(variant);
  });

  it("error: names deployments of another chain or protocol, whose schemas may be incomplete", async () => {
    const answers: Record<string, Answer> = {};
    const { project, again } = await introspected(answers);
    const before = project.files("generated");
    const flow = "type Payment @entity { id: ID! ratePerSecond: BigInt! }";
    answers["base"] = serving(introspectionAnswer("subgraph", flow));
    answers["gnosis"] = serving(undefined, 1);
    const { code, out } = await again();
    expect(code).toBe(1);
    // Wrong identities are listed before written files and notes.
    expect(out.split("\n").slice(1, 5)).toEqual([
      "Introspected 1 of 3 deployments.",
      "",
      "2 not what the manifest says, so their snapshots are unchanged:",
      "  protocol-lockup-base: It serves flow instead of lockup. Correct its URL: its rows are another protocol's.",
    ]);
    expect(out).toContain(
      "protocol-lockup-gnosis: It serves ethereum (chain id 1) instead of gnosis (chain id 100)",
    );
    expect(project.files("generated")).toEqual(before);
    answers["gnosis"] = plain(500, "");
    expect(await again()).toMatchObject({ code: 2 });
  });

  it("error: names both deployments if the multichain ids are swapped, and writes nothing", async () => {
    const flow = introspectionAnswer("multichain", SMALL_ENTITIES.replace("depositAmount", "ratePerSecond"));
    const server = await testServer(({ path }, response) =>
      response.end(path.includes("lockup") ? flow : introspectionAnswer("multichain")),
    );
    const multichain = { url: `${server.url}/{id}`, ids: { lockup: "lockup", flow: "flow" } };
    const project = tempProject({ "lockflow.config.json": JSON.stringify({ multichain, timeout: 20_000 }) });
    const { code, out } = await run(project.root, ["introspect"]);
    expect(code).toBe(1);
    expect(out).toContain("protocol-flow-multichain: It serves lockup instead of flow.");
    expect(out).toContain("protocol-lockup-multichain: It serves flow instead of lockup.");
    expect(Object.keys(project.files())).toEqual(["lockflow.config.json"]);
  });

  it("prints notes for a deployment that does not report its chain, and for errors beside a schema", async () => {
    const { code, out } = await introspected({
      gnosis: serving(undefined, null),
      base: withErrors(MANY_ERRORS),
    });
    expect(code).toBe(0);
    expect(out).toContain("note: protocol-lockup-gnosis does not say which chain it serves");
    expect(out).toContain('protocol-lockup-base reports "error 0" with its schema');
    expect(out).toContain('reports "19997 more errors" with its schema');
  });

  it("does not write files if no deployment answers", async () => {
    const dead = plain(500, "");
    const { project, code } = await introspected({ mainnet: dead, base: dead, gnosis: dead });
    expect(code).toBe(2);
    expect(Object.keys(project.files())).toEqual(["lockflow.config.json"]);
  });
});

/** The line about a deployment, and the others about it. */
function linesOf(out: string, suffix: string): string[] {
  return out.split("\n").flatMap((line) => line.trim().split(`protocol-lockup-${suffix}: `).slice(1));
}

describe("introspect: failing endpoints", () => {
  const half = JSON.parse(introspectionAnswer("subgraph"));
  half.data.__schema.types = half.data.__schema.types.slice(0, 12);
  const field = { name: "a", args: [], type: { kind: "SCALAR", name: "Int" } };
  const query = { kind: "OBJECT", name: "Query", fields: [field], interfaces: [] };
  const tiny = { queryType: { name: "Query" }, types: [query], directives: [] };
  const evil = schemaWith('"defaultValue":"100"', '"defaultValue":") { evil"');

  const FAILURES: readonly (readonly [name: string, answer: Answer, want: RegExp])[] = [
    ["a status", plain(404, "no"), /^The endpoint answered HTTP 404.*the deployment may have moved/],
    [
      "a quota until a date",
      plain(429, "", { "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" }),
      /until 2026-10-21T07:28/,
    ],
    [
      "an invalid default",
      plain(200, evil),
      /default of Query\.\w+\(first:\) is "\) \{ evil", which is not a GraphQL value/,
    ],
    ["half a schema", plain(200, JSON.stringify(half)), /schema is incomplete: .* refers to type/],
    [
      "a small schema",
      plain(200, JSON.stringify({ data: { __schema: tiny } })),
      /^The schema has 1 types where the snapshot has \d+/,
    ],
    ["an invalid name", plain(200, schemaWith('"alias"', '"a b"')), /should be a GraphQL name, but is "a b"/],
    ["control characters", refusing("\u001b[2Jbad"), /no data: \[2Jbad/],
    [
      "20,000 errors",
      plain(200, JSON.stringify({ errors: MANY_ERRORS })),
      /: error 0\. \(and error 1; and error 2; and 19997 more errors\)/,
    ],
  ];

  it("error: each is one line, and its last schema is kept", async () => {
    const answers: Record<string, Answer> = Object.fromEntries(
      FAILURES.map((_, index) => [SUFFIXES[index + 1], serving()]),
    );
    const sepolia = { testing: { url: `${await closedUrl()}/x` } };
    const { project, again } = await introspected(answers, {
      deployments: { "protocol-lockup-sepolia": sepolia },
    });
    const before = project.files("generated");
    for (const [index, [, answer]] of FAILURES.entries()) answers[SUFFIXES[index + 1] ?? ""] = answer;
    const { code, out, err } = await again();
    expect(code).toBe(2);
    const found = FAILURES.map(([name], index) => [name, ...linesOf(out, SUFFIXES[index + 1] ?? "")]);
    expect(found).toEqual(FAILURES.map(([name, , want]) => [name, expect.stringMatching(want)]));
    expect(linesOf(out, "sepolia")).toEqual([
      expect.stringMatching(/the connection was refused.*URL: http:\/\/127/),
    ]);
    expect(out).toContain(`Introspected 1 of ${FAILURES.length + 2} deployments.`);
    expect(out).not.toContain("\u001b");
    expect(out.length + err.length).toBeLessThan(5000);
    expect(project.files("generated")).toEqual(before);
  });

  it("error: a missing key fails before the first request, naming the variable", async () => {
    const production = { url: "https://gateway.example/xdc", apiKey: { env: "SUBGRAPH_API_KEY" } };
    const { project, server } = await smallFleet(
      {},
      { deployments: { "protocol-lockup-xdc": { production } } },
    );
    const { code, err } = await run(project.root, ["introspect"]);
    expect(code).toBe(2);
    expect(err).toMatch(/The environment variable SUBGRAPH_API_KEY is not set[\s\S]*protocol-lockup-xdc/);
    expect(server.received).toEqual([]);
  });

  it("does not print workflow commands from an answer", async () => {
    const hostile = "::set-output name=a::b ##[add-mask]c\n::stop-commands::d ##vso[task.setvariable]e";
    const { project } = await smallFleet({ base: refusing(hostile) });
    const commands = [["introspect"], ["drift", "--report", "text"], ["explain", hostile]];
    for (const args of [...commands, ["check", "--config", hostile]]) {
      const { out, err } = await run(project.root, args);
      expect(out + err).not.toMatch(/::|##[a-z]*\[/);
      expect(out + err).toMatch(/: :(set-output|stop-commands)/);
    }
  });
});

describe("introspect: answers that contain a key", () => {
  const KEY = "canary0123456789canary";
  const described = (text: string) => plain(200, schemaWith('"description":null', `"description":"${text}"`));
  const forms = {
    upper: KEY.toUpperCase(),
    base64: Buffer.from(`a:${KEY}`).toString("base64"),
    percent: [...KEY].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join(""),
  };
  const REJECTED = /^The answer contains the value of a variable that was sent, so it is rejected/;
  const REDACTED = /no data: who is <redacted>\?/;

  const ECHOES: readonly (readonly [answer: Answer, want: RegExp])[] = [
    [plain(302, "", { location: `https://elsewhere.example/${KEY}` }), /<redacted>/],
    [plain(200, schemaWith('"name":"Watcher"', `"name":"Bearer ${KEY}"`)), REJECTED],
    [plain(200, schemaWith('"kind":"ENUM"', `"kind":"${KEY}"`)), REJECTED],
    [described(`\\u0063${KEY.slice(1)}`), REJECTED],
    [described(`for ${KEY}`), REJECTED],
    [plain(200, `{"errors":[{"message":"\\u0063${KEY.slice(1)} is unknown"}]}`), /<redacted> is unknown/],
    [
      (request, response) =>
        refusing(`auth error: ${request.headers.authorization} unknown`)(request, response),
      /Bearer <redacted> unknown/,
    ],
    ...Object.values(forms).flatMap((form) => [
      [described(`for ${form}`), REJECTED] as const,
      [refusing(`who is ${form}?`), REDACTED] as const,
    ]),
  ];

  it("error: are rejected or redacted, also at endpoints without that key, which goes to its host only", async () => {
    const deployments: Record<string, object> = {};
    const sent: (string | undefined)[] = [];
    for (const [index, [answer]] of ECHOES.entries()) {
      const { url } = await testServer((request, response) => {
        sent.push(request.headers.authorization);
        answer(request, response);
      });
      deployments[`protocol-lockup-${SUFFIXES[index + 3]}`] = { production: { url, apiKey: { env: "KEY" } } };
    }
    const { project, server } = await smallFleet({ base: refusing(`who is ${KEY}?`) }, { deployments });
    const { code, out, err } = await run(project.root, ["introspect"], { env: { KEY } });
    expect(code).toBe(2);
    expect(ECHOES.map((_, index) => linesOf(out, SUFFIXES[index + 3] ?? ""))).toEqual(
      ECHOES.map(([, want]) => [expect.stringMatching(want)]),
    );
    expect(linesOf(out, "base")).toEqual([expect.stringMatching(REDACTED)]);
    expect(new Set(sent)).toEqual(new Set([`Bearer ${KEY}`]));
    expect(server.received.filter(({ headers }) => headers.authorization)).toEqual([]);
    const seen = `${out}${err}${JSON.stringify(project.files())}`;
    const plainly = (text: string) => text.replaceAll(/[^0-9a-z]/gi, "").toLowerCase();
    for (const form of [KEY, ...Object.values(forms)]) expect(plainly(seen)).not.toContain(plainly(form));
  });

  it("with a key that begins with another key are redacted completely", async () => {
    const { url } = await testServer(refusing(`no ${KEY}-tail`));
    const production = { url, headers: { a: { env: "KEY" }, b: { env: "LONG" } } };
    const { project } = await smallFleet({}, { deployments: { "protocol-lockup-xdc": { production } } });
    const { out } = await run(project.root, ["introspect"], { env: { KEY, LONG: `${KEY}-tail` } });
    expect(out).toContain("no data: no <redacted>");
    expect(out).not.toContain("tail");
  });

  it.each<[name: string, team: unknown, code: number]>([
    ["are accepted if it is a literal header value", "vesting", 0],
    ["error: are rejected if it is a variable's value, with a hint to use a literal", { env: "TEAM" }, 2],
  ])("and a common word %s", async (_, team, code) => {
    const { url } = await testServer(
      serving(entitiesWith("type Stream", '"A vesting stream." type Stream'), 1),
    );
    const mainnet = { testing: { url, headers: { "x-team": team } } };
    const { project } = await smallFleet({}, { deployments: { "protocol-lockup-mainnet": mainnet } });
    const result = await run(project.root, ["introspect"], { env: { TEAM: "vesting" } });
    expect(result.code).toBe(code);
    const hint = / if it is not a secret, write the header as a literal in the configuration\./;
    expect(linesOf(result.out, "mainnet")).toEqual(code === 0 ? [] : [expect.stringMatching(hint)]);
  });
});
