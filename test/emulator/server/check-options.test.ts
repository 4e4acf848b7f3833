import { describe, expect, it } from "vitest";
import { type EmulatorOptions, startEmulator } from "../../../emulator/server/start-emulator.ts";
import { EmulatorError } from "../../../src/base/errors.ts";
import { emulate } from "../support.ts";

const PLACE = { chainIds: [1], environments: ["testing"] };
const DEPLOYMENT = { name: "a", protocol: "lockup", style: "subgraph", ...PLACE };
const OWN = { style: "subgraph", entities: "type A @entity { id: ID! }" };

describe("the options of startEmulator", () => {
  it("select deployments by name", async () => {
    const { endpoints } = await emulate({ deployments: ["protocol-flow-base", "protocol-lockup-form"] });
    expect(endpoints.map(({ deployment, environment }) => `${deployment} ${environment}`)).toEqual([
      "protocol-flow-base production",
      "protocol-flow-base testing",
      "protocol-lockup-form production",
    ]);
  });

  it.each<[options: unknown, want: RegExp]>([
    [null, /^The options have to be an object, but are null\./],
    [[], /^The options have to be an object, but are an empty list\./],
    [{ sed: "a" }, /^startEmulator has no option "sed"\.[\s\S]*"seed"/],
    [{ constructor: 1 }, /^startEmulator has no option "constructor"/],
    [{ port: "4350" }, /^"port" must be a whole number from 0 to 65535, but is a text\./],
    [{ port: 65_536 }, /^"port" must .* but is 65536\./],
    [{ host: "0.0.0.0" }, /^"host" must be "127\.0\.0\.1"/],
    [{ seed: 1 }, /^"seed" must be a text, but is 1\./],
    [{ asOf: "2026-01-31T12:00" }, /^"asOf" must be "now" or a time such as/],
    [{ asOf: "2026-13-31" }, /^"asOf" must be/],
    [{ streams: 0.5 }, /^"streams" must be a whole number/],
    [{ streams: 1e9 }, /^"streams" must be a whole number from 0 to 1000000/],
    [{ apiKeys: "s3cret" }, /^"apiKeys" must be a list of keys, but is a text\./],
    [{ apiKeys: [{ domains: [] }] }, /^"apiKeys" must be a list of keys/],
    [{ apiKeys: [{ key: "a", domain: [] }] }, /"apiKeys\.domain"[\s\S]*"domains"/],
    [{ multichainKeys: [1] }, /^"multichainKeys" must be a list of texts/],
    [{ settings: "x" }, /^"settings" must be an object, but is a text\./],
    [{ settings: { aggregates: "Stream" } }, /^"settings\.aggregates" must be a list/],
    [{ settings: { aggregate: ["Stream"] } }, /"settings\.aggregate"[\s\S]*"aggregates"/],
    [
      { deployments: [{ ...DEPLOYMENT, settings: { rowCap: "none" } }] },
      /^"deployments\[\]\.settings\.rowCap" must be a whole number, or null for none, but is a text\./,
    ],
    [
      { indexers: [{ ...OWN, settings: { boolFilters: "no" } }] },
      /^"indexers\[\]\.settings\.boolFilters" must be true or false/,
    ],
    [
      { deployments: [{ ...DEPLOYMENT, chainIds: [] }] },
      /^"deployments\[0\]\.chainIds" must be a list of chain ids, but is an empty list\./,
    ],
    [
      { fleet: { linea: 3 } },
      /^"fleet" must be an object of releases by name, but is an object with an invalid value\./,
    ],
    [{ dailyQueries: -1 }, /^"dailyQueries" must be a whole number/],
    [{ now: 1 }, /^"now" must be a function, but is 1\./],
    [{ live: "yes" }, /^"live" must be true or false/],
    [{ faults: { kind: "429" } }, /^"faults" must be a list of faults, but is an object\./],
    [{ deployments: ["name"] }, /^Unknown deployment "name"\./],
    [
      { deployments: ["protocol-lockup-mainet"] },
      /^Unknown deployment "protocol-lockup-mainet"\.[\s\S]*"protocol-lockup-mainnet"/,
    ],
    [{ deployments: "a" }, /^"deployments" must be a list of deployments, or of their names/],
    [{ deployments: [null] }, /^"deployments" must be a list of deployments/],
    [
      { deployments: [DEPLOYMENT, { name: "b" }] },
      /^"deployments\[1\]\.protocol" must be the key of a protocol, but is missing\./,
    ],
    [
      { deployments: [{ ...DEPLOYMENT, style: "subgraphs" }] },
      /^"deployments\[0\]\.style" must be "multichain" or "subgraph"/,
    ],
    [
      { deployments: [{ ...DEPLOYMENT, chainIds: ["base"] }] },
      /^"deployments\[0\]\.chainIds" must be a list of chain ids/,
    ],
    [{ indexers: ["a"] }, /^"indexers" must be a list of indexers/],
    [{ indexers: [{ style: "subgraph" }] }, /^"indexers\[0\]\.entities" .* missing/],
    [{ indexers: [{ ...OWN, rows: "[]" }] }, /^"indexers\[0\]\.rows" must be an object or/],
    [{ fleet: ["graph-node-0.44"] }, /^"fleet" must be an object of releases/],
    [{ settings: "a" }, /^"settings" must be an object/],
  ])("error: %j", async (options, want) => {
    const error = await startEmulator(options as EmulatorOptions).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(EmulatorError);
    expect((error as EmulatorError).message).toMatch(want);
    expect((error as EmulatorError).message).not.toContain("s3cret");
  });
});
