import { describe, expect, it } from "vitest";
import { buildPageData } from "../../../src/report/html/build-page-data.ts";
import type { PageData } from "../../../src/report/html/page-data.ts";
import type { ParityRow } from "../../../src/report/outcome.ts";
import { ENDPOINT_STATUSES } from "../../../src/report/outcome.ts";
import type { Report } from "../../../src/report/report.ts";
import { endpoint, goneField, report } from "../fixtures.ts";

const AT = { command: "drift", version: "0.1.0", startedAt: "2026-11-20T03:00:00.000Z", durationMs: 5 };

function pageOf(changes: Partial<Report>, accept: "report" | "snapshots" | "never" = "report"): PageData {
  return buildPageData(report({ run: AT, ...changes }), { accept });
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
  it("has a word of the legend for every status", () => {
    const { fleet } = pageOf({ endpoints: ENDPOINT_STATUSES.map((status) => endpoint(status, { status })) });
    expect(
      fleet?.endpoints.map(({ deployment, state, note }) => `${deployment} ${state} ${note}`.trim()),
    ).toEqual([
      "lockup-accepted accepted",
      "lockup-dormant dormant",
      "lockup-drifted drifted",
      "lockup-flapping drifted by turns",
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

  it("says since when somebody is silent, dormant or retired", () => {
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
    expect(fleet?.endpoints.map(({ state, note }) => `${state} ${note}`)).toEqual([
      "silent 5 days",
      "silent 1 day",
      "retired since 2026-08",
      "dormant since 2026-06",
      "same dormant",
      "skipped left out",
    ]);
  });

  it("names the release of most once, and that of others at their cells", () => {
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
    expect(fleet?.surfaces).toMatchObject([{ id: "lockup/subgraph", release: "graph-node-0.40" }]);
    expect(fleet?.endpoints.map(({ release }) => release)).toEqual([null, null, "graph-node-0.44"]);
  });

  it("draws a line of heads from what earlier runs saw to now, and none without them", () => {
    const at = (day: number) => Date.parse(`2026-11-${day}T03:00:00.000Z`) / 1000;
    const since = "2026-11-19T03:00:00.000Z";
    const earlier = [{ block: 5, since: "2026-11-18T03:00:00.000Z" }];
    const { fleet } = pageOf({
      endpoints: [
        endpoint("a", { heads: [{ chain: "a", block: 9, behind: 0, earlier }] }),
        endpoint("b", { heads: [{ chain: "b", block: 9, behind: 4, since, earlier }] }),
        endpoint("c", { heads: [{ chain: "c", block: 9, behind: 0 }] }),
      ],
    });
    expect(fleet?.endpoints.map(({ heads }) => heads[0]?.line)).toEqual([
      [
        [at(18), 5],
        [at(20), 9],
      ],
      // It stands still since then.
      [
        [at(18), 5],
        [at(19), 9],
        [at(20), 9],
      ],
      [],
    ]);
  });

  it("is what the snapshots say where nobody was asked, and nothing where they were not read", () => {
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
    expect(fleet?.endpoints.map(({ state }) => state)).toEqual(["same", "drifted", "same", "skipped"]);
    expect(pageOf({ endpoints: [], groups: [] }).fleet).toBeNull();
    // A check tells of them beside what it found.
    const snapshots = {
      groups: [
        { ...group, id: "1", release: "graph-node-0.40", kind: "entities", deployments: ["lockup-b"] },
      ],
      operations: [OPERATION],
    } as const;
    const check = pageOf({ endpoints: [], groups: [], operations: [], deployments, snapshots });
    expect(check.fleet?.endpoints.map(({ state }) => state)).toEqual([
      "skipped",
      "drifted",
      "skipped",
      "skipped",
    ]);
    expect(check.fleet?.surfaces).toMatchObject([{ release: "graph-node-0.40" }]);
    expect(check.coverage.rows).toMatchObject([{ name: "AssetById" }]);
  });
});

describe("the coverage of a page", () => {
  const endpoints = ["base", "gnosis", "linea", "zksync"].map((chain) => endpoint(chain));

  it.each<[name: string, changes: Partial<Report>, want: string]>([
    ["where it is served", { findings: [] }, "vnnv"],
    ["where it is not valid", { findings: [], operations: [{ ...OPERATION, missing: ["linea"] }] }, "vnbv"],
    ["what a finding breaks", { findings: [goneField()] }, "vnnb"],
    ["nothing that is accepted", { findings: [goneField({ accepted: true, fails: false })] }, "vnnv"],
    [
      "what is at risk",
      {
        findings: [
          goneField({ operations: goneField().operations.map((one) => ({ ...one, impact: "at-risk" })) }),
        ],
      },
      "vnnr",
    ],
    [
      "what the snapshot itself breaks, on every chain",
      { findings: [goneField({ where: { protocol: "lockup", style: "subgraph", deployments: [] } })] },
      "bnnb",
    ],
    [
      "nothing of another style",
      {
        findings: [
          goneField({ where: { protocol: "lockup", style: "multichain", deployments: ["lockup-zksync"] } }),
        ],
      },
      "vnnv",
    ],
  ])("shows %s", (_, changes, want) => {
    const { coverage } = pageOf({ endpoints, operations: [OPERATION], ...changes });
    expect(coverage.chains).toEqual(["base", "gnosis", "linea", "zksync"]);
    expect(coverage.rows.map(({ cells }) => cells)).toEqual([want]);
  });

  it("has the worst first, by surface and of each", () => {
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
    expect(coverage.rows.map(({ surface, name, isPortable }) => `${surface} ${name} ${isPortable}`)).toEqual([
      "lockup/subgraph C false",
      "lockup/subgraph B true",
      "flow/subgraph A false",
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

  it("has differences first, of entities and of fields", () => {
    const counts = {
      equal: 2,
      mapped: 1,
      nullability: 0,
      conflict: 1,
      "only-multichain": 2,
      "only-subgraph": 0,
    };
    const { parity } = pageOf({
      protocols: [
        {
          protocol: "lockup",
          counts,
          renames: [],
          opaqueEnums: [],
          capabilities: [],
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
        },
      ],
    });
    const entities = parity?.[0]?.entities ?? [];
    expect(entities.map(({ name, differing }) => `${name} ${differing}`)).toEqual([
      "Batch 1",
      "User 1",
      "Action 0",
    ]);
    expect(entities[0]?.fields.map(({ name }) => name)).toEqual(["c", "b", "a"]);
    expect(entities[1]?.fields[0]).toMatchObject({ multichain: "String", subgraph: "" });
    expect(pageOf({}).parity).toBeNull();
  });
});

describe("the findings of a page", () => {
  it("are told in the words of the text, with what to type", () => {
    const [finding] = pageOf({}).findings;
    expect(finding).toMatchObject({
      title: "Asset.symbol",
      change: "String! → gone, and 23 derived",
      impact: "breaks 1 operation",
      where: "lockup/subgraph: linea, zksync",
      places: [{ surface: "lockup/subgraph", chains: ["linea", "zksync"], before: "String!", after: null }],
      accept: 'lockflow accept 9c41e07ab2d5 --reason "…" --from report.json',
      explain: "lockflow explain drift/field-removed",
      operations: [{ name: "AssetById", surface: "lockup/subgraph", line: 7 }],
    });
  });

  it.each([
    ["what the snapshots show", goneField(), "snapshots", 'lockflow accept 9c41e07ab2d5 --reason "…"'],
    ["what nobody finds again", goneField(), "never", null],
    ["what is accepted", goneField({ accepted: true, fails: false }), "report", null],
    ["what is corrected", goneField({ layer: "generated" }), "report", null],
    ["who is somebody else", goneField({ layer: "identity" }), "report", null],
  ] as const)("say how to accept %s", (_, finding, accept, want) => {
    expect(pageOf({ findings: [finding] }, accept).findings[0]?.accept).toBe(want);
  });

  it("are no more than a page can show, and the rest is counted", () => {
    const [hit] = goneField().operations;
    const operations = Array.from({ length: 300 }, (_, line) => ({
      ...hit,
      line: line + 1,
    })) as (typeof hit)[];
    const page = pageOf({
      findings: Array.from({ length: 5001 }, (_, index) =>
        goneField({
          subject: `${index}`,
          operations: index === 0 ? operations.filter((one) => one !== undefined) : [],
          derived: 250,
          derivedCoordinates: Array.from({ length: 250 }, (_, at) => `A.f${at}`),
        }),
      ),
    });
    expect([page.findings.length, page.more]).toEqual([5000, 1]);
    const [first] = page.findings;
    expect([first?.operations.length, first?.moreOperations]).toEqual([200, 100]);
    expect([first?.derived.length, first?.moreDerived]).toEqual([100, 150]);
    // A difference of the platform is many coordinates.
    const variant = goneField({ derived: 2, derivedCoordinates: ["A.a", "A.b", "A.c"] });
    expect(pageOf({ findings: [variant] }).findings[0]).toMatchObject({ moreDerived: 0 });
  });
});

describe("the texts of a page", () => {
  it("keep their blanks, and lose what is not seen", () => {
    const text = "query A {\r\n\ta\n  b\u202e # \u0000x\n}";
    const { sources } = pageOf({ sources: [{ file: "a\u202e.graphql", line: 3, text }] });
    expect(sources).toEqual([
      { file: "a .graphql", line: 3, lines: ["query A {", "  a", "  b\ufffd # \ufffdx", "}"] },
    ]);
  });

  it("are well-formed, and no longer than a browser bears", () => {
    const { sources, coverage } = pageOf({
      sources: [{ file: "a.graphql", line: 1, text: "a\n".repeat(100_000) }],
      operations: [{ ...OPERATION, name: "A\ud800" }],
    });
    expect(sources[0]?.lines.length).toBe(5000);
    // An address cannot hold what is not well-formed.
    expect(coverage.rows[0]?.name).toBe("A\ufffd");
  });

  it("do not depend on the time of the page", () => {
    expect(JSON.stringify(pageOf({}))).toBe(JSON.stringify(pageOf({})));
    expect(pageOf({})).toMatchObject({ command: "lockflow drift", startedAt: AT.startedAt });
  });
});
