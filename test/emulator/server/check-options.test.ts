import { describe, expect, it } from "vitest";
import { type EmulatorOptions, startEmulator } from "../../../emulator/server/start-emulator.ts";
import { EmulatorError } from "../../../src/base/errors.ts";

const DEPLOYMENT = {
  name: "a",
  protocol: "lockup",
  style: "subgraph",
  chainIds: [1],
  environments: ["testing"],
};
const OWN = { style: "subgraph", entities: "type A @entity { id: ID! }" };

describe("the options of startEmulator", () => {
  it("may name deployments", async () => {
    await using emulator = await startEmulator({
      deployments: ["protocol-flow-base", "protocol-lockup-form"],
    });
    expect(emulator.endpoints.map(({ deployment, environment }) => [deployment, environment])).toEqual([
      ["protocol-flow-base", "production"],
      ["protocol-flow-base", "testing"],
      ["protocol-lockup-form", "production"],
    ]);
  });

  it.each<[name: string, options: unknown, want: RegExp]>([
    ["null", null, /^The options have to be an object, but are null\./],
    ["a list", [], /^The options have to be an object, but are an empty list\./],
    ["an unknown one", { sed: "a" }, /^startEmulator has no option "sed"\.[\s\S]*"seed"/],
    ["what every object inherits", { constructor: 1 }, /^startEmulator has no option "constructor"/],
    ["a port as text", { port: "4350" }, /^"port" must be a whole number from 0 to 65535, but is a text\./],
    ["a port that is none", { port: 65_536 }, /^"port" must .* but is 65536\./],
    ["a host that all can reach", { host: "0.0.0.0" }, /^"host" must be "127\.0\.0\.1"/],
    ["a seed by number", { seed: 1 }, /^"seed" must be a text, but is 1\./],
    ["a time without a zone", { asOf: "2026-01-31T12:00" }, /^"asOf" must be "now" or a time such as/],
    ["a day that is not", { asOf: "2026-13-31" }, /^"asOf" must be/],
    ["half a stream", { streams: 0.5 }, /^"streams" must be a whole number/],
    ["streams without end", { streams: 1e9 }, /^"streams" must be a whole number from 0 to 1000000/],
    ["a key alone", { apiKeys: "s3cret" }, /^"apiKeys" must be a list of keys, but is a text\./],
    ["a key without one", { apiKeys: [{ domains: [] }] }, /^"apiKeys" must be a list of keys/],
    [
      "a misspelt limit of a key",
      { apiKeys: [{ key: "a", domain: [] }] },
      /"apiKeys\.domain"[\s\S]*"domains"/,
    ],
    ["multichain keys", { multichainKeys: [1] }, /^"multichainKeys" must be a list of texts/],
    ["settings that are none", { settings: "x" }, /^"settings" must be an object, but is a text\./],
    [
      "one entity with aggregates",
      { settings: { aggregates: "Stream" } },
      /^"settings\.aggregates" must be a list/,
    ],
    [
      "a misspelt setting",
      { settings: { aggregate: ["Stream"] } },
      /"settings\.aggregate"[\s\S]*"aggregates"/,
    ],
    [
      "a setting of one deployment",
      { deployments: [{ ...DEPLOYMENT, settings: { rowCap: "none" } }] },
      /^"deployments\[\]\.settings\.rowCap" must be a whole number, or null for none, but is a text\./,
    ],
    [
      "a setting of an indexer",
      { indexers: [{ ...OWN, settings: { boolFilters: "no" } }] },
      /^"indexers\[\]\.settings\.boolFilters" must be true or false/,
    ],
    [
      "a deployment of no chain",
      { deployments: [{ ...DEPLOYMENT, chainIds: [] }] },
      /^"deployments\[0\]\.chainIds" must be a list of chain ids, but is an empty list\./,
    ],
    [
      "a release by number",
      { fleet: { linea: 3 } },
      /^"fleet" must be an object of releases by name, but is an object with an invalid value\./,
    ],
    ["fewer than no queries", { dailyQueries: -1 }, /^"dailyQueries" must be a whole number/],
    ["a clock that stands", { now: 1 }, /^"now" must be a function, but is 1\./],
    ["a flag as text", { live: "yes" }, /^"live" must be true or false/],
    ["one fault", { faults: { kind: "429" } }, /^"faults" must be a list of faults, but is an object\./],
    ["a name that is none", { deployments: ["name"] }, /^There is no deployment "name"\./],
    [
      "a slip of the hand",
      { deployments: ["protocol-lockup-mainet"] },
      /^There is no deployment "protocol-lockup-mainet"\.[\s\S]*"protocol-lockup-mainnet"/,
    ],
    [
      "no list of deployments",
      { deployments: "a" },
      /^"deployments" must be a list of deployments, or of their names/,
    ],
    ["null for a deployment", { deployments: [null] }, /^"deployments" must be a list of deployments/],
    [
      "half a deployment",
      { deployments: [DEPLOYMENT, { name: "b" }] },
      /^"deployments\[1\]\.protocol" must be the key of a protocol, but is missing\./,
    ],
    [
      "an unknown style",
      { deployments: [{ ...DEPLOYMENT, style: "subgraphs" }] },
      /^"deployments\[0\]\.style" must be "multichain" or "subgraph"/,
    ],
    [
      "a chain by name",
      { deployments: [{ ...DEPLOYMENT, chainIds: ["base"] }] },
      /^"deployments\[0\]\.chainIds" must be a list of chain ids/,
    ],
    ["an indexer as text", { indexers: ["a"] }, /^"indexers" must be a list of indexers/],
    [
      "an indexer without entities",
      { indexers: [{ style: "subgraph" }] },
      /^"indexers\[0\]\.entities" .* missing/,
    ],
    ["rows as text", { indexers: [{ ...OWN, rows: "[]" }] }, /^"indexers\[0\]\.rows" must be an object or/],
    ["a list of releases", { fleet: ["graph-node-0.44"] }, /^"fleet" must be an object of releases/],
    ["settings as text", { settings: "a" }, /^"settings" must be an object/],
  ])("error: %s", async (_, options, want) => {
    const error = await startEmulator(options as EmulatorOptions).then(
      (emulator) => emulator.close(),
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(EmulatorError);
    expect((error as EmulatorError).message).toMatch(want);
    expect((error as EmulatorError).message).not.toContain("s3cret");
  });
});
