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
  it("select deployments by name", async () => {
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
    ["an unknown option", { sed: "a" }, /^startEmulator has no option "sed"\.[\s\S]*"seed"/],
    ["an option with an inherited name", { constructor: 1 }, /^startEmulator has no option "constructor"/],
    [
      "a port as a string",
      { port: "4350" },
      /^"port" must be a whole number from 0 to 65535, but is a text\./,
    ],
    ["a port out of range", { port: 65_536 }, /^"port" must .* but is 65536\./],
    ["a public host", { host: "0.0.0.0" }, /^"host" must be "127\.0\.0\.1"/],
    ["a seed as a number", { seed: 1 }, /^"seed" must be a text, but is 1\./],
    ["a time without a zone", { asOf: "2026-01-31T12:00" }, /^"asOf" must be "now" or a time such as/],
    ["an invalid date", { asOf: "2026-13-31" }, /^"asOf" must be/],
    ["a fraction of a stream", { streams: 0.5 }, /^"streams" must be a whole number/],
    ["too many streams", { streams: 1e9 }, /^"streams" must be a whole number from 0 to 1000000/],
    [
      "a key that is not in a list",
      { apiKeys: "s3cret" },
      /^"apiKeys" must be a list of keys, but is a text\./,
    ],
    ["a key object without a key", { apiKeys: [{ domains: [] }] }, /^"apiKeys" must be a list of keys/],
    [
      "a misspelled limit of a key",
      { apiKeys: [{ key: "a", domain: [] }] },
      /"apiKeys\.domain"[\s\S]*"domains"/,
    ],
    [
      "multichain keys that are not strings",
      { multichainKeys: [1] },
      /^"multichainKeys" must be a list of texts/,
    ],
    ["settings as a string", { settings: "x" }, /^"settings" must be an object, but is a text\./],
    [
      "aggregates as a string",
      { settings: { aggregates: "Stream" } },
      /^"settings\.aggregates" must be a list/,
    ],
    [
      "a misspelled setting",
      { settings: { aggregate: ["Stream"] } },
      /"settings\.aggregate"[\s\S]*"aggregates"/,
    ],
    [
      "an invalid setting of one deployment",
      { deployments: [{ ...DEPLOYMENT, settings: { rowCap: "none" } }] },
      /^"deployments\[\]\.settings\.rowCap" must be a whole number, or null for none, but is a text\./,
    ],
    [
      "an invalid setting of an indexer",
      { indexers: [{ ...OWN, settings: { boolFilters: "no" } }] },
      /^"indexers\[\]\.settings\.boolFilters" must be true or false/,
    ],
    [
      "a deployment without chains",
      { deployments: [{ ...DEPLOYMENT, chainIds: [] }] },
      /^"deployments\[0\]\.chainIds" must be a list of chain ids, but is an empty list\./,
    ],
    [
      "a release as a number",
      { fleet: { linea: 3 } },
      /^"fleet" must be an object of releases by name, but is an object with an invalid value\./,
    ],
    ["a negative number of queries", { dailyQueries: -1 }, /^"dailyQueries" must be a whole number/],
    ["a clock that is not a function", { now: 1 }, /^"now" must be a function, but is 1\./],
    ["a flag as a string", { live: "yes" }, /^"live" must be true or false/],
    [
      "a fault that is not in a list",
      { faults: { kind: "429" } },
      /^"faults" must be a list of faults, but is an object\./,
    ],
    ["an unknown deployment", { deployments: ["name"] }, /^There is no deployment "name"\./],
    [
      "a misspelled deployment",
      { deployments: ["protocol-lockup-mainet"] },
      /^There is no deployment "protocol-lockup-mainet"\.[\s\S]*"protocol-lockup-mainnet"/,
    ],
    [
      "deployments as a string",
      { deployments: "a" },
      /^"deployments" must be a list of deployments, or of their names/,
    ],
    ["null as a deployment", { deployments: [null] }, /^"deployments" must be a list of deployments/],
    [
      "a deployment with missing fields",
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
    ["an indexer as a string", { indexers: ["a"] }, /^"indexers" must be a list of indexers/],
    [
      "an indexer without entities",
      { indexers: [{ style: "subgraph" }] },
      /^"indexers\[0\]\.entities" .* missing/,
    ],
    [
      "rows as a string",
      { indexers: [{ ...OWN, rows: "[]" }] },
      /^"indexers\[0\]\.rows" must be an object or/,
    ],
    ["a list of releases", { fleet: ["graph-node-0.44"] }, /^"fleet" must be an object of releases/],
    ["settings that are a string", { settings: "a" }, /^"settings" must be an object/],
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
