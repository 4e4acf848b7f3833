import { describe, expect, it } from "vitest";
import { protocolNames } from "../../src/generate/manifest/manifest-types.ts";
import type { Config } from "../../src/project/config.ts";
import { installClient } from "../support/built-client.ts";
import { COMPILERS, IS_THOROUGH } from "../support/is-thorough.ts";
import { loadManifest, manifestFiles, manifestText } from "../support/load-manifest.ts";
import { inFolder } from "../support/repository.ts";
import { tempProject } from "../support/temp-project.ts";
import { rejected, STRICT, typeErrors } from "../support/type-errors.ts";

/** Keys whose names collide with each other, with the manifest, or with JavaScript. */
const KEYS = [
  ..."my-auctions a a1 a-1 a-b a- a--b a-b- a-endpoint a-deployments a-operations a-request".split(" "),
  ..."class default await undefined process global-this arguments eval encode-u-r-i-component".split(" "),
  ..."chain chains deployments operations endpoint has find build request env own object".split(" "),
  ..."resolve-chain has-endpoint build-endpoint find-chain served e p s protocol protocols key".split(" "),
];

const HOSTILE: Config = {
  protocols: {
    lockup: true,
    ...Object.fromEntries(
      KEYS.map((key, index) => [
        key,
        {
          title: "*/ `title` ${key} @tag // <b>",
          chains: ["ethereum", "base"],
          ...[{}, { styles: ["subgraph" as const] }, { styles: ["multichain" as const] }][index % 3],
        },
      ]),
    ),
  },
};

const ONE: Config = { protocols: { "my-auctions": { styles: ["subgraph"], chains: ["ethereum", "base"] } } };

const RETIRED: Config = {
  protocols: { gone: { styles: ["multichain"] } },
  deployments: { "protocol-gone-multichain": { status: "retired" } },
};

const ONLY: Config = { only: { chains: ["ethereum", "base", "optimism"], styles: ["subgraph"] } };

it.each([
  ["lockup", "lockup", "lockupDeployments", "lockupEndpoint", "LockupRequest"],
  ["my-auctions", "myAuctions", "myAuctionsDeployments", "myAuctionsEndpoint", "MyAuctionsRequest"],
  ["a-1", "a_1", "a_1Deployments", "a_1Endpoint", "A_1Request"],
  ["a1", "a1", "a1Deployments", "a1Endpoint", "A1Request"],
  ["a--b-", "a$B$", "a$B$Deployments", "a$B$Endpoint", "A$B$Request"],
  ["class", "class_", "classDeployments", "classEndpoint", "ClassRequest"],
  ["env", "env_", "envDeployments", "envEndpoint", "EnvRequest"],
  ["has", "has", "hasDeployments", "has_Endpoint", "HasRequest"],
  ["endpoint", "endpoint_", "endpointDeployments", "endpointEndpoint", "Endpoint_Request"],
  ["a-endpoint", "aEndpoint_", "aEndpointDeployments", "aEndpointEndpoint", "AEndpointRequest"],
])("the names of protocols of %s", (key, served, deployments, endpoint, request) => {
  expect(protocolNames(key)).toMatchObject({ served, deployments, endpoint, request });
});

