import { describe, expect, it } from "vitest";
import type { Fault } from "../../../emulator/faults/fault.ts";
import type { Emulator } from "../../../emulator/server/start-emulator.ts";
import { run } from "../../support/run.ts";
import { tempProject } from "../../support/temp-project.ts";
import { emulate } from "../support.ts";

/** The lockup subgraphs to introspect. */
const CHAINS = [
  "mainnet",
  "base",
  "gnosis",
  "arbitrum-one",
  "avalanche",
  "bsc",
  "linea",
  "mode-mainnet",
  "optimism",
  "polygon",
  "sepolia",
  "unichain",
  "zksync",
];

/** Creates a project whose lockup subgraphs are those of an emulator. */
function projectOf({ endpoints }: Emulator) {
  const served = endpoints.filter(
    ({ deployment, environment }) =>
      environment === "testing" && CHAINS.some((suffix) => deployment === `protocol-lockup-${suffix}`),
  );
  const deployments = Object.fromEntries(
    served.map(({ deployment, url }) => [deployment, { testing: { url } }]),
  );
  return tempProject({ "lockflow.config.json": JSON.stringify({ protocols: ["lockup"], deployments }) });
}

describe("introspecting a fleet with faults", () => {
  it("reports the fault of each deployment, and keeps the snapshot", async () => {
    const emulator = await emulate();
    const project = projectOf(emulator);
    expect(await run(project.root, ["introspect"])).toMatchObject({ code: 0 });
    const before = project.files("generated");

    const set = (suffix: string, fault: Fault) =>
      emulator.fault({ ...fault, deployment: `protocol-lockup-${suffix}` });
    const suffered: readonly (readonly [suffix: string, fault: Fault, says: RegExp])[] = [
      ["base", { kind: "429", retryAfter: 30 }, /quota is used up \(HTTP 429\); it asks to wait 30 s/],
      ["gnosis", { kind: "502" }, /answered HTTP 502/],
      [
        "arbitrum-one",
        { kind: "wrong-chain", chain: "base" },
        /serves base \(chain id 8453\) instead of arbitrum/,
      ],
      ["avalanche", { kind: "wrong-protocol" }, /serves flow instead of lockup/],
      ["bsc", { kind: "truncated-json" }, /not JSON, or was cut off/],
      ["linea", { kind: "reset", at: "body" }, /the connection was closed before the answer was complete/],
      [
        "mode-mainnet",
        { kind: "introspection-off" },
        /does not answer introspection: introspection is disabled/,
      ],
      ["optimism", { kind: "401" }, /refused access \(HTTP 401\)/],
      ["polygon", { kind: "huge-body", megabytes: 17 }, /larger than 16 MB/],
    ];
    for (const [suffix, fault] of suffered) await set(suffix, fault);
    await set("sepolia", { kind: "indexing-error" });
    await set("unichain", { kind: "deep-body", levels: 100_000 });
    await set("zksync", { kind: "release", release: "graph-node-0.44" });

    const { code, out } = await run(project.root, ["introspect"]);
    for (const [suffix, , says] of suffered) {
      const line = out.split("\n").find((text) => text.startsWith(`  protocol-lockup-${suffix}: `));
      expect(line, suffix).toMatch(says);
    }
    // A wrong chain or protocol is only a finding, but unreachable deployments exit with 2.
    expect(code).toBe(2);
    expect(out).toContain(`Introspected ${CHAINS.length - suffered.length} of ${CHAINS.length} deployments.`);
    const after = project.files("generated");
    const SNAPSHOT = "generated/schemas/lockup/subgraph.graphql";
    expect(after[SNAPSHOT]).toBe(before[SNAPSHOT]);
    expect(Object.values(after).join()).not.toContain("127.0.0.1");
  });

  it("reports the chain with a different schema", async () => {
    const emulator = await emulate({
      faults: [
        { kind: "drop-field", field: "Stream.intactAmount", deployment: "zksync" },
        { kind: "release", release: "graph-node-0.42", deployment: "linea" },
      ],
    });
    const project = projectOf(emulator);
    const { code, out } = await run(project.root, ["introspect"]);
    expect(code).toBe(0);
    const snapshots = Object.entries(project.files("generated")).filter(([path]) =>
      path.endsWith(".graphql"),
    );
    const without = snapshots.filter(([, text]) => !text.includes("intactAmount")).map(([path]) => path);
    expect(without).toEqual([expect.stringMatching(/lockup\/subgraph\.[0-9a-f]{8}\.graphql$/)]);
    expect(out).toMatch(/1 chain: zksync/);
  });

  it("reports the faults of multichain deployments", async () => {
    const emulator = await emulate();
    const deployment = "protocol-lockup-multichain";
    const url = emulator.endpoints.find((candidate) => candidate.deployment === deployment)?.url;
    const config = { protocols: ["lockup"], deployments: { [deployment]: { production: { url } } } };
    const project = tempProject({ "lockflow.config.json": JSON.stringify(config) });
    const missing = await emulator.fault({ kind: "missing-chain", chain: "base" });
    expect(await run(project.root, ["introspect"])).toMatchObject({
      code: 0,
      out: expect.stringContaining(`note: ${deployment} has no rows of base`),
    });
    missing.lift();
    for (const [fault, says] of [
      [{ kind: "introspection-off" }, /does not answer introspection: field '__schema' not found/],
      [{ kind: "wrong-protocol" }, /It serves flow instead of lockup/],
      [{ kind: "502" }, /answered HTTP 502/],
      [{ kind: "truncated-json", length: "whole" }, /closed before the answer was complete/],
    ] satisfies [Fault, RegExp][]) {
      using _ = await emulator.fault({ ...fault, style: "multichain" });
      expect((await run(project.root, ["introspect"])).out).toMatch(says);
    }
  });
});
