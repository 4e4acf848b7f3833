import { describe, expect, it } from "vitest";
import type { Config } from "../../src/project/config.ts";
import { BUILT_IN_PROTOCOLS } from "../../src/project/protocols.ts";
import { catchError } from "../support/catch-error.ts";
import { CHAIN_COUNTS } from "../support/chain-counts.ts";
import { loadManifest, manifestText } from "../support/load-manifest.ts";

const LITERAL: Config = {
  brand: "acme",
  multichain: {
    url: "https://{host}/{id}/v1/graphql",
    host: "indexer.example:8443",
    ids: { lockup: "abc1234", flow: "def5678" },
    headers: { "x-Team": "vesting", "X-Token": { env: "INDEXER_TOKEN" } },
    playground: "https://play.example/?id={id}",
  },
  subgraph: {
    production: { url: "https://gateway.example/{deployment}", apiKey: { env: "SUBGRAPH_API_KEY" } },
    testing: { url: "https://testing.example/{suffix}/{deployment}/{chainId}", dailyQueries: 10 },
    explorer: "https://explorer.example/{deployment}",
  },
  deployments: {
    "acme-lockup-form": { production: { url: "https://form.example/lockup", apiKey: false } },
    "acme-flow-iotex": { status: "retired" },
    "acme-flow-base": { testing: false, playground: "https://base.example/" },
  },
  chains: { tangle: { status: "retired" }, scroll: { status: "retired" } },
};

const SEED = {
  LOCKFLOW_BRAND: "acme",
  LOCKFLOW_MULTICHAIN_URL: "https://indexer.example/{id}/v1/graphql",
  LOCKFLOW_LOCKUP_ID: "abc1234",
  LOCKFLOW_FLOW_ID: "def5678",
  LOCKFLOW_SUBGRAPH_PRODUCTION_URL: "https://gateway.example/{deployment}",
  LOCKFLOW_SUBGRAPH_TESTING_URL: "https://testing.example/{deployment}/latest",
};

const literal = await loadManifest(LITERAL);
const open = await loadManifest({});

describe("endpoint, with a literal configuration", () => {
  it("returns every member of a multichain endpoint", () => {
    expect(literal.endpoint({ protocol: "lockup", style: "multichain", chain: "polygon" })).toEqual({
      url: "https://indexer.example:8443/abc1234/v1/graphql",
      method: "POST",
      headers: { "content-type": "application/json", "x-team": "vesting" },
      secretHeaders: { "x-token": "INDEXER_TOKEN" },
      auth: null,
      limits: { dailyQueries: null },
      playground: "https://play.example/?id=abc1234",
      explorer: null,
      deployment: "acme-lockup-multichain",
      chains: literal.deployments["acme-lockup-multichain"]?.chains,
    });
    expect(literal.endpoint({ protocol: "lockup", style: "multichain" }).chains).toHaveLength(
      CHAIN_COUNTS.multichain - 2,
    );
  });

  it("returns the row cap if it is configured", async () => {
    const manifest = await loadManifest({
      multichain: { url: "https://indexer.example/{id}", ids: { lockup: "a", flow: "b" }, maxRows: 1000 },
      deployments: {
        "protocol-flow-multichain": { production: { url: "https://own.example/", maxRows: 50 } },
      },
    });
    const limitsOf = (protocol: string) => manifest.endpoint({ protocol, style: "multichain" }).limits;
    expect(limitsOf("lockup")).toEqual({ dailyQueries: null, maxRows: 1000 });
    expect(limitsOf("flow")).toEqual({ dailyQueries: null, maxRows: 50 });
  });

  it("multichainChainIds has the ids of all chains of a multichain endpoint, as text", async () => {
    const { chains: keys } = literal.endpoint({ protocol: "lockup", style: "multichain" });
    const ids = keys.map((key) => String(literal.chains[key]?.chainId));
    expect(literal.multichainChainIds).toEqual({ lockup: ids, flow: ids });
    expect(ids).toContain("10");
    const retired = await loadManifest({
      deployments: { "protocol-flow-multichain": { status: "retired" } },
    });
    expect(retired.multichainChainIds["flow"]).toEqual([]);
    expect(Object.keys((await loadManifest({ only: { styles: ["subgraph"] } })).multichainChainIds)).toEqual(
      [],
    );
  });

  it("returns every member of a subgraph endpoint", () => {
    expect(literal.endpoint({ protocol: "flow", style: "subgraph", chain: "ethereum" })).toEqual({
      url: "https://gateway.example/acme-flow-mainnet",
      method: "POST",
      headers: { "content-type": "application/json" },
      secretHeaders: {},
      auth: { header: "Authorization", scheme: "Bearer", env: "SUBGRAPH_API_KEY", host: "gateway.example" },
      limits: { dailyQueries: null },
      playground: null,
      explorer: "https://explorer.example/acme-flow-mainnet",
      deployment: "acme-flow-mainnet",
      chains: ["ethereum"],
    });
    expect(
      literal.flowEndpoint({ style: "subgraph", chain: "ethereum", environment: "testing" }),
    ).toMatchObject({
      url: "https://testing.example/mainnet/acme-flow-mainnet/1",
      auth: null,
      limits: { dailyQueries: 10 },
    });
  });

  it.each<[protocol: string, chain: string, want: object]>([
    ["lockup", "form", { url: "https://form.example/lockup", auth: null, explorer: null }],
    ["flow", "form", { url: "https://gateway.example/acme-flow-form", explorer: null }],
    [
      "flow",
      "base",
      { playground: "https://base.example/", explorer: "https://explorer.example/acme-flow-base" },
    ],
  ])("applies the settings of a deployment only to that deployment: %s %s", (protocol, chain, want) => {
    expect(literal.endpoint({ protocol, style: "subgraph", chain })).toMatchObject(want);
  });

  it("ignores variables if the URLs are literal", () => {
    for (const env of [SEED, { LOCKFLOW_BRAND: "evil" }]) {
      const { url } = literal.lockupEndpoint({ style: "subgraph", chain: "base" }, env);
      expect(url).toBe("https://gateway.example/acme-lockup-base");
    }
  });
});

