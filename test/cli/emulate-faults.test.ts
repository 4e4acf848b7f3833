import { describe, expect, it } from "vitest";
import type { EmulatorEndpoint } from "../../emulator/index.ts";
import { postRaw, statuses } from "../emulator/faults/support.ts";
import { run } from "../support/run.ts";
import { startServing } from "../support/start-serving.ts";
import { tempProject } from "../support/temp-project.ts";

describe("emulate --fault", () => {
  it("plays the given faults, and no others", async () => {
    const faults = [
      "linea=429:30 x2, base=refused",
      "lockup/gnosis=wrong-chain:base",
      "flow/gnosis=latency:3600000",
    ];
    const args = ["emulate", "--port", "0", "--json", ...faults.flatMap((fault) => ["--fault", fault])];
    const { first, stop } = await startServing(tempProject().root, args);
    const endpoints = JSON.parse(first) as EmulatorEndpoint[];
    const url = (name: string) =>
      endpoints.find((one) => one.deployment === name && one.environment === "testing")?.url ?? "";

    expect(await postRaw(url("protocol-lockup-linea"))).toMatchObject({
      status: 429,
      headers: { "retry-after": "30" },
    });
    expect(await statuses(url("protocol-flow-linea"), 2)).toEqual([429, 200]);
    expect(await postRaw(url("protocol-flow-base"))).toMatchObject({ error: "ECONNREFUSED" });
    expect((await postRaw(url("protocol-lockup-gnosis"), "{ watchers { chainId } }")).body).toBe(
      '{"data":{"watchers":[{"chainId":"8453"}]}}',
    );
    const waiting = postRaw(url("protocol-flow-gnosis"));
    expect(await statuses(url("protocol-lockup-mode-mainnet"), 1)).toEqual([200]);

    // A waiting request does not delay the end.
    expect(await stop()).toMatchObject({ code: 0 });
    expect(await waiting).toMatchObject({ status: 0 });
  });

  it.each([
    ["latancy:5", /There is no fault of kind "latancy".*did you mean "latency"/s],
    ["linia=500", /Unknown deployment or chain "linia".*did you mean "linea"/s],
    ["subgraf=500", /Unknown deployment or chain "subgraf".*did you mean "subgraph"/s],
    ["linea=drop-field:Stream.sendr", /Stream has no field "sendr".*did you mean "sender"/s],
    ["multichain=release:graph-node-0.44", /has no effect on the endpoints that it was set for/],
  ])("does not start with %s", async (fault, message) => {
    const { code, out, err } = await run(tempProject().root, ["emulate", "--port", "0", "--fault", fault]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(message);
  });
});
