import { describe, expect, it } from "vitest";
import { headLine, noteOf, stateOf } from "../../../packages/report-page/src/read-fleet.ts";
import { acceptCommand, type Page, placesOf, readPage } from "../../../packages/report-page/src/read-page.ts";
import { readEntities } from "../../../packages/report-page/src/read-parity.ts";
import { ENDPOINT_STATUSES } from "../../../src/report/outcome.ts";
import type { ParityRow, Report } from "../../../src/report/types.ts";
import { endpoint, goneField, report } from "../fixtures.ts";

const NOW = "2026-11-20T03:00:00.000Z";

function pageOf(changes: Partial<Report>): Page {
  return readPage(report(changes), { accept: "report", more: 0 });
}

const OPERATION = {
  name: "AssetById",
  protocol: "lockup",
  style: "subgraph",
  file: "operations/lockup/subgraph/asset.graphql",
  line: 1,
  impact: "broken",
  chains: ["base", "zksync"],
  missing: [],
} as const;

const group = { protocol: "lockup", style: "subgraph", entities: "e", features: [] } as const;

describe("the fleet of a page", () => {
  it("has a state of the legend for every status", () => {
    const { fleet } = pageOf({ endpoints: ENDPOINT_STATUSES.map((status) => endpoint(status, { status })) });
    expect(
      fleet?.endpoints.map((one) => `${one.deployment} ${stateOf(one)} ${noteOf(one, NOW)}`.trim()),
    ).toEqual([
      "lockup-accepted accepted",
      "lockup-dormant dormant",
      "lockup-drifted drifted",
      "lockup-flapping drifted two schemas",
      "lockup-indexing-error failing",
      "lockup-malformed silent (malformed)",
      "lockup-platform-variant variant",
      "lockup-refused silent (refused)",
      "lockup-same same",
      "lockup-skipped skipped",
      "lockup-unreachable silent",
      "lockup-wrong-chain wrong chain",
      "lockup-wrong-protocol wrong protocol",
    ]);
  });

  it("has the time since a deployment is silent, dormant or retired", () => {
    const retired = { status: "retired", since: "2026-08" } as const;
    const dormant = { status: "dormant", since: "2026-06" } as const;
    const { fleet } = pageOf({
      endpoints: [
        endpoint("a", { status: "unreachable", silentSince: "2026-11-15" }),
        endpoint("b", { status: "unreachable", silentSince: "2026-11-19" }),
        endpoint("c", { status: "skipped", lifecycle: retired }),
        endpoint("d", { status: "dormant", lifecycle: dormant }),
        endpoint("e", { status: "same", lifecycle: dormant }),
        endpoint("f", { status: "skipped", leftOut: true }),
      ],
    });
    expect(fleet?.endpoints.map((one) => `${stateOf(one)} ${noteOf(one, NOW)}`)).toEqual([
      "silent 5 days",
      "silent 1 day",
      "retired since 2026-08",
      "dormant since 2026-06",
      "same dormant",
      "skipped left out",
    ]);
  });

  it("has the most frequent release of a surface, and the releases of other deployments", () => {
    const { fleet } = pageOf({
      endpoints: ["a", "b", "c"].map((chain) => endpoint(chain)),
      groups: [
        {
          ...group,
          id: "1",
          release: "graph-node-0.40",
          kind: "reference",
          deployments: ["lockup-a", "lockup-b"],
        },
        { ...group, id: "2", release: "graph-node-0.44", kind: "platform", deployments: ["lockup-c"] },
      ],
    });
    expect(fleet?.surfaces).toEqual([{ protocol: "lockup", style: "subgraph", release: "graph-node-0.40" }]);
    expect([...(fleet?.otherReleases ?? [])]).toEqual([["lockup-c", "graph-node-0.44"]]);
  });

  it("has a line of head blocks from earlier runs to now, and none without earlier runs", () => {
    const at = (day: number) => Date.parse(`2026-11-${day}T03:00:00.000Z`) / 1000;
    const since = "2026-11-19T03:00:00.000Z";
    const earlier = [{ block: 5, since: "2026-11-18T03:00:00.000Z" }];
    expect(headLine({ chain: "a", block: 9, behind: 0, earlier }, NOW)).toEqual([
      { time: at(18), block: 5 },
      { time: at(20), block: 9 },
    ]);
    // The head block has not moved since then.
    expect(headLine({ chain: "b", block: 9, behind: 4, since, earlier }, NOW)).toEqual([
      { time: at(18), block: 5 },
      { time: at(19), block: 9 },
      { time: at(20), block: 9 },
    ]);
    expect(headLine({ chain: "c", block: 9, behind: 0 }, NOW)).toEqual([]);
  });

  it("shows the snapshots if no endpoint was queried, and is null without snapshots", () => {
    const deployments = ["a", "b", "c", "d"].map((chain) => ({
      deployment: `lockup-${chain}`,
      protocol: "lockup",
      style: "subgraph" as const,
      chains: [chain],
    }));
    const { fleet } = pageOf({
      endpoints: [],
      deployments,
      groups: [
        { ...group, id: "1", release: null, kind: "reference", deployments: ["lockup-a"] },
        { ...group, id: "2", release: null, kind: "entities", deployments: ["lockup-b"] },
        { ...group, id: "1", release: null, kind: "docs", deployments: ["lockup-c"] },
      ],
    });
    expect(fleet?.isLive).toBe(false);
    expect(fleet?.endpoints.map(stateOf)).toEqual(["same", "drifted", "same", "skipped"]);
    expect(pageOf({ endpoints: [], groups: [] }).fleet).toBeNull();
    // A check reports them with its findings.
    const snapshots = {
      groups: [
        { ...group, id: "1", release: "graph-node-0.40", kind: "entities", deployments: ["lockup-b"] },
      ],
      operations: [OPERATION],
    } as const;
    const check = pageOf({ endpoints: [], groups: [], operations: [], deployments, snapshots });
    expect(check.fleet?.endpoints.map(stateOf)).toEqual(["skipped", "drifted", "skipped", "skipped"]);
    expect(check.fleet?.surfaces).toMatchObject([{ release: "graph-node-0.40" }]);
    expect(check.coverage.rows).toMatchObject([{ operation: { name: "AssetById" } }]);
  });
});