describe("endpoint, with variables", () => {
  it("reads values that are not configured from variables on each call", () => {
    expect(open.endpoint({ protocol: "flow", style: "multichain" }, SEED)).toMatchObject({
      url: "https://indexer.example/def5678/v1/graphql",
      deployment: "protocol-flow-multichain",
    });
    expect(open.lockupEndpoint({ style: "subgraph", chain: "xdc" }, SEED)).toMatchObject({
      url: "https://gateway.example/acme-lockup-xdc",
      deployment: "protocol-lockup-xdc",
      auth: { env: "LOCKFLOW_SUBGRAPH_API_KEY", host: "gateway.example" },
    });
    expect(
      open.lockupEndpoint(
        { style: "subgraph", chain: "base", environment: "testing" },
        { LOCKFLOW_SUBGRAPH_TESTING_URL: " http://127.0.0.1:4350/{deployment} " },
      ),
    ).toMatchObject({ url: "http://127.0.0.1:4350/protocol-lockup-base", limits: { dailyQueries: 3000 } });
  });

  it("reads the configured variables, by default from process.env", async () => {
    const manifest = await loadManifest({
      brand: { env: "A_BRAND" },
      multichain: { url: "https://{host}/{id}", host: { env: "A_HOST" }, ids: { lockup: { env: "AN_ID" } } },
      subgraph: {
        production: { url: { env: "A_URL" }, apiKey: { env: "A_KEY" } },
        explorer: { env: "A_LINK" },
      },
      deployments: { "protocol-flow-form": { production: { url: { env: "FORM_URL" } } } },
    });
    const env = {
      A_BRAND: "acme",
      A_HOST: "[::1]:80",
      AN_ID: "a/../b?c",
      A_URL: "https://gateway.example/{deployment}",
      FORM_URL: "https://form.example/",
    };
    expect(manifest.lockupEndpoint({ style: "multichain" }, env).url).toBe("https://[::1]:80/a%2F..%2Fb%3Fc");
    const subgraph = { style: "subgraph", chain: "linea" };
    expect(manifest.lockupEndpoint(subgraph, env)).toMatchObject({
      url: "https://gateway.example/acme-lockup-linea",
      auth: { env: "A_KEY", host: "gateway.example" },
      explorer: null,
    });
    expect(
      manifest.lockupEndpoint(subgraph, { ...env, A_LINK: "https://see.example/{deployment}" }).explorer,
    ).toBe("https://see.example/acme-lockup-linea");
    // A key applies to the host it was configured for; the URL of another variable may have any host.
    expect(manifest.flowEndpoint({ style: "subgraph", chain: "form" }, env)).toMatchObject({
      url: "https://form.example/",
      auth: null,
    });
    process.env["A_URL"] = "https://own.example/{deployment}";
    process.env["A_BRAND"] = "own";
    try {
      expect(manifest.flowEndpoint(subgraph).url).toBe("https://own.example/own-flow-linea");
    } finally {
      delete process.env["A_URL"];
      delete process.env["A_BRAND"];
    }
  });

  it("applies headers and keys also to a protocol whose id is in a variable", async () => {
    const apiKey = { env: "A_KEY" };
    const headers = { "x-team": "a", "x-token": { env: "B" } };
    const manifest = await loadManifest({
      multichain: { url: "https://indexer.example/{id}", ids: { lockup: "a" }, apiKey, headers },
    });
    const env = { LOCKFLOW_FLOW_ID: "b" };
    const { headers: own, secretHeaders, auth } = manifest.lockupEndpoint({ style: "multichain" }, env);
    const flow = manifest.flowEndpoint({ style: "multichain" }, env);
    expect(flow).toMatchObject({ url: "https://indexer.example/b", headers: own, secretHeaders, auth });
    expect(flow.auth).toMatchObject({ env: "A_KEY", host: "indexer.example" });
    expect(flow.secretHeaders).toEqual({ "x-token": "B" });
  });

  it("never reads the value of a key", () => {
    const env = new Proxy(SEED as Record<string, unknown>, {
      get: (target, name) => {
        if (name === "LOCKFLOW_SUBGRAPH_API_KEY") throw new Error("the key was read");
        return target[String(name)];
      },
    });
    expect(open.lockupEndpoint({ style: "subgraph", chain: "base" }, env).auth?.host).toBe("gateway.example");
  });

  const KEY = "0123456789abcdef0123456789abcdef";
  const variable = "LOCKFLOW_SUBGRAPH_PRODUCTION_URL";
  const testing = { LOCKFLOW_SUBGRAPH_TESTING_URL: "https://a.example/{deployment}" };

  it.each<[name: string, value: unknown, want: string, others?: object]>([
    ["no value", undefined, `Set ${variable}, pass it to endpoint(), or run "lockflow emulate".`],
    ["blanks", "  ", `Set ${variable}`],
    ["none, but the testing URL", undefined, `Set ${variable}, or use environment: "testing"`, testing],
    ["a value that is not text", true, `Set ${variable}`],
    ["not a URL", "{deployment}", `${variable} is not a URL.`],
    ["a URL without {deployment}", "https://gateway.example/", `${variable} must contain {deployment}`],
    ["another scheme", "javascript://x/{deployment}", "must use https"],
    ["http on another host", "http://gateway.example/{deployment}", "must use https"],
    ["a host that begins with localhost", "http://localhost.example/{deployment}", "must use https"],
    ["localhost as the user", "http://localhost@gateway.example/{deployment}", "holds credentials"],
    ["credentials", "https://me:hunter2@gateway.example/{deployment}", `${variable} holds credentials.`],
    ["a key in the path", `https://gateway.example/api/${KEY}/{deployment}`, `${variable} holds a key.`],
    ["a key in the query", "https://gateway.example/{deployment}?apiKey=hunter2", "holds a key"],
    ["a key alone", KEY, "must contain"],
    [
      "a placeholder without a value",
      "https://gateway.example/{deployment}/{constructor}",
      `{constructor} in ${variable} has no value.`,
    ],
  ])("error: %s in a variable, without showing the value", (_, value, want, others) => {
    const env = { [variable]: value, ...others };
    const error = catchError(() => open.lockupEndpoint({ style: "subgraph", chain: "base" }, env));
    expect(error.message).toContain(want);
    expect(error.message).not.toMatch(new RegExp(`hunter2|${KEY}`));
  });

  it.each([
    ["..", "The value of {id} in LOCKFLOW_MULTICHAIN_URL is not valid in a URL"],
    ["", "Set LOCKFLOW_LOCKUP_ID"],
    [KEY, "holds a key"],
  ])("error: the id %j", (id, want) => {
    const env = { ...SEED, LOCKFLOW_LOCKUP_ID: id };
    expect(() => open.lockupEndpoint({ style: "multichain" }, env)).toThrow(want);
  });

  it("error: a host that is more than a host", async () => {
    const { lockupEndpoint } = await loadManifest({
      multichain: { url: "https://{host}/{id}", host: { env: "HOST" }, ids: { lockup: "a" } },
    });
    for (const HOST of ["a.example/b", "me@a.example", "a.example?b", "a example", "a.example\\b"]) {
      expect(() => lockupEndpoint({ style: "multichain" }, { HOST }), HOST).toThrow("is not valid in a URL");
    }
  });
});

