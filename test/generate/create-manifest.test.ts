import { describe, expect, it } from "vitest";
import { ENVIRONMENTS, STYLE_NAMES } from "../../src/dialects/surface.ts";
import { createManifest } from "../../src/generate/manifest-rows.ts";
import type { Config } from "../../src/project/config.ts";
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

describe("a manifest that is made to be asked at once", () => {
  it.each<[name: string, config: Config, env: Readonly<Record<string, string>>]>([
    ["a configuration that says everything", LITERAL, {}],
    ["variables", {}, ENV],
    ["nothing", {}, {}],
  ])("says what the generated one says, of %s", async (_, config, env) => {
    const generated = await loadManifest(config);
    const project = resolveProject(config, "/");
    const live = createManifest(project);
    expect(live.chains).toEqual(generated.chains);
    expect(live.deployments).toEqual(generated.deployments);
    for (const { key: chain } of [...project.chains, { key: "moon" }]) {
      for (const style of STYLE_NAMES) {
        for (const environment of ENVIRONMENTS) {
          const request = { protocol: "lockup", style, chain, environment };
          expect(live.hasEndpoint(request)).toBe(generated.hasEndpoint(request));
          const [want, got] = [generated.endpoint, live.endpoint].map((endpoint) => {
            try {
              return endpoint(request as never, env);
            } catch (error) {
              return (error as Error).message;
            }
          });
          expect(got).toEqual(want);
        }
      }
    }
  });

  it("reads no variable by itself", () => {
    process.env["LOCKFLOW_MULTICHAIN_URL"] = ENV.LOCKFLOW_MULTICHAIN_URL;
    try {
      const live = createManifest(resolveProject({}, "/"));
      expect(() => live.endpoint({ protocol: "lockup", style: "multichain" })).toThrow(
        /LOCKFLOW_MULTICHAIN_URL/,
      );
    } finally {
      delete process.env["LOCKFLOW_MULTICHAIN_URL"];
    }
  });
});
