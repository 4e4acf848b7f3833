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
    expect(without).toEqual(
      ["flow", "lockup"].flatMap((protocol) =>
        suffixes.map((suffix) => [`protocol-${protocol}-${suffix}`, null]),
      ),
    );
  });

  it("has the daily limit of testing URLs and the key of production URLs", () => {
    expect(named({}, "protocol-lockup-mainnet")?.endpoints).toMatchObject([
      {
        environment: "testing",
        url: { text: { env: "LOCKFLOW_SUBGRAPH_TESTING_URL" }, defaults: ["LOCKFLOW_SUBGRAPH_TESTING_URL"] },
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
      multichain: {
        url: "https://{host}/{id}/v1/graphql",
        host: "indexer.example",
        ids: { lockup: "abc1234" },
      },
      subgraph: { testing: { url: "https://testing.example/{deployment}/latest" } },
    };
    const urlOf = (name: string) => {
      const endpoint = named(config, name)?.endpoints[0];
      return endpoint && literalUrl(endpoint.url);
    };
    expect(urlOf("acme-lockup-multichain")).toBe("https://indexer.example/abc1234/v1/graphql");
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
    const names = project.deployments.map(({ name }) => name);
    expect(names).toContain("protocol-lockup-sonic");
    expect(names).not.toContain("protocol-lockup-base");
    expect(project.deployments.find(({ name }) => name === "protocol-lockup-sonic")?.endpoints).toHaveLength(
      1,
    );
    expect(project.deployments.find(({ style }) => style === "multichain")?.chains).not.toContain("tangle");
    expect(project.deployments.find(({ name }) => name === "protocol-flow-iotex")?.status).toBe("retired");
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
      const { status, since, reason, replacedBy } = deployments.find((one) => one.name === name) ?? {};
      return [status, since, reason, replacedBy];
    };
    expect(fate("protocol-flow-base")).toEqual(["dormant", undefined, undefined, undefined]);
    expect(fate("protocol-lockup-base")).toEqual([
      "retired",
      "2025-08-01",
      "it was shut down",
      "protocol-lockup-multichain",
    ]);
    expect(fate("protocol-flow-linea")).toEqual(["dormant", undefined, undefined, undefined]);
    expect(fate("protocol-lockup-linea")[0]).toBe("active");
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

  it("applies a key only to URLs of the host it was configured for", () => {
    const config: Config = {
      subgraph: { production: { url: "https://gateway.example/{deployment}", apiKey: { env: "KEY" } } },
      deployments: {
        "protocol-lockup-form": { production: { url: "https://form.example/lockup" } },
        "protocol-lockup-xdc": { production: { url: "https://gateway.example/moved" } },
        "protocol-lockup-lightlink": {
          production: { url: "https://light.example/x", apiKey: { env: "OTHER" } },
        },
        "protocol-flow-form": { production: { url: "https://gateway.example/open", apiKey: false } },
      },
    };
    const keyOf = (name: string) => named(config, name)?.endpoints.at(-1)?.apiKey;
    expect(keyOf("protocol-lockup-mainnet")).toEqual({ env: "KEY" });
    expect(keyOf("protocol-lockup-form")).toBeNull();
    expect(keyOf("protocol-lockup-xdc")).toEqual({ env: "KEY" });
    expect(keyOf("protocol-lockup-lightlink")).toEqual({ env: "OTHER" });
    expect(keyOf("protocol-flow-form")).toBeNull();
  });

  const refused: [name: string, config: Config, code: string, want: RegExp][] = [
    [
      "a template without its placeholder",
      { subgraph: { testing: { url: "https://testing.example/all" } } },
      "CONFIG_BAD_TEMPLATE",
      /"subgraph.testing.url" does not contain \{deployment\}/,
    ],
    [
      "a multichain template without its placeholder",
      { multichain: { url: "https://indexer.example/v1/graphql", ids: { lockup: "a" } } },
      "CONFIG_BAD_TEMPLATE",
      /"multichain.url" does not contain \{id\}/,
    ],
    [
      "an unknown placeholder",
      { subgraph: { testing: { url: "https://testing.example/{deployment}/{chian}" } } },
      "CONFIG_BAD_TEMPLATE",
      /unknown placeholder \{chian\}[\s\S]*\{chain\}/,
    ],
    [
      "a placeholder without a value",
      { multichain: { url: "https://{host}/{id}", ids: { lockup: "a" } } },
      "CONFIG_BAD_TEMPLATE",
      /uses \{host\}, which has no value/,
    ],
    [
      "two deployments of one protocol with one URL",
      {
        subgraph: { testing: { url: "https://testing.example/{deployment}" } },
        deployments: {
          "protocol-lockup-zksync": { testing: { url: "https://testing.example/protocol-lockup-sepolia/" } },
        },
      },
      "CONFIG_DUPLICATE_URL",
      /"protocol-lockup-sepolia" and "protocol-lockup-zksync" have the same URL/,
    ],
    [
      "http on a host that is not this machine",
      { subgraph: { testing: { url: "http://testing.example/{deployment}" } } },
      "CONFIG_INSECURE_URL",
      /must use https/,
    ],
    [
      "http on a host that looks like this machine",
      { subgraph: { testing: { url: "http://127.0.0.1.example/{deployment}" } } },
      "CONFIG_INSECURE_URL",
      /must use https/,
    ],
    [
      "another scheme",
      { subgraph: { testing: { url: "file:///{deployment}" } } },
      "CONFIG_INSECURE_URL",
      /must use https/,
    ],
    [
      "credentials in a URL",
      { subgraph: { testing: { url: "https://me:hunter2@testing.example/{deployment}" } } },
      "CONFIG_INSECURE_URL",
      /has credentials in its URL: https:\/\/<redacted>@testing/,
    ],
    ["not a URL", { subgraph: { testing: { url: "{deployment}" } } }, "CONFIG_INVALID_VALUE", /is not a URL/],
    [
      "an override of an unknown deployment",
      { deployments: { "protocol-lockup-mainet": { status: "retired" } } },
      "CONFIG_UNKNOWN_DEPLOYMENT",
      /"protocol-lockup-mainet", which is not a deployment[\s\S]*"protocol-lockup-mainnet"/,
    ],
    [
      "an unknown chain without id",
      { chains: { sonic: { name: "Sonic" } } },
      "CONFIG_UNKNOWN_CHAIN",
      /needs "chainId"/,
    ],
    [
      "two chains with one id",
      { chains: { copy: { chainId: 1, name: "Copy" } } },
      "CONFIG_INVALID_VALUE",
      /"copy" and "ethereum" have the same chainId, 1/,
    ],
    [
      "a since date of an active deployment",
      { deployments: { "protocol-lockup-base": { since: "2025-07" } } },
      "CONFIG_INVALID_VALUE",
      /"deployments\.protocol-lockup-base\.since" is set, but the status is "active"/,
    ],
    [
      "a reason of an active chain",
      { chains: { base: { reason: "unknown" } } },
      "CONFIG_INVALID_VALUE",
      /"chains\.base\.reason" is set, but the status is/,
    ],
    [
      "a misspelled replacement",
      {
        deployments: { "protocol-lockup-base": { status: "retired", replacedBy: "protocol-lockup-optimsm" } },
      },
      "CONFIG_UNKNOWN_DEPLOYMENT",
      /"deployments\.protocol-lockup-base\.replacedBy" names "protocol-lockup-optimsm", which is not a deployment[\s\S]*did you mean "protocol-lockup-optimism"\?/,
    ],
    [
      "a replacement by itself",
      { deployments: { "protocol-lockup-base": { status: "dormant", replacedBy: "protocol-lockup-base" } } },
      "CONFIG_UNKNOWN_DEPLOYMENT",
      /which is itself/,
    ],
    [
      "a retired replacement",
      {
        chains: { linea: { status: "retired" } },
        deployments: { "protocol-lockup-base": { status: "retired", replacedBy: "protocol-lockup-linea" } },
      },
      "CONFIG_UNKNOWN_DEPLOYMENT",
      /which is retired/,
    ],
    [
      "two chains with one short name",
      { chains: { copy: { chainId: 1_000_001, name: "Copy", shortName: "ARB1" } } },
      "CONFIG_INVALID_VALUE",
      /"arbitrum" and "copy" have the same shortName, arb1/,
    ],
    [
      "an alias that is another chain's suffix in other spelling",
      { chains: { base: { aliases: ["Arbitrum One"] } } },
      "CONFIG_INVALID_VALUE",
      /Two chains have the name "(Arbitrum One|arbitrum-one)": "arbitrum" and "base"/,
    ],
    [
      "an alias that is another chain's id in hex",
      { chains: { sonic: { chainId: 146, name: "Sonic", aliases: ["0xA"] } } },
      "CONFIG_INVALID_VALUE",
      /Two chains have the name "0xA": "optimism" and "sonic"/,
    ],
    [
      "a display name that is another chain's",
      { chains: { sonic: { chainId: 146, name: "eip155:1" } } },
      "CONFIG_INVALID_VALUE",
      /Two chains have the name "eip155:1": "ethereum" and "sonic"/,
    ],
    [
      "a suffix that is the name of a style",
      { chains: { sonic: { chainId: 146, name: "Sonic", subgraphSuffix: "multichain" } } },
      "CONFIG_INVALID_VALUE",
      /"sonic" has the subgraphSuffix "multichain", which is the name of a style/,
    ],
    [
      "a key in the path of a URL",
      { subgraph: { testing: { url: `https://testing.example/${"0a".repeat(16)}/{deployment}` } } },
      "CONFIG_INSECURE_URL",
      /"subgraph.testing.url" has a key[^0]*<redacted>/,
    ],
    [
      "a key in a URL that contains a variable",
      {
        brand: { env: "BRAND" },
        subgraph: { testing: { url: "https://testing.example/{deployment}?key=hunter2" } },
      },
      "CONFIG_INSECURE_URL",
      /"subgraph.testing.url" has a key/,
    ],
    [
      "a link with another scheme",
      { subgraph: { explorer: "javascript:alert('{deployment}')" } },
      "CONFIG_INSECURE_URL",
      /"subgraph.explorer" must use https/,
    ],
    [
      "a host with a path",
      { multichain: { url: "https://{host}/{id}", host: "indexer.example/a", ids: { lockup: "a" } } },
      "CONFIG_BAD_TEMPLATE",
      /The value of \{host\} in "multichain.url" is not valid in a URL/,
    ],
    [
      "an output folder above",
      { output: "../out" },
      "CONFIG_INVALID_VALUE",
      /"output" must be a folder below/,
    ],
    [
      "following a deployment of the other style",
      { follow: { lockup: "protocol-lockup-multichain" } },
      "CONFIG_UNKNOWN_DEPLOYMENT",
      /"follow.lockup" names/,
    ],
  ];

  it.each(refused)("error: %s", (_, config, code, want) => {
    const error = catchError(() => resolve(config));
    expect(error).toMatchObject({ code });
    expect(error.message).toMatch(want);
    expect(error.message).not.toContain("hunter2");
  });

  it.each(["http://localhost:4000", "http://127.0.0.1:4000", "http://127.8.9.1", "http://[::1]:4000"])(
    "accepts http on this machine: %s",
    (origin) => {
      const config: Config = { subgraph: { testing: { url: `${origin}/{deployment}` } } };
      expect(hasHost(resolve(config), {})).toBe(true);
    },
  );

  it("accepts a retired deployment with the URL of another", () => {
    const shared = { production: { url: "https://gateway.example/shared" } };
    const config = (form: "active" | "retired", xdc: "active" | "retired"): Config => ({
      deployments: {
        "protocol-lockup-form": { ...shared, status: form },
        "protocol-lockup-xdc": { ...shared, status: xdc },
      },
    });
    expect(() => resolve(config("retired", "active"))).not.toThrow();
    expect(() => resolve(config("active", "retired"))).not.toThrow();
    expect(() => resolve(config("retired", "retired"))).not.toThrow();
    expect(catchError(() => resolve(config("active", "active")))).toMatchObject({
      code: "CONFIG_DUPLICATE_URL",
    });
  });
});