const request = (protocol: string, style: unknown, chain?: unknown, environment?: string) => ({
  protocol,
  style,
  ...(chain === undefined ? {} : { chain }),
  ...(environment === undefined ? {} : { environment }),
});

describe("endpoint, with an invalid request", () => {
  const base = request("lockup", "subgraph", "base");
  const to = (chain: unknown, environment?: string) => request("lockup", "subgraph", chain, environment);
  const flow = (chain: unknown, environment?: string) => request("flow", "subgraph", chain, environment);

  it.each<[name: string, request: unknown, want: RegExp]>([
    ["undefined", undefined, /^undefined is not a protocol\. Try lockup, flow\.$/],
    ["null", null, /^undefined is not a protocol/],
    ["text", "lockup", /is not an option\. Try protocol, style, chain, environment/],
    ["a protocol", request("Lockups", "subgraph"), /^"Lockups" is not a protocol\. Try lockup\.$/],
    ["__proto__", request("__proto__", "x"), /^"__proto__" is not a protocol\. Try lockup, flow/],
    ["a style", request("flow", "graph"), /^"graph" is not a style\. Try subgraph\.$/],
    ["a style by number", request("flow", 1), /^"1" is not a style\. Try subgraph, multichain\.$/],
    ["a chain", to("optimsm"), /^"optimsm" is not a chain of lockup in subgraph style\. Try optimism/],
    ["a chain id", to(2), /^"2" is not a chain of lockup .* Try .*\babstract, /],
    ["NaN as a chain id", to(Number.NaN), /^"NaN" is not a chain of lockup/],
    ["a chain id as text", to("137"), /^"137" is not a chain of lockup/],
    ["a chain id as a bigint", to(137n), /^"137" is not a chain of lockup/],
    ["a chain id in a list", to([137]), /^object is not a chain of lockup/],
    ["a chain id of the other style", to(2818), /^"2818" is not a chain of lockup in subgraph style/],
    ["a chain of the other style", to("morph"), /^"morph" is not a chain of lockup in subgraph style/],
    ["the chain name constructor", to("constructor"), /^"constructor" is not a chain of lockup/],
    ["a retired chain's id", request("flow", "multichain", 5845), /^"5845" .* any more \(retired\)/],
    [
      "a retired chain",
      request("flow", "multichain", "tangle"),
      /^"tangle" is not a chain of flow in multichain style any more \(retired\)/,
    ],
    ["a retired chain's subgraph", to("scroll"), /any more \(retired\)/],
    ["a retired deployment", flow("iotex"), /^"iotex" is not a chain of flow .*any more/],
    ["no chain", to(undefined), /^undefined is not a chain of lockup in subgraph style\. Try .*\babstract, /],
    [
      "an environment",
      to("base", "prod"),
      /^"prod" is not an environment of acme-lockup-base\. Try production\.$/,
    ],
    [
      "an environment of other deployments",
      to("form", "testing"),
      /^"testing" is not an environment of acme-lockup-form\. Try production\.$/,
    ],
    ["an environment that is disabled", flow("base", "testing"), /acme-flow-base\. Try production/],
    [
      "a multichain testing endpoint",
      request("flow", "multichain", undefined, "testing"),
      /acme-flow-multichain/,
    ],
    ["an option", { ...base, enviroment: "testing" }, /^"enviroment" is not an option\. Try environment\.$/],
    ["a long name", to("x\n".repeat(10_000)), /^"(x\\n){25}" is not a chain/],
  ])("error: unknown %s", (_, given, want) => {
    expect(() => literal.endpoint(given)).toThrow(want);
    if (typeof given === "object" && given !== null) expect(literal.hasEndpoint(given)).toBe(false);
  });

  it("error: lockupEndpoint with another protocol", () => {
    expect(() => literal.lockupEndpoint({ protocol: "flow", style: "multichain" })).toThrow(
      /^"flow" is not a protocol/,
    );
  });

  it("accepts the id of a chain like its key", () => {
    for (const [key, { chainId }] of Object.entries(literal.chains)) {
      for (const style of ["multichain", "subgraph"]) {
        const [byKey, byId] = [key, chainId].map((chain) => request("lockup", style, chain));
        expect(literal.hasEndpoint(byId)).toBe(literal.hasEndpoint(byKey));
        if (literal.hasEndpoint(byId)) expect(literal.endpoint(byId)).toEqual(literal.endpoint(byKey));
      }
    }
    expect(literal.lockupEndpoint({ style: "subgraph", chain: 8453 }).deployment).toBe("acme-lockup-base");
    expect(literal.flowEndpoint({ style: "multichain", chain: 8453 }).deployment).toBe(
      "acme-flow-multichain",
    );
  });

  it("hasEndpoint does not need variables", () => {
    expect(open.hasEndpoint(to("form"))).toBe(true);
    expect(open.hasEndpoint(request("flow", "multichain"))).toBe(true);
  });
});

