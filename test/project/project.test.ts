import { describe, expect, it } from "vitest";
import type { StyleName } from "../../src/dialects/surface.ts";
import { CHAINS } from "../../src/project/chains.ts";
import type { Config } from "../../src/project/config.ts";
import { resolveProject } from "../../src/project/project.ts";
import { BUILT_IN_PROTOCOLS } from "../../src/project/protocols.ts";
import { literalUrl } from "../../src/project/url-template.ts";
import { hasHost } from "../../src/project/variables.ts";
import { catchError } from "../support/catch-error.ts";
import { PROTOCOL_DEPLOYMENTS } from "../support/chain-counts.ts";

const resolve = (config: Config = {}) => resolveProject(config, "/project");
const named = (config: Config, name: string) =>
  resolve(config).deployments.find((deployment) => deployment.name === name);

const keys = (filter: (chain: (typeof CHAINS)[number]) => boolean) =>
  CHAINS.filter(filter).map(({ key }) => key);

describe("the registry", () => {
  it("has a deployment of each protocol for all multichain chains, and for each chain with a subgraph", () => {
    const { chains, deployments } = resolve();
    expect(chains.map(({ key }) => key)).toEqual(CHAINS.map(({ key }) => key).sort());
    expect(new Set(chains.map(({ chainId }) => chainId)).size).toBe(chains.length);
    expect(new Set(deployments.map(({ name }) => name)).size).toBe(2 * PROTOCOL_DEPLOYMENTS);
    for (const protocol of BUILT_IN_PROTOCOLS) {
      const served = (style: StyleName) =>
        deployments
          .filter((deployment) => deployment.protocol === protocol && deployment.style === style)
          .map(({ chains }) => chains.join())
          .sort();
      expect(served("multichain")).toEqual([keys(({ multichainName }) => multichainName !== null).join()]);
      expect(served("subgraph")).toEqual(keys(({ subgraphSuffix }) => subgraphSuffix !== null));
    }
  });

  it("has no testing and no explorer URL for a subgraph without testing", () => {
    const config: Config = {
      subgraph: {
        production: { url: "https://gateway.example/{deployment}" },
        testing: { url: "https://testing.example/{deployment}" },
        explorer: "https://explorer.example/{deployment}",
      },
    };
    const without = resolve(config)
      .deployments.filter(({ style, endpoints }) => style === "subgraph" && endpoints.length === 1)
      .map(({ name, links }) => [name, links.explorer]);
    const suffixes = CHAINS.flatMap(({ subgraphSuffix, testing }) => (testing ? [] : (subgraphSuffix ?? [])));
    expect(suffixes).toEqual(expect.arrayContaining(["form", "lightlink", "xdc"]));
    const names = ["flow", "lockup"].flatMap((key) => suffixes.map((suffix) => `protocol-${key}-${suffix}`));
    expect(without).toEqual(names.map((name) => [name, null]));
  });

  it("has the daily limit of testing URLs and the key of production URLs", () => {
    const testing = { env: "LOCKFLOW_SUBGRAPH_TESTING_URL" };
    expect(named({}, "protocol-lockup-mainnet")?.endpoints).toMatchObject([
      {
        environment: "testing",
        url: { text: testing, defaults: [testing.env] },
        requiresKey: false,
        apiKey: null,
        headers: {},
        dailyQueries: 3000,
      },
      {
        environment: "production",
        url: { defaults: ["LOCKFLOW_SUBGRAPH_PRODUCTION_URL"] },
        requiresKey: true,
        apiKey: { env: "LOCKFLOW_SUBGRAPH_API_KEY" },
        headers: {},
        dailyQueries: null,
      },
    ]);
  });
});

