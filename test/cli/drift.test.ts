import { describe, expect, it } from "vitest";
import type { Fault } from "../../emulator/faults/fault.ts";
import { BASELINE_PATH } from "../../src/drift/baseline/accepted-entry.ts";
import type { Report } from "../../src/report/report.ts";
import {
  beyondOneScreen,
  drift,
  liveFleet,
  lockup,
  ONE_SCREEN,
  shareEmulator,
} from "../support/live-fleet.ts";
import { run } from "../support/run.ts";

shareEmulator();

const BOTH = { protocols: ["lockup", "flow"] };

/** Ten of 26. */
const DOWN = "base gnosis linea sepolia chiliz optimism polygon scroll xdc zksync".split(" ");
const outage = DOWN.map((suffix): Fault => ({ kind: "500", ...lockup(suffix) }));

/** The deployments that are not simply the same, with their statuses. */
function unusual({ endpoints }: Report): Record<string, string> {
  const rest = endpoints.filter(({ status }) => status !== "same");
  return Object.fromEntries(rest.map(({ deployment, status }) => [deployment, status]));
}

type Want = {
  readonly code: number;
  /** Code, severity and subject of every finding, in the order of the report. */
  readonly findings: readonly string[];
  readonly statuses: Readonly<Record<string, string>>;
};

