import { describe, expect, it } from "vitest";
import type { Fault } from "../../emulator/faults/fault.ts";
import { BASELINE_PATH } from "../../src/workspace/baseline.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { drift, inFront, liveFleet, lockup, shareEmulator } from "../support/live-fleet.ts";
import { beyondOneScreen, ONE_SCREEN } from "../support/one-screen.ts";
import { run } from "../support/run.ts";

// Judging answers is tested in test/tasks/drift, without requests.

shareEmulator();

const FEW = { suffixes: ["base", "linea", "multichain"] };
/** Deployments of one style take half the time. */
const SUBGRAPHS = { suffixes: ["base", "gnosis", "linea"] };
const LINEA = "protocol-lockup-linea";
const EXTRA: Fault = { kind: "add-field", field: "Stream.extra", type: "String", ...lockup("linea") };

describe("drift", () => {
  it("exits with 0 if nothing differs, in every protocol", async () => {
    const project = await liveFleet([], undefined, { ...FEW, protocols: ["lockup", "flow"] });
    const before = project.files();
    const { code, out, report } = await drift(project);
    expect({ code, findings: report.findings }).toEqual({ code: 0, findings: [] });
    const asked = report.endpoints.filter(({ status }) => status !== "skipped");
    expect(asked.map(({ status }) => status)).toEqual(Array(6).fill("same"));
    expect(out.trimEnd().split("\n").at(-1)).toMatch(/^exit 0: /);
    expect(beyondOneScreen(out)).toEqual(ONE_SCREEN);
    expect({ ...project.files(), "out.json": undefined }).toEqual({ ...before, "out.json": undefined });
  });

  it("reports the problem of each failed deployment", async () => {
    const faults: readonly (readonly [suffix: string, fault: Fault, status: string])[] = [
      ["unichain", { kind: "flapping", first: "graph-node-0.44", second: "graph-node-0.40" }, "flapping"],
      ["avalanche", { kind: "502" }, "unreachable"],
      ["base", { kind: "indexing-error" }, "indexing-error"],
      ["chiliz", { kind: "truncated-json" }, "malformed"],
      ["form", { kind: "wrong-protocol" }, "wrong-protocol"],
      ["gnosis", { kind: "lagging-head", blocks: 1001 }, "same"],
      ["linea", { kind: "add-field", field: "Stream.extra", type: "String" }, "drifted"],
      ["multichain", { kind: "missing-chain", chain: "linea" }, "same"],
      ["optimism", { kind: "402" }, "refused"],
      ["polygon", { kind: "introspection-off" }, "malformed"],
      ["scroll", { kind: "wrong-chain", chain: "bsc" }, "wrong-chain"],
      ["sepolia", { kind: "429", retryAfter: 30 }, "refused"],
      ["zksync", { kind: "release", release: "graph-node-0.44" }, "platform-variant"],
    ];
    const project = await liveFleet(
      faults.map(([suffix, fault]) => ({ ...fault, ...lockup(suffix) })),
      undefined,
      { suffixes: faults.map(([suffix]) => suffix) },
    );
    const { code, report } = await drift(project, "--require", "quorum:5");
    const asked = report.endpoints.filter(({ status }) => status !== "skipped");
    expect(Object.fromEntries(asked.map(({ deployment, status }) => [deployment, status]))).toEqual(
      Object.fromEntries(faults.map(([suffix, , status]) => [`protocol-lockup-${suffix}`, status])),
    );
    expect(report.findings.map((one) => `${one.code} ${one.subject.replace(/ \w{8}$/, "")}`)).toEqual([
      "identity/wrong-protocol protocol-lockup-form",
      "identity/missing-chain protocol-lockup-multichain",
      "identity/wrong-chain protocol-lockup-scroll",
      "fleet/flapping graph-node-0.38 and graph-node-0.44",
      "health/indexing-error protocol-lockup-base",
      "health/behind protocol-lockup-gnosis",
      "drift/field-added Stream.extra",
      "fleet/platform-variant schema",
    ]);
    expect(code).toBe(1);
  });

  it("requires answers of most of a fleet, or of the given number", async () => {
    const down: Fault[] = [
      { kind: "500", ...lockup("base") },
      { kind: "500", ...lockup("gnosis") },
    ];
    const project = await liveFleet(down, undefined, SUBGRAPHS);
    expect((await drift(project)).code).toBe(3);
    expect((await drift(project, "--require", "quorum:1")).code).toBe(0);
  });

  it("reports a break until it is accepted, and updates the snapshots on request", async () => {
    const dropped: Fault = { kind: "drop-field", field: "Stream.sender", ...lockup("linea") };
    const project = await liveFleet([dropped], undefined, SUBGRAPHS);
    const red = await drift(project);
    expect(red.code).toBe(1);
    expect(red.report.findings.map(({ code }) => code)).toEqual(["drift/field-removed"]);
    expect(red.out).toMatch(/fragments\/stream-fields\.graphql:\d+:\d+ {2}RecentStreams/);
    const id = red.report.findings[0]?.fingerprint ?? "";
    expect(red.out).toContain(`lockflow accept ${id} --reason "…" --from report.json\n`);
    const accepted = await run(project.root, ["accept", id, "--reason", "known", "--from", "out.json"]);
    expect(accepted).toMatchObject({ code: 0, err: "" });
    const before = project.files("generated");
    expect((await drift(project)).code).toBe(0);
    expect(project.files("generated")).toEqual(before);
    const pruned = await run(project.root, ["accept", "--prune", "--from", "out.json"]);
    expect(pruned).toMatchObject({ code: 0, out: `${BASELINE_PATH} is unchanged.\n` });
    const moving = await drift(project, "--update");
    expect(moving.err).toContain("2 snapshot files changed.\n");
    const moved = moving.report.moved ?? [];
    expect(moved.map(({ file }) => file.replace(/\.\w{8}\./, "."))).toEqual([
      "generated/schemas/deployments.json",
      "generated/schemas/lockup/subgraph.graphql",
    ]);
    for (const { file } of moved) expect(project.read(file)).not.toBe(before[file]);
    expect((await drift(project, "--update")).err).toContain("No snapshot changed.\n");
  });

  it.runIf(IS_THOROUGH)("requests a deployment again if its answer differs", async () => {
    let asked = 0;
    const count = inFront(LINEA, () => {
      asked++;
    });
    await drift(await liveFleet([EXTRA], count, SUBGRAPHS));
    // Its schema, its identity and health, and then its schema three more times.
    expect(asked).toBe(2 + 3);
  });

  it("error: rejects two deployments with one URL before any request", async () => {
    const project = await liveFleet([], (urls) => {
      urls["protocol-lockup-base"] = urls["protocol-lockup-gnosis"] ?? "";
    });
    const { code, err } = await run(project.root, ["drift"]);
    expect(code).toBe(2);
    expect(err).toContain('"protocol-lockup-base" and "protocol-lockup-gnosis" have the same URL');
  });
});