describe("the coverage of a page", () => {
  const endpoints = ["base", "gnosis", "linea", "zksync"].map((chain) => endpoint(chain));

  it.each<[name: string, changes: Partial<Report>, want: string]>([
    ["chains on which an operation is valid", { findings: [] }, "valid none none valid"],
    [
      "chains on which an operation is not valid",
      { findings: [], operations: [{ ...OPERATION, missing: ["linea"] }] },
      "valid none broken valid",
    ],
    ["chains on which a finding breaks an operation", { findings: [goneField()] }, "valid none none broken"],
    [
      "an accepted finding as valid",
      { findings: [goneField({ accepted: true, fails: false })] },
      "valid none none valid",
    ],
    [
      "chains on which an operation is at risk",
      {
        findings: [
          goneField({ operations: goneField().operations.map((one) => ({ ...one, impact: "at-risk" })) }),
        ],
      },
      "valid none none risk",
    ],
    [
      "a finding about the snapshot itself, on every chain",
      { findings: [goneField({ where: { protocol: "lockup", style: "subgraph", deployments: [] } })] },
      "broken none none broken",
    ],
    [
      "a finding of another style as valid",
      {
        findings: [
          goneField({ where: { protocol: "lockup", style: "multichain", deployments: ["lockup-zksync"] } }),
        ],
      },
      "valid none none valid",
    ],
  ])("shows %s", (_, changes, want) => {
    const { coverage } = pageOf({ endpoints, operations: [OPERATION], ...changes });
    expect(coverage.chains).toEqual(["base", "gnosis", "linea", "zksync"]);
    expect(coverage.rows.map(({ states }) => states.join(" "))).toEqual([want]);
  });

  it("has the worst surface first, and in it the worst operation", () => {
    const of = (name: string, changes: object) => ({ ...OPERATION, name, ...changes });
    const { coverage } = pageOf({
      endpoints,
      findings: [],
      operations: [
        of("A", { protocol: "flow" }),
        of("B", { portable: true }),
        of("C", { missing: ["linea"] }),
      ],
    });
    expect(coverage.rows.map(({ operation }) => `${operation.protocol} ${operation.name}`)).toEqual([
      "lockup C",
      "lockup B",
      "flow A",
    ]);
  });
});

describe("the parity of a page", () => {
  const row = (entity: string, field: string | null, verdict: ParityRow["verdict"]): ParityRow => ({
    entity,
    field,
    multichain: verdict === "only-subgraph" ? null : "String",
    subgraph: verdict === "only-multichain" ? null : "String",
    verdict,
    rule: null,
    weaker: null,
  });

  it("lists entities and fields with differences first", () => {
    const entities = readEntities({
      rows: [
        row("Action", null, "equal"),
        row("Action", "id", "mapped"),
        row("Batch", null, "equal"),
        row("Batch", "a", "equal"),
        row("Batch", "b", "mapped"),
        row("Batch", "c", "conflict"),
        row("User", null, "only-multichain"),
        row("User", "id", "only-multichain"),
      ],
    });
    expect(entities.map(({ name, differing }) => `${name} ${differing}`)).toEqual([
      "Batch 1",
      "User 1",
      "Action 0",
    ]);
    expect(entities[0]?.fields.map(({ field }) => field)).toEqual(["c", "b", "a"]);
    expect(entities[1]?.fields[0]).toMatchObject({ multichain: "String", subgraph: null });
  });
});

describe("the places of a finding", () => {
  it("have the chains of its deployments, and the texts of each style", () => {
    const elsewhere = {
      fingerprint: "000000000001",
      where: { protocol: "lockup", style: "multichain", deployments: [] } as const,
      before: "string",
      after: null,
      place: null,
    };
    const finding = goneField({ elsewhere: [elsewhere] });
    expect(placesOf(pageOf({}), finding)).toEqual([
      {
        surface: "lockup/subgraph",
        protocol: "lockup",
        style: "subgraph",
        chains: ["linea", "zksync"],
        before: "String!",
        after: null,
      },
      {
        surface: "lockup/multichain",
        protocol: "lockup",
        style: "multichain",
        chains: [],
        before: "string",
        after: null,
      },
    ]);
    expect(placesOf(pageOf({}), goneField({ where: null }))).toEqual([]);
  });
});

describe("the command that accepts a finding", () => {
  it.each([
    ["of the snapshots", goneField(), "snapshots", 'lockflow accept 9c41e07ab2d5 --reason "…"'],
    ["of a report", goneField(), "report", 'lockflow accept 9c41e07ab2d5 --reason "…" --from report.json'],
    ["that no other run reports", goneField(), "never", null],
    ["that is accepted", goneField({ accepted: true, fails: false }), "report", null],
    ["about a file", goneField({ layer: "generated" }), "report", null],
    ["about a wrong identity", goneField({ layer: "identity" }), "report", null],
  ] as const)("of a finding %s", (_, finding, accept, want) => {
    expect(acceptCommand({ accept }, finding)).toBe(want);
  });
});
