import { expect, it } from "vitest";
import type { Config } from "../../src/project/config.ts";
import { parseConfig } from "../../src/project/parse-config.ts";
import { resolveProject } from "../../src/project/project.ts";
import { resolveUrl } from "../../src/project/url-template.ts";
import { catchError } from "../support/catch-error.ts";
import { loadManifest, manifestText } from "../support/load-manifest.ts";

const URL_BY_ID = "https://gateway.example/api/subgraphs/id/{id}";

function withIds(production: NonNullable<NonNullable<Config["subgraph"]>["production"]>): Config {
  return { protocols: ["lockup", "flow"], subgraph: { production } };
}

const CONFIG = withIds({
  url: URL_BY_ID,
  ids: { lockup: { ethereum: "AbC", base: { env: "LOCKUP_BASE_ID" } }, flow: { base: "xYz" } },
  apiKey: { env: "KEY" },
});

function project(config: unknown) {
  return resolveProject(parseConfig(config, "lockflow.config.json"), "/project");
}

it("a gateway that identifies subgraphs by ids has production URLs only for deployments with an id", () => {
  const urls = project(CONFIG).deployments.flatMap(({ name, style, endpoints }) =>
    endpoints
      .filter(({ environment }) => style === "subgraph" && environment === "production")
      .map(({ url }) => [name, resolveUrl(url, { LOCKUP_BASE_ID: "Qm1" })]),
  );
  expect(urls).toEqual([
    ["protocol-flow-base", "https://gateway.example/api/subgraphs/id/xYz"],
    ["protocol-lockup-base", "https://gateway.example/api/subgraphs/id/Qm1"],
    ["protocol-lockup-mainnet", "https://gateway.example/api/subgraphs/id/AbC"],
  ]);
});

it("a gateway that identifies subgraphs by ids does not replace the URL of a deployment with its own host", () => {
  const own = { url: "https://own.example/graphql" };
  const { deployments } = project({
    ...CONFIG,
    deployments: { "protocol-lockup-linea": { production: own } },
  });
  const linea = deployments.find(({ name }) => name === "protocol-lockup-linea");
  expect(linea?.endpoints.map(({ environment, url }) => [environment, url.text])).toEqual([
    ["testing", { env: "LOCKFLOW_SUBGRAPH_TESTING_URL", has: "{deployment}" }],
    ["production", own.url],
  ]);
});

it("a gateway that identifies subgraphs by ids appears in the manifest and its types", async () => {
  const { endpoint, hasEndpoint } = await loadManifest(CONFIG);
  const on = (chain: string, more = {}) => ({ protocol: "lockup", style: "subgraph", chain, ...more });
  const urlOf = (id: string) => `https://gateway.example/api/subgraphs/id/${id}`;
  expect(endpoint(on("ethereum")).url).toBe(urlOf("AbC"));
  expect(endpoint(on("base"), { LOCKUP_BASE_ID: "Qm1" }).url).toBe(urlOf("Qm1"));
  expect(() => endpoint(on("base"), {})).toThrow("LOCKUP_BASE_ID");
  expect(hasEndpoint(on("linea"))).toBe(false);
  expect(hasEndpoint(on("linea", { environment: "testing" }))).toBe(true);
  const subgraph = { ...CONFIG.subgraph, testing: { url: URL_BY_ID, ids: {} } };
  const { endpoint: without } = await loadManifest({ ...CONFIG, subgraph });
  expect(() => without(on("polygon"))).toThrow(
    '"production" is not an environment of protocol-lockup-polygon. Try another.',
  );
  const text = manifestText(CONFIG);
  expect(text).toContain('export type LockupSubgraphChain = "base" | "ethereum";');
  expect(text).toContain('readonly chain: ChainOrId<LockupTestingChain>; readonly environment: "testing" }');
});

it("error: a gateway that identifies subgraphs by ids: needs ids if the URL of a variable contains {id}", () => {
  const [endpoint] = project({}).deployments.flatMap(({ style, endpoints }) =>
    style === "subgraph" ? endpoints.filter(({ environment }) => environment === "production") : [],
  );
  const env = { LOCKFLOW_SUBGRAPH_PRODUCTION_URL: URL_BY_ID };
  expect(() => endpoint && resolveUrl(endpoint.url, env)).toThrow(
    /does not contain \{deployment\}[\s\S]*add subgraph\.production\.ids/,
  );
});

const lockup = (ids: object) => withIds({ url: URL_BY_ID, ids: { lockup: ids } as never });
it.each<[config: unknown, want: string]>([
  [withIds({ url: URL_BY_ID, ids: { lokup: {} } }), 'unknown key "subgraph.production.ids.lokup"'],
  [lockup({ bsae: "A" }), '"subgraph.production.ids.lockup" names "bsae", which is not a known chain'],
  [
    withIds({ url: "https://g.example/{deployment}", ids: { lockup: { base: "A" } } }),
    "does not contain {id}",
  ],
  [withIds({ url: URL_BY_ID }), "uses {id}, but no ids are configured"],
  [lockup({ base: "A", ethereum: "A" }), "have the same URL"],
  [
    withIds({ url: { env: "URL" }, ids: { lockup: { base: "A", linea: "B" }, flow: { ethereum: "A" } } }),
    '"subgraph.production.ids" has the same id for lockup on base and flow on ethereum',
  ],
  [withIds({ url: "https://{id}.example/x", ids: { lockup: { base: "A" } } }), "has {id} in its host"],
  [lockup({ base: "../../x" }), '"subgraph.production.ids.lockup.base" must be an id'],
  [lockup({ base: "x@evil.example" }), "must be an id"],
  [lockup({ base: "0123456789abcdef0123456789abcdef" }), "looks like a key"],
  [lockup({ sophon: "A" }), '"subgraph.production.ids.lockup.sophon" is set, but sophon has no subgraph'],
  [
    JSON.parse(`{"subgraph":{"production":{"url":"${URL_BY_ID}","ids":{"__proto__":{}}}}}`),
    'must not have the key "__proto__"',
  ],
])("error: a gateway that identifies subgraphs by ids: %j: %s", (config, want) => {
  expect(catchError(() => project(config)).message).toContain(want);
});
