import { expect, it } from "vitest";
import type { Config } from "../../src/project/config.ts";
import { readUrls } from "../../src/project/endpoints.ts";
import { resolveProject } from "../../src/project/project.ts";
import { isConfigured } from "../../src/project/variables.ts";
import { loadManifest } from "../support/load-manifest.ts";

const DEFAULTS = {
  LOCKFLOW_MULTICHAIN_URL: "https://indexer.example/{id}/v1/graphql",
  LOCKFLOW_LOCKUP_ID: "abc1234",
  LOCKFLOW_FLOW_ID: "def5678",
  LOCKFLOW_SUBGRAPH_PRODUCTION_URL: "https://gateway.example/{deployment}/{chainId}",
  LOCKFLOW_SUBGRAPH_TESTING_URL: "https://testing.example/{deployment}/latest",
};

const CONFIGS: readonly [name: string, config: Config][] = [
  ["no settings", {}],
  ["a brand", { brand: "own" }],
  ["a brand in a variable", { brand: { env: "LOCKFLOW_LOCKUP_ID" } }],
  ["one protocol", { protocols: ["flow"] }],
  ["the testing URL", { subgraph: { testing: { url: "https://other.example/{deployment}" } } }],
  [
    "the production URL, and one of its own",
    {
      subgraph: { production: { url: "https://other.example/{deployment}", apiKey: { env: "OTHER_KEY" } } },
      deployments: {
        "protocol-flow-form": { production: { url: "https://form.example/", apiKey: false } },
        "protocol-flow-base": { production: { url: "https://other.example/base" } },
      },
    },
  ],
  [
    "the id of one protocol",
    { multichain: { url: "https://other.example/{id}", ids: { flow: "own" }, headers: { "x-a": "b" } } },
  ],
];

it.each(CONFIGS)("commands and the manifest have the same URLs and keys with %s", async (_, config) => {
  const { deployments } = resolveProject(config, "/project");
  const manifest = await loadManifest(config);
  const endpoints = deployments
    .filter(({ status }) => status === "active")
    .flatMap((deployment) => deployment.endpoints.map((endpoint) => ({ deployment, endpoint })));
  for (const env of [DEFAULTS, { ...DEFAULTS, LOCKFLOW_BRAND: "acme" }]) {
    expect(endpoints.every(({ endpoint }) => isConfigured(endpoint, env))).toBe(true);
    const asked = readUrls(endpoints, env);
    expect(asked).toHaveLength(endpoints.length);
    for (const { deployment, endpoint, url } of asked) {
      const { protocol, style, chains } = deployment;
      const request = { protocol, style, chain: chains[0], environment: endpoint.environment };
      const { auth, ...given } = manifest.endpoint(request, env);
      expect(given.url).toBe(url);
      expect(auth && { env: auth.env, host: auth.host }).toEqual(
        endpoint.apiKey && { env: endpoint.apiKey.env, host: new URL(url).host },
      );
    }
  }
});
