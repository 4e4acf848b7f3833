import { describe, expect, it } from "vitest";
import type { Fault } from "../../../emulator/faults/fault.ts";
import {
  checkCollation,
  checkEndpoints,
  checkLifecycle,
  checkProxy,
  checkQuota,
} from "../../../src/tasks/doctor/endpoints.ts";
import { PROTOCOL_DEPLOYMENTS } from "../../support/chain-counts.ts";
import { liveFleet, lockup } from "../../support/live-fleet.ts";
import { copyFromRepository } from "../../support/repository.ts";
import { type TempProject, tempProject } from "../../support/temp-project.ts";
import { testServer } from "../../support/test-server.ts";
import { KEY, keyed, lines, linesWithFix, matching, projectContextOf } from "./context-of.ts";

function withSnapshots(project: TempProject): TempProject {
  copyFromRepository(project.root, "generated/schemas");
  return project;
}

/** A project of lockup with URLs for testing, by the end of the deployment's name; other facts may be in their place. */
function servedAt(deployments: Readonly<Record<string, string | object>>, more: object = {}): TempProject {
  const configured = Object.entries(deployments).map(([suffix, facts]) => [
    `protocol-lockup-${suffix}`,
    typeof facts === "string" ? { testing: { url: facts } } : facts,
  ]);
  return keyed({}, { protocols: ["lockup"], deployments: Object.fromEntries(configured), ...more });
}

const BARE = '{ "protocols": ["flow"] }';

