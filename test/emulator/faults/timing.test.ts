import { describe, expect, it } from "vitest";
import type { Fault } from "../../../emulator/faults/fault.ts";
import { IS_THOROUGH } from "../../support/is-thorough.ts";
import { emulate, HEALTH, post } from "../support.ts";
import { postRaw, statuses, urlOf } from "./support.ts";

const BASE = "protocol-lockup-base";

describe("the scope of a fault", () => {
  const broken = async (fault: Fault) => {
    const emulator = await emulate({ faults: [fault] });
    const names: string[] = [];
    for (const { deployment, environment, url } of emulator.endpoints) {
      if (!/base$|gnosis|multichain/.test(deployment)) continue;
      const { status } = await post(url, { query: HEALTH }, { authorization: "Bearer key" });
      if (status === 500) names.push(`${deployment} ${environment}`);
    }
    return names.sort();
  };
  const SUBGRAPHS = ["flow-base", "flow-gnosis", "lockup-base", "lockup-gnosis"];
  const both = (names: readonly string[]) =>
    names.flatMap((name) => [`protocol-${name} production`, `protocol-${name} testing`]);
  const MULTICHAIN = ["protocol-flow-multichain production", "protocol-lockup-multichain production"];

  it.each<[name: string, scope: object, want: readonly string[]]>([
    ["everything", {}, [...both(SUBGRAPHS), ...MULTICHAIN].sort()],
    ["a deployment", { deployment: BASE }, both(["lockup-base"])],
    ["a chain by key", { deployment: "gnosis" }, both(["flow-gnosis", "lockup-gnosis"])],
    // The multichain deployments list this chain first, but also serve others.
    ["a chain by key, without multichain deployments", { deployment: "abstract" }, []],
    ["a chain by alias", { deployment: "xdai" }, both(["flow-gnosis", "lockup-gnosis"])],
    ["a chain by id", { deployment: "100" }, both(["flow-gnosis", "lockup-gnosis"])],
    ["a style", { style: "multichain" }, MULTICHAIN],
    ["a protocol", { protocol: "flow" }, [...both(["flow-base", "flow-gnosis"]), ...MULTICHAIN.slice(0, 1)]],
    [
      "all of these",
      { deployment: "base", protocol: "flow", style: "subgraph", environment: "testing" },
      ["protocol-flow-base testing"],
    ],
  ])("is %s", async (_, scope, want) => {
    expect(await broken({ kind: "500", ...scope })).toEqual(want);
  });
});

describe("the timing of a fault", () => {
  it("with next counts the requests of all its endpoints together", async () => {
    const emulator = await emulate({ faults: [{ kind: "500", deployment: "base", next: 3 }] });
    expect(await statuses(urlOf(emulator, BASE), 2)).toEqual([500, 500]);
    expect(await statuses(urlOf(emulator, "protocol-flow-base"), 3)).toEqual([500, 200, 200]);
    expect(await statuses(urlOf(emulator, BASE), 1)).toEqual([200]);
  });

  it("with a probability depends on the seed, the endpoint and the request number", async () => {
    const faults: Fault[] = [{ kind: "500", probability: 0.5 }];
    const run = async (seed: string, name = BASE) =>
      (await statuses(urlOf(await emulate({ seed, faults }), name), 40)).join(" ");
    const first = await run("one");
    expect(await run("one")).toBe(first);
    expect(await run("two")).not.toBe(first);
    expect(await run("one", "protocol-flow-base")).not.toBe(first);
    const failed = first.split(" ").filter((status) => status === "500").length;
    expect(failed).toBeGreaterThan(10);
    expect(failed).toBeLessThan(30);
  });

  it.runIf(IS_THOROUGH)("with a probability is independent for each fault", async () => {
    const faults: Fault[] = [
      { kind: "500", probability: 0.5 },
      { kind: "401", probability: 0.5 },
    ];
    const codes = await statuses(urlOf(await emulate({ faults }), BASE), 60);
    expect([...new Set(codes)].sort()).toEqual([200, 401, 500]);
  });

  it.each([
    [0, [200, 200, 200, 200]],
    [1, [500, 500, 500, 500]],
  ])("is never or always with a probability of %d", async (probability, want) => {
    const emulator = await emulate({ faults: [{ kind: "500", probability }] });
    expect(await statuses(urlOf(emulator, BASE), 4)).toEqual(want);
  });
});

describe("several faults", () => {
  it("apply in the order latency, reset, status; of two statuses the first one", async () => {
    const emulator = await emulate({
      faults: [
        { kind: "401", next: 2 },
        { kind: "500", next: 1 },
        { kind: "reset", next: 1 },
        { kind: "latency", milliseconds: 40, next: 1 },
      ],
    });
    const url = urlOf(emulator, BASE);
    const start = performance.now();
    expect(await postRaw(url)).toMatchObject({ status: 0, error: "ECONNRESET" });
    expect(performance.now() - start).toBeGreaterThan(35);
    // The first request consumed neither status fault.
    expect(await statuses(url, 4)).toEqual([401, 401, 500, 200]);
  });

  it("truncate a body once, as the first of them, and add up their sizes", async () => {
    const emulator = await emulate({
      faults: [
        { kind: "truncated-json" },
        { kind: "reset", at: "body" },
        { kind: "huge-body", megabytes: 1 },
        { kind: "huge-body", megabytes: 1 },
      ],
    });
    const { status, headers, body, error } = await postRaw(urlOf(emulator, BASE));
    expect([status, error]).toEqual([200, null]);
    expect(headers["content-length"]).toBe(String(body.length));
    expect(body.length).toBeGreaterThan(1024 * 1024);
    expect(body.length).toBeLessThan(1024 * 1024 + 1000);
  });

  it("combine in one answer", async () => {
    const emulator = await emulate({
      faults: [
        { kind: "deep-body", levels: 3 },
        { kind: "errors-beside-data", message: "half" },
        { kind: "wrong-chain", chain: "gnosis", deployment: "base" },
      ],
    });
    const { body } = await postRaw(urlOf(emulator, BASE), "{ watchers { chainId } }");
    expect(JSON.parse(body)).toEqual({
      data: { deep: [[[]]], watchers: [{ chainId: "100" }] },
      errors: [{ message: "half" }],
    });
  });
});

describe("a fault of a running emulator", () => {
  it("applies until it is lifted", async () => {
    const emulator = await emulate();
    const url = urlOf(emulator, BASE);
    expect(await statuses(url, 1)).toEqual([200]);
    const fault = await emulator.fault({ kind: "500", deployment: BASE });
    expect(await statuses(url, 2)).toEqual([500, 500]);
    fault.lift();
    fault.lift();
    expect(await statuses(url, 1)).toEqual([200]);
    {
      using _ = await emulator.fault({ kind: "404" });
      expect(await statuses(url, 1)).toEqual([404]);
    }
    expect(await statuses(url, 1)).toEqual([200]);
  });

  it("ends with clearFaults", async () => {
    const emulator = await emulate({ faults: [{ kind: "500" }] });
    await emulator.fault({ kind: "latency", milliseconds: 1 });
    emulator.clearFaults();
    emulator.clearFaults();
    expect(await statuses(urlOf(emulator, BASE), 1)).toEqual([200]);
  });

  it("error: an invalid fault is not set", async () => {
    const emulator = await emulate();
    const set = emulator.fault({ kind: "nope" } as never);
    await expect(set).rejects.toMatchObject({ code: "EMULATOR_INVALID_FAULT" });
    expect(await statuses(urlOf(emulator, BASE), 1)).toEqual([200]);
  });
});
