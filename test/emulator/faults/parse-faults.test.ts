import { describe, expect, it } from "vitest";
import { parseFaults } from "../../../emulator/faults/parse-faults.ts";
import { UsageError } from "../../../src/base/errors.ts";
import { catchError } from "../../support/catch-error.ts";

const PROTOCOLS = ["lockup", "auctions"];

describe("parseFaults", () => {
  it.each<[text: string, want: readonly unknown[]]>([
    ["500", [{ kind: "500" }]],
    ["all=introspection-off", [{ kind: "introspection-off" }]],
    ["linea=429:30 x3", [{ kind: "429", deployment: "linea", retryAfter: 30, next: 3 }]],
    ["latency:2000 10%", [{ kind: "latency", milliseconds: 2000, probability: 0.1 }]],
    ["latency:5 0.5%", [{ kind: "latency", milliseconds: 5, probability: 0.005 }]],
    [
      "zksync=drop-field:Stream.intactAmount",
      [{ kind: "drop-field", deployment: "zksync", field: "Stream.intactAmount" }],
    ],
    [
      "base=rename-field:Stream.sender:payer",
      [{ kind: "rename-field", deployment: "base", field: "Stream.sender", to: "payer" }],
    ],
    [
      "base=retype-field:Stream.tokenId:[String!]!",
      [{ kind: "retype-field", deployment: "base", field: "Stream.tokenId", type: "[String!]!" }],
    ],
    ["mode=release:graph-node-0.44", [{ kind: "release", deployment: "mode", release: "graph-node-0.44" }]],
    [
      "sonic=flapping:graph-node-0.40:graph-node-0.44",
      [{ kind: "flapping", deployment: "sonic", first: "graph-node-0.40", second: "graph-node-0.44" }],
    ],
    ["linea=wrong-chain:base", [{ kind: "wrong-chain", deployment: "linea", chain: "base" }]],
    ["linea=lagging-head:5000", [{ kind: "lagging-head", deployment: "linea", blocks: 5000 }]],
    [
      "multichain=lagging-head:5000:linea",
      [{ kind: "lagging-head", style: "multichain", blocks: 5000, chain: "linea" }],
    ],
    ["linea=stuck-head", [{ kind: "stuck-head", deployment: "linea" }]],
    [
      "lockup/linea/testing=reset:body",
      [{ kind: "reset", protocol: "lockup", deployment: "linea", environment: "testing", at: "body" }],
    ],
    ["auctions/subgraph=404", [{ kind: "404", protocol: "auctions", style: "subgraph" }]],
    // A word that is not a protocol may be the name of a deployment.
    ["flow=404", [{ kind: "404", deployment: "flow" }]],
    ["errors-beside-data:a = b: c", [{ kind: "errors-beside-data", message: "a = b:c" }]],
    [
      "linea=401, latency:1 x2",
      [
        { kind: "401", deployment: "linea" },
        { kind: "latency", milliseconds: 1, next: 2 },
      ],
    ],
    ["op mainnet=404", [{ kind: "404", deployment: "op mainnet" }]],
  ])("%s", (text, want) => {
    expect(parseFaults([text], PROTOCOLS)).toEqual(want);
  });

  it("parses several texts", () => {
    expect(parseFaults(["401", "402"], PROTOCOLS)).toEqual([{ kind: "401" }, { kind: "402" }]);
    expect(parseFaults([], PROTOCOLS)).toEqual([]);
  });

  it.each<[text: string, message: RegExp]>([
    ["latancy:5", /There is no fault of kind "latancy".*in --fault "latancy:5".*did you mean "latency"/s],
    ["", /There is no fault of kind ""/],
    ["linea=", /There is no fault of kind ""/],
    ["=500", /"" does not name an endpoint/],
    ["linea/base=500", /"linea\/base" does not name an endpoint/],
    ["latency", /needs "milliseconds"/],
    ["latency:soon", /"milliseconds" of a fault "latency" is a whole number from 1 to 3600000, not "soon"/],
    ["500:1", /A fault "500" takes no value, but has "1"/],
    ["refused 10%", /A fault "refused" has no "probability"/],
    ["500 x0", /"next" of a fault "500" is a whole number from 1, not 0/],
    ["500 200%", /"probability" of a fault "500" is a number from 0 to 1, not 2/],
    ["drop-field:Stream", /two names with a dot/],
  ])("error: %j", (text, message) => {
    const error = catchError(() => parseFaults([text], PROTOCOLS));
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).message).toMatch(message);
  });
});
