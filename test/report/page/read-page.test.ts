import { describe, expect, it } from "vitest";
import { headLine, noteOf, stateOf } from "../../../packages/report-page/src/read-fleet.ts";
import { acceptCommand, type Page, placesOf, readPage } from "../../../packages/report-page/src/read-page.ts";
import { readEntities } from "../../../packages/report-page/src/read-parity.ts";
import { type DecidedFinding, ENDPOINT_STATUSES, type EndpointReport } from "../../../src/report/outcome.ts";
import type { ParityRow, Report } from "../../../src/report/types.ts";
import { ACCEPTED, endpoint, goneField, group, inSubgraphs, operation, report } from "../fixtures.ts";

const NOW = "2026-11-20T03:00:00.000Z";

function pageOf(changes: Partial<Report>): Page {
  return readPage(report(changes), { accept: "report", more: 0 });
}

const OPERATION = operation("AssetById", { impact: "broken", chains: ["base", "zksync"] });

describe("the fleet of a page", () => {
  it("has a state of the legend for every status", () => {
    const { fleet } = pageOf({ endpoints: ENDPOINT_STATUSES.map((status) => endpoint(status, { status })) });
    expect(
      fleet?.endpoints.map((row) => `${row.deployment} ${stateOf(row)} ${noteOf(row, NOW)}`.trim()),
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

  const retired = { status: "retired", since: "2026-08" } as const;
  const dormant = { status: "dormant", since: "2026-06" } as const;
  it.each<[changes: Partial<EndpointReport>, want: string]>([
    [{ status: "unreachable", silentSince: "2026-11-15" }, "silent 5 days"],
    [{ status: "unreachable", silentSince: "2026-11-19" }, "silent 1 day"],
    [{ status: "skipped", lifecycle: retired }, "retired since 2026-08"],
    [{ status: "dormant", lifecycle: dormant }, "dormant since 2026-06"],
    [{ status: "same", lifecycle: dormant }, "same dormant"],
    [{ status: "skipped", leftOut: true }, "skipped left out"],
  ])("has the time since a deployment is silent, dormant or retired: %j", (changes, want) => {
    const [row] = pageOf({ endpoints: [endpoint("a", changes)] }).fleet?.endpoints ?? [];
    expect(row && `${stateOf(row)} ${noteOf(row, NOW)}`).toBe(want);
  });

  it("has the most frequent release of a surface, and the releases of other deployments", () => {
    const { fleet } = pageOf({
      endpoints: ["a", "b", "c"].map((chain) => endpoint(chain)),
      groups: [
        group("1", "reference", { release: "graph-node-0.40", chains: ["a", "b"] }),
        group("2", "platform", { release: "graph-node-0.44", chains: ["c"] }),
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
        group("1", "reference", { release: null, chains: ["a"] }),
        group("2", "entities", { release: null, chains: ["b"] }),
        group("1", "docs", { release: null, chains: ["c"] }),
      ],
    });
    expect(fleet?.isLive).toBe(false);
    expect(fleet?.endpoints.map(stateOf)).toEqual(["same", "drifted", "same", "skipped"]);
    expect(pageOf({ endpoints: [], groups: [] }).fleet).toBeNull();
    // A check reports them with its findings.
    const groups = [group("1", "entities", { release: "graph-node-0.40", chains: ["b"] })];
    const snapshots = { groups, operations: [OPERATION] };
    const check = pageOf({ endpoints: [], groups: [], operations: [], deployments, snapshots });
    expect(check.fleet?.endpoints.map(stateOf)).toEqual(["skipped", "drifted", "skipped", "skipped"]);
    expect(check.fleet?.surfaces).toMatchObject([{ release: "graph-node-0.40" }]);
    expect(check.coverage.rows).toMatchObject([{ operation: { name: "AssetById" } }]);
  });
});

describe("the coverage of a page", () => {
  const endpoints = ["base", "gnosis", "linea", "zksync"].map((chain) => endpoint(chain));

  const where = inSubgraphs("lockup-zksync");
  const atRisk = goneField().operations.map((operation) => ({ ...operation, impact: "at-risk" as const }));
  it.each<[name: string, finding: Partial<DecidedFinding> | null, want: string, missing?: string[]]>([
    ["chains on which an operation is valid", null, "valid none none valid"],
    ["chains on which an operation is not valid", null, "valid none broken valid", ["linea"]],
    ["chains on which a finding breaks an operation", {}, "valid none none broken"],
    ["an accepted finding as valid", ACCEPTED, "valid none none valid"],
    ["chains on which an operation is at risk", { operations: atRisk }, "valid none none risk"],
    [
      "a finding about the snapshot itself, on every chain",
      { where: { ...where, deployments: [] } },
      "broken none none broken",
    ],
    [
      "a finding of another style as valid",
      { where: { ...where, style: "multichain" } },
      "valid none none valid",
    ],
  ])("shows %s", (_, finding, want, missing = []) => {
    const findings = finding === null ? [] : [goneField(finding)];
    const { coverage } = pageOf({ endpoints, operations: [{ ...OPERATION, missing }], findings });
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

it("the places of a finding have the chains of its deployments, and the texts of each style", () => {
  const where = { protocol: "lockup", style: "multichain", deployments: [] } as const;
  const elsewhere = { fingerprint: "000000000001", where, before: "string", after: null, place: null };
  const places = placesOf(pageOf({}), goneField({ elsewhere: [elsewhere] }));
  expect(places.map(({ surface, chains, before }) => [surface, chains, before])).toEqual([
    ["lockup/subgraph", ["linea", "zksync"], "String!"],
    ["lockup/multichain", [], "string"],
  ]);
  expect(placesOf(pageOf({}), goneField({ where: null }))).toEqual([]);
});

describe("the command that accepts a finding", () => {
  it.each([
    ["of the snapshots", goneField(), "snapshots", 'lockflow accept 9c41e07ab2d5 --reason "…"'],
    ["of a report", goneField(), "report", 'lockflow accept 9c41e07ab2d5 --reason "…" --from report.json'],
    ["that no other run reports", goneField(), "never", null],
    ["that is accepted", goneField(ACCEPTED), "report", null],
    ["about a file", goneField({ layer: "generated" }), "report", null],
    ["about a wrong identity", goneField({ layer: "identity" }), "report", null],
  ] as const)("of a finding %s", (_, finding, accept, want) => {
    expect(acceptCommand({ accept }, finding)).toBe(want);
  });
});