describe("the status of a deployment", async () => {
  const ended = await loadManifest({
    chains: {
      tangle: { status: "retired", since: "2025-10-08", reason: "the chain was shut down" },
      iotex: { status: "retired", since: "2025-07" },
      sei: { status: "dormant", since: "2025-06", reason: "no new blocks" },
    },
    deployments: {
      "protocol-flow-base": { status: "retired", since: "2025-07", replacedBy: "protocol-flow-multichain" },
      "protocol-flow-linea": { status: "retired", reason: "not paid for" },
      "protocol-lockup-multichain": {
        status: "retired",
        since: "2025-09",
        reason: "merged",
        replacedBy: "protocol-flow-multichain",
      },
    },
  });

  it.each<[request: object, want: string]>([
    [
      request("flow", "subgraph", "base"),
      '"base" is not a chain of flow in subgraph style any more (retired in 2025-07; use protocol-flow-multichain). Try ',
    ],
    [request("flow", "subgraph", "linea"), "style any more (retired: not paid for). Try "],
    [request("lockup", "subgraph", "iotex"), "style any more (retired in 2025-07). Try "],
    [
      request("flow", "multichain", "tangle"),
      '"tangle" is not a chain of flow in multichain style any more (retired on 2025-10-08: the chain was shut down). Try ',
    ],
    [
      request("lockup", "multichain"),
      '"multichain" is not a style any more (retired in 2025-09: merged; use protocol-flow-multichain). Try subgraph.',
    ],
    [request("lockup", "multichain", "base"), '"multichain" is not a style any more (retired in 2025-09: '],
    // These were never served.
    [request("flow", "subgraph", "tangle"), '"tangle" is not a chain of flow in subgraph style. Try '],
    [request("flow", "multichain", "iotex"), '"iotex" is not a chain of flow in multichain style. Try '],
    [request("flow", "subgraph"), "undefined is not a chain of flow in subgraph style. Try "],
    [request("flow", "name", "tangle"), '"name" is not a style. Try '],
  ])("error: is in the message for %j", (given, want) => {
    expect(() => ended.endpoint(given)).toThrow(want);
    expect(ended.hasEndpoint(given)).toBe(false);
  });

  it("is not reported for a retired chain that the protocol never had", async () => {
    const { endpoint } = await loadManifest({
      protocols: { lockup: { chains: ["base", "ethereum"] }, flow: true },
      chains: { tangle: { status: "retired" } },
    });
    const ask = (protocol: string) => () => endpoint(request(protocol, "multichain", "tangle"));
    expect(ask("flow")).toThrow(
      '"tangle" is not a chain of flow in multichain style any more (retired). Try ',
    );
    expect(ask("lockup")).toThrow('"tangle" is not a chain of lockup in multichain style. Try ');
  });

  it("is in the row of the deployment, without members that are not configured", () => {
    const { deployments, chains } = ended;
    expect(deployments["protocol-flow-base"]).toEqual({
      chains: ["base"],
      protocol: "flow",
      style: "subgraph",
      environments: ["production", "testing"],
      status: "retired",
      since: "2025-07",
      replacedBy: "protocol-flow-multichain",
    });
    expect(Object.keys(deployments["protocol-flow-gnosis"] ?? {})).not.toContain("since");
    expect(chains["tangle"]).toMatchObject({ since: "2025-10-08", reason: "the chain was shut down" });
    const dormant = { status: "dormant", since: "2025-06", reason: "no new blocks" };
    expect(deployments["protocol-lockup-sei-mainnet"]).toMatchObject(dormant);
  });

  it("does not disable a dormant deployment", () => {
    const env = { LOCKFLOW_SUBGRAPH_PRODUCTION_URL: "https://gateway.example/{deployment}" };
    const sei = request("lockup", "subgraph", "sei");
    expect(ended.endpoint(sei, env).url).toBe("https://gateway.example/protocol-lockup-sei-mainnet");
    expect(ended.hasEndpoint(sei)).toBe(true);
  });
});

