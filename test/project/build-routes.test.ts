import { expect, it } from "vitest";
import type { Endpoint } from "../../packages/client/src/manifest/manifest-types.ts";
import { listServed, routeEndpoint } from "../../packages/client/src/manifest/routes.ts";
import { ENVIRONMENTS, STYLE_NAMES } from "../../src/dialects/surface.ts";
import type { Config } from "../../src/project/config.ts";
import { buildRoutes } from "../../src/project/manifest-rows.ts";
import { resolveProject } from "../../src/project/project.ts";
import { loadManifest } from "../support/load-manifest.ts";

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
  },
  deployments: {
    "acme-lockup-form": { production: { url: "https://form.example/lockup", apiKey: false } },
    "acme-flow-iotex": { status: "retired" },
  },
  chains: { tangle: { status: "retired" } },
};

const ENV = {
  LOCKFLOW_BRAND: "acme",
  LOCKFLOW_MULTICHAIN_URL: "https://indexer.example/{id}/v1/graphql",
  LOCKFLOW_LOCKUP_ID: "abc1234",
  LOCKFLOW_FLOW_ID: "def5678",
  LOCKFLOW_SUBGRAPH_PRODUCTION_URL: "https://gateway.example/{deployment}",
};

it.each<[name: string, config: Config, env: Readonly<Record<string, string>>]>([
  ["a literal configuration", LITERAL, {}],
  ["variables", {}, ENV],
  ["an empty configuration", {}, {}],
])(
  "buildRoutes and listServed give the endpoints of the generated manifest, without links: %s",
  async (_, config, env) => {
    const generated = await loadManifest(config);
    const project = resolveProject(config, "/");
    const routes = buildRoutes(project);
    let count = 0;
    const outcomeOf = (build: () => Endpoint | null) => {
      try {
        const endpoint = build();
        count += Number(endpoint !== null);
        return endpoint && { ...endpoint, playground: null, explorer: null };
      } catch (error) {
        return (error as Error).message;
      }
    };
    const requests = [...project.chains, { key: "moon" }].flatMap(({ key: chain }) =>
      ["lockup", "flow"].flatMap((protocol) =>
        STYLE_NAMES.flatMap((style) =>
          ENVIRONMENTS.map((environment) => ({ protocol, style, chain, environment })),
        ),
      ),
    );
    for (const request of requests) {
      const want = () => (generated.hasEndpoint(request) ? generated.endpoint(request, env) : null);
      const got = outcomeOf(() => routeEndpoint(routes, request, { env }));
      expect(got, JSON.stringify(request)).toEqual(outcomeOf(want));
    }
    if (config === LITERAL) expect(count).toBeGreaterThan(200);
  },
);

it("buildRoutes and listServed list the chains that are served in an environment", () => {
  const project = resolveProject(LITERAL, "/");
  const chains = listServed(buildRoutes(project), "flow", "testing");
  expect(chains).toContain("base");
  expect(chains).not.toContain("iotex");
  // Multichain indexers have one environment.
  expect(chains).toContain("morph");
  expect(listServed(buildRoutes(project), "moon", "production")).toEqual([]);
});

it("buildRoutes and listServed group deployments by the template of their names, and list exceptions", () => {
  const { protocols, chains } = buildRoutes(resolveProject(LITERAL, "/"));
  expect(protocols["lockup"]?.deployments.map(({ name, style }) => [name, style])).toEqual(
    expect.arrayContaining([
      ["acme-lockup-multichain", "multichain"],
      ["acme-lockup-{suffix}", "subgraph"],
    ]),
  );
  expect(protocols["lockup"]?.deployments.length).toBeLessThanOrEqual(4);
  expect(chains["ethereum"]).toEqual({ chainId: 1, secondsPerBlock: 12, subgraph: "mainnet" });
  expect(chains["tangle"]).toBeUndefined();
});

it("buildRoutes and listServed do not read process.env", () => {
  process.env["LOCKFLOW_MULTICHAIN_URL"] = ENV.LOCKFLOW_MULTICHAIN_URL;
  try {
    const routes = buildRoutes(resolveProject({}, "/"));
    expect(() =>
      routeEndpoint(routes, { protocol: "lockup", style: "multichain", chain: "base" }, {}),
    ).toThrow(/LOCKFLOW_MULTICHAIN_URL/);
  } finally {
    delete process.env["LOCKFLOW_MULTICHAIN_URL"];
  }
});