describe("drift", () => {
  const rows: readonly [name: string, faults: readonly Fault[], want: Want][] = [
    ["nothing differs", [], { code: 0, findings: [], statuses: {} }],
    [
      "chains differ in what they serve and in how they are, each in its way",
      [
        { kind: "add-field", field: "Stream.extra", type: "String", ...lockup("linea") },
        { kind: "add-enum-member", member: "StreamCategory.Vesting", ...lockup("chiliz") },
        ...["avalanche", "polygon", "zksync"].map(
          (suffix): Fault => ({ kind: "release", release: "graph-node-0.44", ...lockup(suffix) }),
        ),
        { kind: "indexing-error", ...lockup("base") },
        { kind: "lagging-head", blocks: 1001, ...lockup("gnosis") },
        { kind: "lagging-head", blocks: 1000, ...lockup("scroll") },
      ],
      {
        code: 0,
        findings: [
          "drift/enum-value-added risky StreamCategory.Vesting",
          "health/indexing-error risky protocol-lockup-base",
          "health/behind risky protocol-lockup-gnosis",
          "drift/field-added additive Stream.extra",
          "fleet/platform-variant additive schema fe2b58b0",
        ],
        statuses: {
          "protocol-lockup-avalanche": "platform-variant",
          "protocol-lockup-base": "indexing-error",
          "protocol-lockup-chiliz": "drifted",
          "protocol-lockup-linea": "drifted",
          "protocol-lockup-polygon": "platform-variant",
          "protocol-lockup-zksync": "platform-variant",
        },
      },
    ],
    [
      "one flaps between releases",
      [{ kind: "flapping", first: "graph-node-0.44", second: "graph-node-0.40", ...lockup("linea") }],
      {
        code: 0,
        findings: ["fleet/flapping risky graph-node-0.38 and graph-node-0.44"],
        statuses: { "protocol-lockup-linea": "flapping" },
      },
    ],
    [
      "two chains are swapped, and one answers as a third",
      [
        { kind: "wrong-chain", chain: "base", ...lockup("gnosis") },
        { kind: "wrong-chain", chain: "gnosis", ...lockup("base") },
        { kind: "wrong-chain", chain: "polygon", ...lockup("scroll") },
      ],
      {
        code: 1,
        findings: [
          "identity/wrong-chain breaking protocol-lockup-base",
          "identity/wrong-chain breaking protocol-lockup-gnosis",
          "identity/wrong-chain breaking protocol-lockup-scroll",
        ],
        statuses: {
          "protocol-lockup-base": "wrong-chain",
          "protocol-lockup-gnosis": "wrong-chain",
          "protocol-lockup-scroll": "wrong-chain",
        },
      },
    ],
    [
      "one serves the other protocol, and one lacks a chain",
      [
        { kind: "wrong-protocol", ...lockup("base") },
        { kind: "missing-chain", chain: "linea", ...lockup("multichain") },
      ],
      {
        code: 1,
        findings: [
          "identity/wrong-protocol breaking protocol-lockup-base",
          "identity/missing-chain breaking protocol-lockup-multichain",
        ],
        statuses: { "protocol-lockup-base": "wrong-protocol" },
      },
    ],
    [
      "few do not answer, each in its way",
      [
        { kind: "latency", milliseconds: 8000, ...lockup("linea") },
        { kind: "429", retryAfter: 30, ...lockup("base") },
        { kind: "502", ...lockup("gnosis") },
        { kind: "truncated-json", ...lockup("sepolia") },
        { kind: "402", ...lockup("optimism") },
        { kind: "introspection-off", ...lockup("polygon") },
      ],
      {
        code: 0,
        findings: [],
        statuses: {
          "protocol-lockup-base": "refused",
          "protocol-lockup-gnosis": "unreachable",
          "protocol-lockup-linea": "unreachable",
          "protocol-lockup-optimism": "refused",
          "protocol-lockup-polygon": "malformed",
          "protocol-lockup-sepolia": "malformed",
        },
      },
    ],
  ];

  it.each(rows)("%s", async (_, faults, { code, findings, statuses }) => {
    const project = await liveFleet(faults, undefined, {
      ...(faults.length === 0 && BOTH),
      ...(faults.some(({ kind }) => kind === "latency") && { timeout: 3000 }),
    });
    const before = project.files("generated");
    const result = await drift(project, "--require", "quorum:20");
    expect(
      result.report.findings.map((finding) => `${finding.code} ${finding.severity} ${finding.subject}`),
    ).toEqual(findings);
    expect(unusual(result.report)).toEqual(statuses);
    // Of those that did not answer it counts what they served last.
    const health = result.report.operations.find(
      ({ name, protocol, style }) => name === "Health" && protocol === "lockup" && style === "subgraph",
    );
    expect(health).toMatchObject({ missing: [] });
    expect(health?.chains).toHaveLength(26);
    expect(result.code).toBe(code);
    expect(result.out.trimEnd().split("\n").at(-1)).toMatch(new RegExp(`^exit ${code}: `));
    expect(beyondOneScreen(result.out)).toEqual(ONE_SCREEN);
    expect(project.files("generated")).toEqual(before);
  });

  it("names the operations that a dropped field breaks, once and with their places", async () => {
    const project = await liveFleet([{ kind: "drop-field", field: "Stream.sender", ...lockup("linea") }]);
    const { code, out, report } = await drift(project);
    expect(code).toBe(1);
    expect(report.findings).toHaveLength(1);
    expect(report.findings[0]).toMatchObject({
      code: "drift/field-removed",
      coordinate: "Stream.sender",
      before: "Bytes!",
      after: null,
      where: { deployments: ["protocol-lockup-linea"] },
      place: { file: "generated/schemas/lockup/subgraph.graphql" },
    });
    expect(report.findings[0]?.derived).toBeGreaterThan(10);
    expect(out).toMatch(/fragments\/stream-fields\.graphql:\d+:\d+ {2}RecentStreams/);
    const recent = report.operations.find(
      ({ name, protocol, style }) =>
        name === "RecentStreams" && protocol === "lockup" && style === "subgraph",
    );
    expect(recent).toMatchObject({ impact: "broken", missing: ["linea"] });
    expect(recent?.chains).toHaveLength(25);
    expect(beyondOneScreen(out)).toEqual(ONE_SCREEN);
  });

  it("tells a known difference from a new one", async () => {
    const project = await liveFleet([
      { kind: "drop-field", field: "Stream.sender", ...lockup("linea") },
      { kind: "drop-field", field: "Stream.sender", ...lockup("base") },
    ]);
    const [finding] = (await drift(project)).report.findings;
    const accept = async (scope: readonly string[]) => {
      const { fingerprint, code, coordinate, before, after } = finding ?? {};
      const entry = { fingerprint, code, coordinate, before, after, scope, reason: "known" };
      project.write(BASELINE_PATH, JSON.stringify({ version: 1, accepted: [entry] }));
      return drift(project);
    };
    const one = await accept(["protocol-lockup-base"]);
    expect(one.code).toBe(1);
    expect(unusual(one.report)).toEqual({
      "protocol-lockup-base": "accepted",
      "protocol-lockup-linea": "drifted",
    });
    const both = await accept(["protocol-lockup-base", "protocol-lockup-linea"]);
    expect(both.code).toBe(0);
    expect(both.report.operations.every(({ impact }) => impact === "unaffected")).toBe(true);
  });

  it("error: refuses two deployments with one URL before anybody is asked", async () => {
    const project = await liveFleet([], (urls) => {
      urls["protocol-lockup-base"] = urls["protocol-lockup-gnosis"] ?? "";
    });
    const { code, err } = await run(project.root, ["drift"]);
    expect(code).toBe(2);
    expect(err).toContain('"protocol-lockup-base" and "protocol-lockup-gnosis" have one URL');
  });

  it.each([
    ["inconclusive", [], [], 3],
    ["conclusive when less is required", [], ["--require", "quorum:10"], 0],
    ["a proven break stays one", [{ kind: "wrong-chain", chain: "unichain", ...lockup("avalanche") }], [], 1],
  ] as const)("ten of 26 down: %s", async (_, faults: readonly Fault[], args, want) => {
    const project = await liveFleet([...outage, ...faults]);
    const { code, out } = await drift(project, ...args);
    expect({ code, ...beyondOneScreen(out) }).toEqual({ code: want, ...ONE_SCREEN });
  });
});

