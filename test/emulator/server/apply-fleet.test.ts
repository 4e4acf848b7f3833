import { describe, expect, it } from "vitest";
import { type EmulatorEndpoint, type EmulatorOptions, startEmulator } from "../../../emulator/index.ts";
import { post } from "../support.ts";

const ROOTS =
  '{ __type(name: "Query") { fields { name } } a: __type(name: "query_root") { fields { name } } }';

/** Returns whether the deployment of an endpoint has `_logs`, which graph-node 0.44 added. */
async function hasLogs({ url }: EmulatorEndpoint): Promise<boolean> {
  const response = await post(url, { query: ROOTS }, { authorization: `Bearer ${"a".repeat(32)}` });
  return (await response.text()).includes('"_logs"');
}

async function withLogs(options: EmulatorOptions): Promise<string[]> {
  await using emulator = await startEmulator(options);
  const names: string[] = [];
  for (const endpoint of emulator.endpoints) {
    const { deployment, style } = endpoint;
    // A few of the subgraphs are enough.
    if (style !== "subgraph" || !/-(linea|mainnet|zksync)$/.test(deployment)) continue;
    if (!names.includes(deployment) && (await hasLogs(endpoint))) names.push(deployment);
  }
  return names.sort();
}

describe("the option fleet", () => {
  it.each<[string, EmulatorOptions["fleet"], string[]]>([
    ["by key", { linea: "graph-node-0.44" }, ["protocol-flow-linea", "protocol-lockup-linea"]],
    ["by chain id", { "59144": "0.44" }, ["protocol-flow-linea", "protocol-lockup-linea"]],
    ["by name of a deployment", { "protocol-flow-linea": "graph-node-0.44" }, ["protocol-flow-linea"]],
    [
      "with the most specific key first",
      { "protocol-flow-linea": "0.43", linea: "0.44", subgraph: "0.42" },
      ["protocol-lockup-linea"],
    ],
    ["of releases before 0.44", { linea: "graph-node-0.43.2" }, []],
  ])("sets releases, %s", async (_, fleet, want) => {
    expect(await withLogs({ fleet })).toEqual(want);
  });

  it("sets the release of all deployments of a style", async () => {
    const names = await withLogs({ fleet: { subgraph: "graph-node-0.44" } });
    expect(names.length).toBeGreaterThan(5);
  });

  it("sets the release of the multichain deployments of a chain", async () => {
    await using emulator = await startEmulator({ fleet: { linea: "envio-3.8" } });
    const endpoint = emulator.endpoints.find(({ style }) => style === "multichain");
    const query = '{ __type(name: "chain_metadata") { fields { name } } }';
    const response = await post(endpoint?.url ?? "", { query });
    expect(await response.text()).toContain('"ecosystem"');
  });

  it("a deployment accepts a release with a patch version", async () => {
    const deployment = {
      name: "mine",
      protocol: "lockup",
      style: "subgraph",
      chainIds: [59144],
      environments: ["testing"],
      release: "graph-node-0.44.1",
    } as const;
    await using emulator = await startEmulator({ deployments: [deployment] });
    const [endpoint] = emulator.endpoints;
    expect(endpoint && (await hasLogs(endpoint))).toBe(true);
  });

  it.each<[EmulatorOptions["fleet"], RegExp]>([
    [{ line: "graph-node-0.44" }, /no chain, no deployment and no style "line"[\s\S]*"linea"/],
    [{ linea: "graph-node-0.46" }, /"graph-node-0.46"[^.]* is not a release of its platform[\s\S]*0.34/],
    [
      { "protocol-flow-linea": "envio-3.8" },
      /"protocol-flow-linea" has no deployment of the multichain style/,
    ],
  ])("error: %j", async (fleet, want) => {
    await expect(startEmulator({ fleet })).rejects.toThrow(want);
  });
});
