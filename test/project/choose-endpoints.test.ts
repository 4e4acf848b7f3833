import { expect, it } from "vitest";
import type { Environment } from "../../src/dialects/surface.ts";
import { CHAINS } from "../../src/project/chains.ts";
import type { Config } from "../../src/project/config.ts";
import { chooseEndpoints } from "../../src/project/endpoints.ts";
import { resolveProject } from "../../src/project/project.ts";
import { CHAIN_COUNTS } from "../support/chain-counts.ts";

const CONFIG: Config = {
  protocols: ["lockup"],
  multichain: { url: "https://indexer.example/{id}", ids: { lockup: "abc" } },
  subgraph: {
    production: { url: "https://gateway.example/{deployment}" },
    testing: { url: "https://testing.example/{deployment}" },
  },
  deployments: { "protocol-lockup-blast-mainnet": { status: "retired" } },
};

function choose(environment: Environment | undefined, config = CONFIG) {
  const { chosen, unconfigured } = chooseEndpoints(
    resolveProject(config, "/project").deployments,
    environment,
    {},
  );
  const of = (suffix: string) =>
    chosen.find(({ deployment }) => deployment.name === `protocol-lockup-${suffix}`)?.endpoint.environment ??
    null;
  return {
    mainnet: of("mainnet"),
    form: of("form"),
    multichain: of("multichain"),
    retired: of("blast-mainnet"),
    unconfigured: unconfigured.map(({ name }) => name),
  };
}

const NO_TESTING = CHAINS.flatMap(({ subgraphSuffix, testing }) =>
  subgraphSuffix === null || testing ? [] : `protocol-lockup-${subgraphSuffix}`,
);

it.each<[environment: Environment | undefined, mainnet: string, form: string | null, unconfigured: string[]]>(
  [
    // Testing if it is configured, else production.
    [undefined, "testing", "production", []],
    ["production", "production", "production", []],
    // Multichain deployments have one environment.
    ["testing", "testing", null, NO_TESTING],
  ],
)(
  "chooseEndpoints chooses endpoints of %s without retired deployments",
  (environment, mainnet, form, unconfigured) => {
    const multichain = "production";
    expect(choose(environment)).toEqual({ mainnet, form, multichain, retired: null, unconfigured });
  },
);

it("chooseEndpoints returns retired deployments with a URL separately", () => {
  const retiredIn = (config: Config) =>
    chooseEndpoints(resolveProject(config, "/project").deployments, undefined, {}).retired.map(
      ({ deployment, endpoint }) => `${deployment.name} ${endpoint.environment}`,
    );
  expect(retiredIn(CONFIG)).toEqual(["protocol-lockup-blast-mainnet testing"]);
  expect(retiredIn({ ...CONFIG, subgraph: undefined })).toEqual([]);
});

it("chooseEndpoints returns deployments without any URL as unconfigured", () => {
  const { unconfigured } = choose(undefined, { protocols: ["lockup"], multichain: CONFIG.multichain });
  expect(unconfigured).toHaveLength(CHAIN_COUNTS.subgraph);
});