describe("the manifest", () => {
  it("lists retired chains and deployments with their status, but not in unions", () => {
    expect(literal.chains["tangle"]).toMatchObject({ chainId: 5845, status: "retired" });
    expect(literal.deployments["acme-flow-iotex"]).toMatchObject({ status: "retired" });
    expect(literal.deployments["acme-flow-multichain"]?.chains).not.toContain("tangle");
    const text = manifestText(LITERAL);
    const unions = text.split("\n").filter((line) => /^export type \w+Chain = /.test(line));
    expect(unions.length).toBe(9);
    expect(unions.join("\n")).not.toMatch(/"tangle"|"scroll"/);
    expect(unions.filter((line) => line.includes('"iotex"')).map((line) => line.split(" ")[2])).toEqual([
      "LockupSubgraphChain",
      "LockupTestingChain",
    ]);
  });

  it("lists the active chains on which an operation is valid", async () => {
    const { operations } = await loadManifest(LITERAL, [
      { operation: "Everywhere", chains: ["base"], missing: [] },
      { operation: "Somewhere", chains: ["base", "linea", "scroll"], missing: ["sepolia"] },
      { operation: "__proto__", chains: [], missing: ["base"] },
    ]);
    expect(Object.entries(operations["lockup"]?.["subgraph"] ?? {})).toEqual([
      ["Everywhere", "all"],
      ["Somewhere", ["base", "linea"]],
      ["__proto__", []],
    ]);
  });

  it("contains only the configured protocols", async () => {
    const manifest = await loadManifest({ protocols: ["flow"] });
    expect(Object.keys(manifest)).not.toContain("lockupEndpoint");
    expect(manifest.hasEndpoint({ protocol: "flow", style: "multichain" })).toBe(true);
    expect(manifestText({ protocols: ["flow"] })).not.toMatch(/lockup(?!`|\.)/);
  });

  it.each(BUILT_IN_PROTOCOLS)("has an endpoint for every active deployment of %s", (protocol) => {
    const ofProtocol = Object.values(literal.deployments).filter(
      (deployment) => deployment.protocol === protocol,
    );
    for (const { style, chains, environments, status } of ofProtocol) {
      for (const chain of chains) {
        for (const environment of environments) {
          expect(literal.hasEndpoint({ protocol, style, chain, environment })).toBe(status === "active");
        }
      }
    }
  });

  it("has one line for each row and no trailing blanks", () => {
    const text = manifestText(LITERAL);
    expect(text).toContain('\n  polygon: { name: "Polygon", chainId: 137,');
    expect(text).not.toMatch(/[ \t]\n|\r|\n\n\n/);
    expect(text.endsWith("};\n")).toBe(true);
  });
});