type Files = Readonly<Record<string, string>>;

/** What became of the files of a folder. */
function changesOf(before: Files, after: Files) {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((file) => before[file] !== after[file])
    .sort()
    .map((file) => ({ file, change: file in after ? "written" : "removed" }));
}

describe("drift --update", () => {
  it.each<[string, Fault]>([
    ["of one chain", { kind: "drop-field", field: "Stream.sender", ...lockup("linea") }],
    [
      "of a fleet",
      { kind: "add-field", field: "Stream.extra", type: "String", protocol: "lockup", style: "subgraph" },
    ],
    ["of a release", { kind: "release", release: "graph-node-0.44", ...lockup("linea") }],
    [
      "of the multichain style",
      { kind: "add-field", field: "Stream.extra", type: "String", ...lockup("multichain") },
    ],
  ])("moves the snapshots to a change %s, and finds nothing afterwards", async (_, fault) => {
    const project = await liveFleet([fault]);
    const before = project.files("generated");
    const first = await drift(project, "--update");
    const moved = project.files("generated");
    expect(moved).not.toEqual(before);
    expect(first.report.moved).toEqual(changesOf(before, moved));
    for (const { file } of first.report.moved ?? []) expect(first.out).toContain(file);
    expect(first.out).toMatch(
      /\n\nMoved\n {2}.*\n\nNext\n {2}lockflow generate\n {2}lockflow check\n\nexit /s,
    );
    expect(`${first.out}${JSON.stringify(first.report)}`).not.toContain("drift --update");
    expect(beyondOneScreen(first.out)).toEqual(ONE_SCREEN);
    const { code, out, report } = await drift(project, "--update");
    expect({ code, findings: report.findings, moved: report.moved }).toEqual({
      code: 0,
      findings: [],
      moved: [],
    });
    expect(out).not.toContain("Moved");
    expect(project.files("generated")).toEqual(moved);
  });

  it("tells which variants are gone, and says of nothing that it moved without being asked", async () => {
    const project = await liveFleet([{ kind: "drop-field", field: "Stream.sender", ...lockup("linea") }]);
    const { out, report } = await drift(project);
    expect(report).not.toHaveProperty("moved");
    expect(out).toContain("lockflow explain drift/field-removed");
    await drift(project, "--update");
    const healed = await liveFleet([]);
    for (const [path, text] of Object.entries(project.files("generated"))) healed.write(path, text);
    const before = healed.files("generated");
    const back = await drift(healed, "--update");
    expect(back.report.moved).toEqual(changesOf(before, healed.files("generated")));
    expect(back.report.moved?.map(({ change }) => change).sort()).toEqual(["removed", "written"]);
    expect(back.out).toMatch(/generated\/schemas\/lockup\/subgraph\.[0-9a-f]{8}\.graphql \(removed\)/);
  });

  it("leaves a group alone of which too few answered, and moves the others", async () => {
    const faults: Fault[] = [
      ...outage,
      { kind: "add-field", field: "Stream.extra", type: "String", style: "subgraph" },
    ];
    const project = await liveFleet(faults, undefined, BOTH);
    const before = project.files("generated");
    const { code, err, report } = await drift(project, "--update");
    expect(code).toBe(3);
    expect(err).toContain("Those of lockup/subgraph stay");
    // What is found in both is one finding, of which a part moved.
    expect(report.findings.map(({ fix }) => fix)).toEqual([
      "where its snapshot has moved, run `lockflow generate`, then `lockflow check`; where it stayed, move it once enough answer.",
    ]);
    const after = project.files("generated");
    const changed = Object.keys(after).filter((path) => after[path] !== before[path]);
    expect(changed.sort()).toEqual([
      "generated/schemas/deployments.json",
      "generated/schemas/flow/subgraph.graphql",
    ]);
    const lockupRows = (text = "") => text.split("\n").filter((line) => line.includes("protocol-lockup-"));
    const record = "generated/schemas/deployments.json";
    expect(lockupRows(after[record])).toEqual(lockupRows(before[record]));
  });

  it("does not follow a deployment that flaps", async () => {
    const faults: Fault[] = [
      { kind: "flapping", first: "graph-node-0.44", second: "graph-node-0.40", ...lockup("linea") },
    ];
    const project = await liveFleet(faults, undefined, BOTH);
    const before = project.files("generated");
    await drift(project, "--update");
    expect(project.files("generated")).toEqual(before);
  });
});