describe("checkEndpoints", () => {
  it("requests every endpoint once, and groups equal failures", async () => {
    const faults: Fault[] = [
      { ...lockup("linea"), kind: "502" },
      { ...lockup("base"), kind: "502" },
      { ...lockup("gnosis"), kind: "429", retryAfter: 90 },
      { ...lockup("scroll"), kind: "indexing-error" },
    ];
    const project = await liveFleet(faults, undefined, { protocols: ["lockup", "flow"] });
    const context = await projectContextOf(project, { env: { KEY: "emulator" }, timeout: 60_000 });
    const total = 2 * PROTOCOL_DEPLOYMENTS;
    const progress: string[] = [];
    const startProgress = (total: number) => ({
      advance: (name: string) => void progress.push(name),
      finish: () => void progress.push(`all ${total}`),
    });
    expect(lines(await checkEndpoints({ ...context, startProgress }))).toEqual([
      "problem protocol-lockup-base, protocol-lockup-linea: The endpoint answered HTTP 502.",
      "problem protocol-lockup-gnosis: The endpoint's quota is used up (HTTP 429); it asks to wait 90 s.",
      "warning protocol-lockup-scroll: indexing has failed, so the data is old.",
      `ok ${total - 3} of ${total} endpoints answer.`,
    ]);
    expect(progress).toHaveLength(total + 1);
    expect(progress.at(-1)).toBe(`all ${total}`);
    expect(lines(checkQuota(context))).toEqual([
      expect.stringMatching(/^ok \d+ endpoints allow 3000 queries a day each, shared by all/),
    ]);
  });

  it("accepts that dormant deployments fail, and does not request retired ones", async () => {
    const server = await testServer((_, response) => {
      response.writeHead(502).end();
    });
    const base = { status: "dormant", since: "2026-03", reason: "no queries" };
    const linea = { status: "retired", replacedBy: "protocol-lockup-base" };
    const at = (suffix: string) => ({ testing: { url: `${server.url}/${suffix}` } });
    const chains = { tangle: { status: "retired" }, form: { status: "retired", since: "2025-07" } };
    const project = servedAt(
      { base: { ...base, ...at("base") }, linea: { ...linea, ...at("linea") } },
      { chains },
    );
    const context = await projectContextOf(project);
    expect(lines(checkLifecycle(context))).toEqual([
      "ok protocol-lockup-base: It has been dormant since 2026-03: no queries.",
      "ok protocol-lockup-form: It was retired in 2025-07.",
      "ok protocol-lockup-linea: It is retired; use protocol-lockup-base.",
    ]);
    expect(lines(await checkEndpoints(context))).toEqual([
      "ok Dormant deployments without an answer: protocol-lockup-base.",
      `ok ${PROTOCOL_DEPLOYMENTS - 3} deployments have no URL and are never used.`,
    ]);
    expect(server.received.map(({ path }) => path)).toEqual(["/base"]);
  });

  it("reports the proxy of each host, without its login", async () => {
    const project = servedAt({
      base: "https://a.example/base",
      gnosis: "https://a.example/gnosis",
      linea: "https://b.example/linea",
      scroll: "http://localhost:8000/scroll",
    });
    const proxiesWith = async (env: Record<string, string>) =>
      lines(checkProxy(await projectContextOf(project, { env })));
    const https_proxy = `http://user:${KEY}@p.example:3128`;
    expect(await proxiesWith({ https_proxy })).toEqual([
      "ok Requests to a.example, b.example go through the proxy http://p.example:3128 (https_proxy).",
      "ok Requests to localhost:8000 go through no proxy.",
    ]);
    expect(await proxiesWith({ HTTPS_PROXY: https_proxy, no_proxy: "b.example" })).toEqual([
      "ok Requests to a.example go through the proxy http://p.example:3128 (HTTPS_PROXY).",
      "ok Requests to b.example, localhost:8000 go through no proxy.",
    ]);
    expect(await proxiesWith({ https_proxy, no_proxy: "*" })).toEqual([]);
    expect(await proxiesWith({ http_proxy: https_proxy })).toEqual([]);
    await expect(proxiesWith({ https_proxy: "socks5://p" })).rejects.toThrow("https_proxy is not the URL");
  });

  it("says that an endpoint is gone or has moved", async () => {
    const server = await testServer(({ path }, response) => {
      const [status, location] = path.endsWith("base") ? [410, ""] : [301, "https://new.example/gnosis"];
      response.writeHead(status, { location }).end();
    });
    const project = servedAt({ base: `${server.url}/base`, gnosis: `${server.url}/gnosis` });
    const results = await checkEndpoints(await projectContextOf(project));
    expect(linesWithFix(results.filter(({ status }) => status === "problem"))).toEqual(
      matching(
        'problem protocol-lockup-base: The endpoint answered HTTP 410. → the deployment is permanently gone: set its status to "retired" in the configuration.',
        /^problem protocol-lockup-gnosis: The endpoint has moved permanently \(HTTP 301\) to https:\/\/new\.example\/gnosis\. → .*configure the new URL/,
      ),
    );
  });

  it("sends one request per endpoint, and none offline", async () => {
    const server = await testServer((_, response) => {
      response.end('{"data":{"_meta":{"hasIndexingErrors":true}}}');
    });
    const context = await projectContextOf(servedAt({ base: `${server.url}/a`, gnosis: `${server.url}/b` }));
    expect(await checkEndpoints({ ...context, isOffline: true })).toMatchObject([{ status: "skipped" }]);
    expect(server.received).toEqual([]);
    expect(lines(await checkEndpoints(context))[0]).toMatch(/^warning .*indexing has failed/);
    expect(server.received.map(({ path }) => path).sort()).toEqual(["/a", "/b"]);
  });

  it("hides a key that a server sends back", async () => {
    const { url, received } = await testServer(({ headers }, response) => {
      response.end(JSON.stringify({ errors: [{ message: `bad ${headers.authorization}` }] }));
    });
    const project = servedAt({ base: { production: { url, apiKey: { env: "GRAPH_KEY" } } } });
    const found = await checkEndpoints(await projectContextOf(project, { env: { GRAPH_KEY: KEY } }));
    expect(received[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(found[0]?.sentence).toMatch(/bad Bearer <redacted>\.$/);
    expect(JSON.stringify(found)).not.toContain(KEY);
  });

  it("does not request an endpoint whose key is missing", async () => {
    const found = await checkEndpoints(await projectContextOf(keyed(), { environment: "production" }));
    expect(found.map(({ status }) => status)).toEqual(["skipped", "ok"]);
  });

  it.each<[name: string, env: Record<string, string>, want: string]>([
    ["on a terminal", {}, "ok No host is configured, so commands use the emulator on this machine."],
    [
      "in CI",
      { CI: "true" },
      "warning No host is configured. In CI, `lockflow drift` does not use the emulator and exits with 2.",
    ],
  ])("without a host, %s", async (_, env, want) => {
    const project = tempProject({ "lockflow.config.json": BARE });
    expect(lines(await checkEndpoints(await projectContextOf(project, { env })))).toEqual([want]);
  });

  it("finds a protocol that neither a host nor the emulator serves", async () => {
    const protocols = { lockup: true, auctions: { styles: ["subgraph"], chains: ["base"] } };
    const project = tempProject({ "lockflow.config.json": JSON.stringify({ protocols }) });
    expect(linesWithFix(await checkEndpoints(await projectContextOf(project)))).toEqual([
      "problem No host is configured, and the emulator cannot serve every protocol. → set protocols.auctions.entities to the path of the entity schema, or configure a host",
    ]);
  });
});

describe("checkCollation", () => {
  it.each([
    ["by bytes", ["AAVE", "USDC", "aUSDC"], ["xDAI", "wETH"], "ok", / orders text by bytes, as the emulator/],
    [
      "by a language's rules",
      ["1INCH", "aUSDC", "DAI"],
      ["ZRX", "xDAI"],
      "ok",
      / by the rules of a language/,
    ],
    ["by rules that its rows do not show", ["AAVE", "DAI"], ["ZRX"], "skipped", /its rows do not show/],
    ["inconsistently", ["aUSDC", "DAI", "aUSDC", "xDAI", "DAI"], [], "skipped", /its rows do not show/],
  ] as const)("an endpoint that orders text %s", async (_name, least, greatest, status, sentence) => {
    const server = await testServer(({ body }, response) => {
      const rows = (texts: readonly string[]) => texts.map((text) => ({ text }));
      const data = { t0_asc_nulls_last: rows([...least, "_", "é"]), t0_desc_nulls_last: rows(greatest) };
      expect(body).toContain("order_by: [{symbol: asc_nulls_last}]");
      response.end(JSON.stringify({ data }));
    });
    const project = withSnapshots(servedAt({ multichain: { production: { url: server.url } } }));
    const context = await projectContextOf(project);
    expect(await checkCollation({ ...context, isOffline: true })).toMatchObject([{ status: "skipped" }]);
    expect(server.received).toEqual([]);
    expect(await checkCollation(context)).toMatchObject([
      { status, sentence: expect.stringMatching(sentence) },
    ]);
    expect(server.received).toHaveLength(1);
  });

  it("skips an endpoint without a snapshot, and one that fails", async () => {
    const { url } = await testServer(
      (_, response) => void response.end('{"errors":[{"message":"not now"}]}'),
    );
    const project = servedAt({ multichain: { production: { url, apiKey: { env: "GRAPH_KEY" } } } });
    const check = async () =>
      lines(await checkCollation(await projectContextOf(project, { env: { GRAPH_KEY: KEY } })));
    expect(await check()).toEqual(matching(/^skipped .*without a snapshot/));
    withSnapshots(project);
    expect(await check()).toEqual(matching(/^skipped .*not now/));
  });

  it("skips a project without a host", async () => {
    const project = tempProject({ "lockflow.config.json": BARE });
    expect(await checkCollation(await projectContextOf(project))).toMatchObject([
      { status: "skipped", sentence: expect.stringMatching(/^No host is configured/) },
    ]);
  });
});

it("checkQuota reports no limit for endpoints without one", async () => {
  const project = servedAt({ multichain: { production: { url: "https://m.example/graphql" } } });
  const context = await projectContextOf(project);
  expect(lines(checkQuota(context))).toEqual(["ok No query limit of these endpoints is known."]);
});