describe("the manifest of any protocols", () => {
  it.runIf(IS_THOROUGH)("compiles with strict options, each module alone", async () => {
    const coverage = [{ operation: "Bids", chains: ["base"], missing: ["ethereum"] }];
    const project = tempProject({
      "package.json": '{ "type": "module" }',
      "tsconfig.json": JSON.stringify({
        compilerOptions: STRICT,
        include: ["**/*.ts"],
      }),
      ...inFolder("hostile", manifestFiles(HOSTILE, coverage, "my-auctions")),
      ...inFolder("one", manifestFiles(ONE, coverage, "my-auctions")),
      ...inFolder("only", manifestFiles(ONLY)),
      ...inFolder("retired", manifestFiles(RETIRED)),
      "user.ts": USER,
    });
    installClient(project.root);
    for (const compiler of COMPILERS) {
      expect(await typeErrors(project.root, { compiler }), compiler).toBe("");
    }
  });

  it("returns the endpoint of each, also from its own function", async () => {
    const manifest = await loadManifest(HOSTILE);
    const env = {
      LOCKFLOW_SUBGRAPH_PRODUCTION_URL: "https://gateway.example/{deployment}",
      LOCKFLOW_MULTICHAIN_URL: "https://indexer.example/{protocol}/{id}",
    };
    const functions = manifest as unknown as Readonly<Record<string, typeof manifest.endpoint>>;
    for (const [index, protocol] of KEYS.entries()) {
      const request =
        index % 3 === 2 ? { protocol, style: "multichain" } : { protocol, style: "subgraph", chain: "base" };
      const id = `LOCKFLOW_${protocol.toUpperCase().replaceAll("-", "_")}_ID`;
      const found = manifest.endpoint(request, { ...env, [id]: "x" });
      expect(found.deployment).toBe(`protocol-${protocol}-${index % 3 === 2 ? "multichain" : "base"}`);
      expect(functions[protocolNames(protocol).endpoint]?.(request, { ...env, [id]: "x" })).toEqual(found);
      expect(manifest.hasEndpoint({ protocol, style: "subgraph", chain: "polygon" })).toBe(false);
      expect(Object.keys(manifest.operations)).toContain(protocol);
    }
  });

  it("escapes a title in comments", () => {
    const text = manifestText(HOSTILE);
    expect(text).toContain("The deployments of *\\/ `title` ${key} \\@tag // <b> by name.");
  });

  it("uses the brand in deployment names only if their template contains it", async () => {
    const manifest = await loadManifest({
      protocols: {
        plain: { deployment: "protocol-{suffix}-of-{protocol}" },
        branded: { deployment: "{brand}{suffix}.{protocol}" },
      },
    });
    const env = {
      LOCKFLOW_BRAND: "acme",
      LOCKFLOW_SUBGRAPH_PRODUCTION_URL: "https://a.example/{deployment}",
    };
    const urlOf = (protocol: string) =>
      manifest.endpoint({ protocol, style: "subgraph", chain: "ethereum" }, env).url;
    expect(urlOf("plain")).toBe("https://a.example/protocol-mainnet-of-plain");
    expect(urlOf("branded")).toBe("https://a.example/acmemainnet.branded");
  });

  it("contains only the chains and styles of `only`, and suggests names for others", async () => {
    const manifest = await loadManifest(ONLY);
    expect(Object.keys(manifest.chains)).toEqual(["base", "ethereum", "optimism"]);
    expect(Object.keys(manifest.deployments)).toHaveLength(6);
    expect(() => manifest.resolveChain("polygon")).toThrow(
      /^"polygon" is not a chain\. Try base, ethereum, optimism\.$/,
    );
    expect(() => manifest.resolveChain("optimsm")).toThrow(/Try optimism/);
    expect(manifest.hasEndpoint({ protocol: "lockup", style: "multichain" })).toBe(false);
    const text = manifestText(ONLY);
    expect(text).toContain('export type StyleName = "subgraph";');
    expect(text).not.toContain("polygon");
    // Most of the rest is code.
    expect(text.length).toBeLessThan(manifestText({}).length * 0.65);
  });
});

/** Calls that must compile, and calls that must not. */
const USER = `
import * as hostile from "./hostile/manifest.js";
import * as one from "./one/manifest.js";
import * as only from "./only/manifest.js";
import * as retired from "./retired/manifest.js";

export const urls: string[] = [
  hostile.endpoint({ protocol: "my-auctions", style: "subgraph", chain: "base" }).url,
  hostile.endpoint({ protocol: "a", style: "subgraph", chain: "base", environment: "testing" }).url,
  hostile.myAuctionsEndpoint({ style: "multichain", chain: "ethereum" }).url,
  hostile.a_1Endpoint({ style: "subgraph", chain: "base" }).url,
  hostile.has_Endpoint({ style: "multichain" }).url,
  one.endpoint({ protocol: "my-auctions", style: "subgraph", chain: "base" }).url,
  only.endpoint({ protocol: "lockup", style: "subgraph", chain: "optimism" }).url,
];
export const deployment: hostile.DeploymentName = "protocol-my-auctions-base";
export const requests: [hostile.Endpoint_Request?, hostile.ClassRequest?, hostile.EndpointRequest?] = [];
export const chain: one.OperationChain<"my-auctions", "subgraph", "Bids"> = "base";
export const chains: one.StyleChains["my-auctions"]["subgraph"][] = ["base", "ethereum"];
export const nothing: (request: never) => unknown = retired.endpoint;
${rejected(`
export const otherChain: one.OperationChain<"my-auctions", "subgraph", "Bids"> = "ethereum"; // its operation is valid on another chain only
one.endpoint({ protocol: "my-auctions", style: "subgraph", chain: "polygon" }); // it has no such chain
one.endpoint({ protocol: "my-auctions", style: "multichain" }); // it has no such style
export type None = one.StyleChains["my-auctions"]["multichain"]; // it has no such style
export const style: one.StyleName = "multichain"; // there is no such style at all
only.endpoint({ protocol: "lockup", style: "subgraph", chain: "polygon" }); // it is not among those of only
only.endpoint({ protocol: "flow", style: "multichain" }); // its style is not among those of only
hostile.endpoint({ protocol: "flow", style: "subgraph", chain: "base" }); // it is not a protocol
hostile.endpoint({ protocol: "a", style: "multichain" }); // it is in one style only
retired.endpoint({ protocol: "gone", style: "multichain" }); // nothing is left to be asked
`)}
`;
