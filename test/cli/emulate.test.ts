import { describe, expect, it } from "vitest";
import type { EmulatorEndpoint } from "../../emulator/index.ts";
import { PROTOCOL_DEPLOYMENTS } from "../support/chain-counts.ts";
import { run } from "../support/run.ts";
import { startServing } from "../support/start-serving.ts";
import { tempProject } from "../support/temp-project.ts";

describe("emulate", () => {
  it("prints its URLs as text, and serves until it is interrupted", async () => {
    const { first, stop } = await startServing(tempProject().root, ["emulate", "--port", "0"]);
    const url = /^Serving .* on (http:\/\/[\d.]+:\d+)\./m.exec(first)?.[1] ?? "";
    expect(await fetch(url)).toMatchObject({ status: expect.any(Number) });
    const { code, out, err } = await stop();
    expect({ code, err }).toEqual({ code: 0, err: "" });
    await expect(fetch(url)).rejects.toThrow("fetch failed");
    expect(out).toMatch(/^protocol-lockup-sepolia +testing +http:\/\/127\.0\.0\.1:\d+\/\S+$/m);
    expect(out).toContain(`\nServing ${2 * PROTOCOL_DEPLOYMENTS} deployments on ${url}.`);
    expect(out).not.toContain("\u001b[");
  });
});

const OWN = {
  "indexer.graphql":
    "type Stream @entity { id: ID! asset: Asset! amount: BigInt! } type Asset @entity { id: Bytes! symbol: String }",
  "rows.json": '{ "Stream": [{ "id": "1", "asset": "0xAB", "amount": "7" }], "Asset": [{ "id": "0xab" }] }',
  "bad.json": '{ "Stream": [{ "id": "1", "asset": "0xAB", "amout": "7" }] }',
  "text.json": "{",
};

describe("emulate, a custom indexer", () => {
  it("serves its rows", async () => {
    const files = tempProject(OWN);
    const args = ["emulate", "--style", "subgraph", "--entities", "indexer.graphql", "--rows", "rows.json"];
    const { first, stop } = await startServing(files.root, [...args, "--port", "0", "--json"]);
    const endpoints = JSON.parse(first) as EmulatorEndpoint[];
    expect(endpoints).toEqual([
      { deployment: "indexer", style: "subgraph", environment: "testing", url: expect.any(String) },
    ]);
    expect(await ask(endpoints[0]?.url ?? "", "{ streams { id amount asset { id symbol } } }")).toEqual({
      data: { streams: [{ id: "1", amount: "7", asset: { id: "0xab", symbol: null } }] },
    });
    expect(await stop()).toMatchObject({ code: 0 });
  });

  const own = ["--style", "subgraph", "--entities", "indexer.graphql"];
  it.each<[string, string[], RegExp]>([
    ["rows without entities", ["--style", "subgraph", "--rows", "rows.json"], /--style needs --entities/],
    ["rows without other options", ["--rows", "rows.json"], /--rows needs --entities/],
    ["entities without a style", ["--entities", "indexer.graphql"], /--entities needs --style/],
    [
      "a fleet beside a custom indexer",
      [...own, "--fleet", "linea=0.44"],
      /--fleet cannot be combined with --entities/,
    ],
    ["a missing file", [...own, "--rows", "none.json"], /The file "none.json" does not exist/],
    ["a file that is not JSON", [...own, "--rows", "text.json"], /text.json is not JSON/],
    [
      "rows that do not match its entities",
      [...own, "--rows", "bad.json"],
      /bad.json does not hold rows[\s\S]*Stream\[0\]: there is no field "amout", did you mean "amount"\?[\s\S]*Stream\[0\].amount: is missing/,
    ],
    [
      "a setting of the other style",
      [...own, "--row-cap", "5"],
      /--row-cap is not a setting of the subgraph style/,
    ],
    ["a release of the other platform", [...own, "--release", "envio-3.0"], /is a release of envio/],
    ["an invalid chain id", [...own, "--chain-id", "mainnet"], /--chain-id must be an integer/],
    ["a fleet without a release", ["--fleet", "linea"], /--fleet takes <chain>=<release>/],
    ["a fleet of an unknown chain", ["--fleet", "line=0.44"], /"line"[\s\S]*did you mean "linea"/],
    [
      "aggregates of an unknown entity",
      ["--aggregates", "Strem"],
      /--aggregates names "Strem"[\s\S]*did you mean "Stream"/,
    ],
    [
      "entities per chain without a custom indexer",
      ["--per-chain-entities"],
      /--per-chain-entities needs --entities/,
    ],
    ["an unknown release", ["--release", "0.99"], /--release must be a release of envio or graph-node/],
  ])("error: %s", async (_, args, want) => {
    const { code, out, err } = await run(tempProject(OWN).root, ["emulate", ...args, "--port", "0"]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(want);
  });
});

async function ask(url: string, query = "{ _meta { block { number } } }"): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query }),
  });
  return response.json();
}