describe("configuration of the registry", () => {
  it("applies templates and the brand", () => {
    const config: Config = {
      brand: "acme",
      multichain: { url: "https://{host}/{id}/graphql", host: "indexer.example", ids: { lockup: "abc1234" } },
      subgraph: { testing: { url: "https://testing.example/{deployment}/latest" } },
    };
    const urlOf = (name: string) => {
      const endpoint = named(config, name)?.endpoints[0];
      return endpoint && literalUrl(endpoint.url);
    };
    expect(urlOf("acme-lockup-multichain")).toBe("https://indexer.example/abc1234/graphql");
    expect(urlOf("acme-flow-multichain")).toBeNull();
    expect(urlOf("acme-flow-bsc")).toBe("https://testing.example/acme-flow-bsc/latest");
    expect(hasHost(resolve(config), {})).toBe(true);
    expect(hasHost(resolve({}), {})).toBe(false);
  });

  it("adds, overrides and retires chains and deployments", () => {
    const project = resolve({
      chains: {
        sonic: { chainId: 146, name: "Sonic", subgraphSuffix: "sonic", testing: false },
        tangle: { status: "retired" },
        base: { subgraphSuffix: null },
      },
      deployments: { "protocol-flow-iotex": { status: "retired" } },
    });
    const of = (name: string) =>
      project.deployments.find((deployment) => deployment.name === `protocol-${name}`);
    expect(of("lockup-base")).toBeUndefined();
    expect(of("lockup-sonic")?.endpoints).toHaveLength(1);
    expect(of("lockup-multichain")?.chains).not.toContain("tangle");
    expect(of("flow-iotex")?.status).toBe("retired");
  });

  it("applies the status of a chain to its subgraphs, unless a deployment has its own", () => {
    const chain = { status: "retired", since: "2025-07", reason: "it was shut down" } as const;
    const { deployments } = resolve({
      chains: { base: chain, linea: { status: "dormant" } },
      deployments: {
        "protocol-flow-base": { status: "dormant" },
        "protocol-lockup-base": { since: "2025-08-01", replacedBy: "protocol-lockup-multichain" },
        "protocol-lockup-linea": { status: "active" },
      },
    });
    const fate = (name: string) => {
      const { status, since, reason, replacedBy } =
        deployments.find((deployment) => deployment.name === name) ?? {};
      return [status, since, reason, replacedBy].join(" ").trim();
    };
    expect(fate("protocol-flow-base")).toBe("dormant");
    expect(fate("protocol-lockup-base")).toBe(
      "retired 2025-08-01 it was shut down protocol-lockup-multichain",
    );
    expect(fate("protocol-flow-linea")).toBe("dormant");
    expect(fate("protocol-lockup-linea")).toBe("active");
    const multichain = deployments.find(({ style }) => style === "multichain");
    expect(multichain?.chains).toContain("linea");
    expect(multichain?.chains).not.toContain("base");
  });

  it("fills in null for facts of a custom chain that are not configured", () => {
    const { chains } = resolve({
      chains: {
        bare: { chainId: 1_000_001, name: "Bare" },
        sonic: { chainId: 146, name: "Sonic", shortName: "sonic", secondsPerBlock: 0.5 },
        base: { shortName: null, secondsPerBlock: null, blockExplorer: null },
      },
    });
    const facts = (key: string) => chains.find((chain) => chain.key === key);
    const none = { shortName: null, secondsPerBlock: null, blockExplorer: null };
    expect(facts("bare")).toMatchObject(none);
    expect(facts("base")).toMatchObject(none);
    expect(facts("sonic")).toMatchObject({ shortName: "sonic", secondsPerBlock: 0.5, blockExplorer: null });
    expect(facts("polygon")).toMatchObject({ shortName: "pol", secondsPerBlock: 2 });
  });

  it("accepts a custom chain key that is the short name of another chain", () => {
    expect(() => resolve({ chains: { eth: { chainId: 1337, name: "A devnet" } } })).not.toThrow();
  });

  it.each<[url: string, apiKey: false | { env: string } | undefined, want: string | null]>([
    ["https://form.example/lockup", undefined, null],
    ["https://gateway.example/moved", undefined, "KEY"],
    ["https://light.example/x", { env: "OTHER" }, "OTHER"],
    ["https://gateway.example/open", false, null],
  ])("applies a key only to URLs of the host it was configured for: %s with %j", (url, apiKey, want) => {
    const production = { url, ...(apiKey !== undefined && { apiKey }) };
    const config: Config = {
      subgraph: { production: { url: "https://gateway.example/{deployment}", apiKey: { env: "KEY" } } },
      deployments: { "protocol-lockup-form": { production } },
    };
    const keyOf = (name: string) => named(config, name)?.endpoints.at(-1)?.apiKey?.env ?? null;
    expect(keyOf("protocol-lockup-mainnet")).toBe("KEY");
    expect(keyOf("protocol-lockup-form")).toBe(want);
  });

  const testing = (url: string): Config => ({ subgraph: { testing: { url } } });
  const sonic = (facts: object): Config => ({ chains: { sonic: { chainId: 146, name: "Sonic", ...facts } } });
  const fate = (name: string, facts: object) => ({ deployments: { [`protocol-lockup-${name}`]: facts } });
  const retired = (replacedBy: string) => fate("base", { status: "retired", replacedBy });
  const multichain = (url: string, more = {}): Config => ({
    multichain: { url, ids: { lockup: "a" }, ...more },
  });

  const REFUSED: Readonly<Record<string, readonly (readonly [config: Config, want: string | RegExp])[]>> = {
    BAD_TEMPLATE: [
      [testing("https://t.example/all"), '"subgraph.testing.url" does not contain {deployment}'],
      [testing("https://t.example/{deployment}/{chian}"), /unknown placeholder \{chian\}[\s\S]*\{chain\}/],
      [multichain("https://m.example/v1"), '"multichain.url" does not contain {id}'],
      [multichain("https://{host}/{id}"), "uses {host}, which has no value"],
      [
        multichain("https://{host}/{id}", { host: "m.example/a" }),
        'The value of {host} in "multichain.url" is not valid in a URL',
      ],
    ],
    DUPLICATE_URL: [
      [
        {
          ...testing("https://t.example/{deployment}"),
          ...fate("zksync", { testing: { url: "https://t.example/protocol-lockup-sepolia/" } }),
        },
        '"protocol-lockup-sepolia" and "protocol-lockup-zksync" have the same URL',
      ],
    ],
    INSECURE_URL: [
      [testing("http://t.example/{deployment}"), "must use https"],
      [testing("http://127.0.0.1.example/{deployment}"), "must use https"],
      [testing("file:///{deployment}"), "must use https"],
      [
        testing("https://me:hunter2@t.example/{deployment}"),
        "has credentials in its URL: https://<redacted>@t.",
      ],
      [testing(`https://t.example/${"0a".repeat(16)}/{deployment}`), /testing.url" has a key[^0]*<redacted>/],
      [
        { brand: { env: "B" }, ...testing("https://t.example/{deployment}?key=hunter2") },
        'testing.url" has a key',
      ],
      [{ subgraph: { explorer: "javascript:alert('{deployment}')" } }, '"subgraph.explorer" must use https'],
    ],
    INVALID_VALUE: [
      [testing("{deployment}"), "is not a URL"],
      [{ output: "../out" }, '"output" must be a folder below'],
      [
        fate("base", { since: "2025" }),
        '"deployments.protocol-lockup-base.since" is set, but the status is "active"',
      ],
      [{ chains: { base: { reason: "x" } } }, '"chains.base.reason" is set, but the status is'],
      [sonic({ chainId: 1 }), '"ethereum" and "sonic" have the same chainId, 1'],
      [sonic({ shortName: "ARB1" }), '"arbitrum" and "sonic" have the same shortName, arb1'],
      [
        { chains: { base: { aliases: ["Arbitrum One"] } } },
        /Two chains have the name "(Arbitrum One|arbitrum-one)": "arbitrum" and "base"/,
      ],
      [sonic({ aliases: ["0xA"] }), 'Two chains have the name "0xA": "optimism" and "sonic"'],
      [sonic({ name: "eip155:1" }), 'Two chains have the name "eip155:1": "ethereum" and "sonic"'],
      [
        sonic({ subgraphSuffix: "multichain" }),
        '"sonic" has the subgraphSuffix "multichain", which is the name of',
      ],
    ],
    UNKNOWN_CHAIN: [[{ chains: { sonic: { name: "Sonic" } } }, 'needs "chainId"']],
    UNKNOWN_DEPLOYMENT: [
      [
        fate("mainet", { status: "retired" }),
        /"protocol-lockup-mainet", which is not a deployment[\s\S]*-mainnet"/,
      ],
      [{ follow: { lockup: "protocol-lockup-multichain" } }, '"follow.lockup" names'],
      [
        retired("protocol-lockup-optimsm"),
        /"deployments\.protocol-lockup-base\.replacedBy" names "protocol-lockup-optimsm", which is not a deployment[\s\S]*did you mean "protocol-lockup-optimism"\?/,
      ],
      [retired("protocol-lockup-base"), "which is itself"],
      [{ chains: { linea: { status: "retired" } }, ...retired("protocol-lockup-linea") }, "which is retired"],
    ],
  };

  it.each(Object.entries(REFUSED).flatMap(([code, rows]) => rows.map((row) => [code, ...row] as const)))(
    "error: CONFIG_%s for %j",
    (code, config, want) => {
      const error = catchError(() => resolve(config));
      expect(error).toMatchObject({ code: `CONFIG_${code}` });
      expect(error.message).toMatch(want);
      expect(error.message).not.toContain("hunter2");
    },
  );

  it.each(["http://localhost:4000", "http://127.0.0.1:4000", "http://127.8.9.1", "http://[::1]:4000"])(
    "accepts http on this machine: %s",
    (origin) => {
      expect(hasHost(resolve(testing(`${origin}/{deployment}`)), {})).toBe(true);
    },
  );

  it.each([
    ["retired", "active", true],
    ["active", "retired", true],
    ["retired", "retired", true],
    ["active", "active", false],
  ] as const)("deployments with one URL that are %s and %s are accepted: %s", (form, xdc, isAccepted) => {
    const production = { url: "https://gateway.example/shared" };
    const deployments = {
      "protocol-lockup-form": { production, status: form },
      "protocol-lockup-xdc": { production, status: xdc },
    };
    if (isAccepted) expect(() => resolve({ deployments })).not.toThrow();
    else expect(catchError(() => resolve({ deployments }))).toMatchObject({ code: "CONFIG_DUPLICATE_URL" });
  });
});
