import { describe, expect, it } from "vitest";
import { json } from "../../src/report/forms/json.ts";
import { text } from "../../src/report/forms/text.ts";
import { parseReport } from "../../src/report/parse-report.ts";
import type { Report } from "../../src/report/report.ts";
import { catchError } from "../support/catch-error.ts";
import { checkReport } from "../support/check-report.ts";
import { endpoint, goneField, PLAIN, report } from "./fixtures.ts";

const [hit] = goneField().operations;
const elsewhere = hit && {
  ...hit,
  file: "operations/lockup/multichain/asset.graphql",
  protocol: "lockup",
  style: "multichain" as const,
};

/** A report with every optional member. */
const full: Report = report({
  protocols: [
    {
      protocol: "lockup",
      counts: { equal: 1, mapped: 0, nullability: 0, conflict: 0, "only-multichain": 0, "only-subgraph": 0 },
      rows: [
        {
          entity: "Asset",
          field: "id",
          multichain: "String!",
          subgraph: "ID!",
          verdict: "mapped",
          rule: "parity/scalar",
          weaker: null,
        },
      ],
      renames: [{ entity: "Asset", multichain: "a", subgraph: "b" }],
      opaqueEnums: [{ multichain: "kind", subgraph: "Kind", shownBy: "subgraph", members: ["A"] }],
      capabilities: [{ capability: "one by id", multichain: "_by_pk", subgraph: null, portable: false }],
    },
  ],
  endpoints: [
    endpoint("base", {
      heads: [
        {
          chain: "base",
          block: 7,
          behind: 3,
          madeAt: "2026-11-20T03:00:00.000Z",
          since: "2026-11-20T04:00:00.000Z",
          earlier: [{ block: 6, since: "2026-11-19T04:00:00.000Z" }],
        },
      ],
    }),
    endpoint("linea", {
      status: "unreachable",
      message: "It was down.",
      group: null,
      silentSince: "2026-11-01",
    }),
    endpoint("zksync", { status: "skipped", group: null, leftOut: true }),
  ],
  findings: [
    goneField({
      derivedCoordinates: ["Asset_filter.symbol"],
      worstDerived: [{ coordinate: "Asset_filter.symbol", before: "String", after: null }],
      operations: [hit, elsewhere].filter((operation) => operation !== undefined),
      elsewhere: [
        {
          fingerprint: "000000000001",
          where: { protocol: "lockup", style: "multichain", deployments: ["lockup-multichain"] },
          before: "string",
          after: null,
          place: null,
        },
      ],
    }),
  ],
  moved: [{ file: "a.graphql", change: "written" }],
  deployments: [{ deployment: "lockup-base", protocol: "lockup", style: "subgraph", chains: ["base"] }],
  sources: [{ file: "operations/lockup/subgraph/asset.graphql", line: 1, text: "query AssetById { a }" }],
  apis: [
    {
      protocol: "lockup",
      style: "subgraph",
      entities: "a.graphql",
      release: "graph-node-0.44",
      releaseFrom: "caller",
      before: "lockup/subgraph",
      status: "compared",
    },
  ],
});

const stored = json.render(full, PLAIN);

describe("parseReport", () => {
  it("returns the report that was written, which renders to the same bytes", () => {
    const parsed = parseReport(stored, "report.json");
    expect(checkReport(JSON.parse(stored))).toEqual([]);
    expect(json.render(parsed, PLAIN)).toBe(stored);
    expect(text.render(parsed, PLAIN)).toBe(text.render(full, PLAIN));
    // Operations are assigned to their places again, because they are counted by place.
    expect(text.render(parsed, PLAIN)).toContain("breaks 2 operations");
  });

  it("accepts reports of earlier releases, and ignores unknown members", () => {
    const value = JSON.parse(stored);
    for (const name of ["protocols", "deployments", "sources", "apis", "moved"]) delete value[name];
    for (const endpoint of value.endpoints)
      for (const name of ["heads", "silentSince"]) delete endpoint[name];
    for (const finding of value.findings) delete finding.elsewhere;
    const old = parseReport(JSON.stringify({ ...value, more: 1 }), "report.json");
    expect(old.findings).toHaveLength(1);
    expect(json.render(old, PLAIN)).not.toContain('"more"');
  });

  it.each<[name: string, spoil: (value: ReturnType<typeof JSON.parse>) => unknown, want: string]>([
    ["invalid JSON", () => undefined, "report.json is not a valid report: it is not valid JSON."],
    ["a list", () => [], "the file is not an object"],
    ["an unsupported version", (value) => ({ ...value, version: 2 }), '"version" is not 1'],
    ["no findings", (value) => delete value.findings, '"findings" is not a list'],
    [
      "an unknown status",
      ({ endpoints }) => (endpoints[1].status = "x"),
      'in endpoint 2, "status" is an unk',
    ],
    [
      "a block that is text",
      ({ endpoints }) => (endpoints[0].heads[0].block = "7"),
      'endpoint 1, head 1, "block"',
    ],
    ["a chain that is markup", ({ endpoints }) => (endpoints[0].chains[0] = "<b>"), '"chains" is not a name'],
    [
      "an invalid fingerprint",
      ({ findings }) => (findings[0].fingerprint = "<b>"),
      'finding 1, "fingerprint" is not tw',
    ],
    [
      "a deployment with an invalid name",
      ({ findings }) => (findings[0].where.deployments[0] = "a\u202eb"),
      "finding 1, deployment 1 is not a name",
    ],
    ["an unknown exit code", ({ outcome }) => (outcome.exit = 9), '"exit" is not an exit code'],
    [
      "an invalid protocol key",
      ({ operations }) => (operations[0].protocol = "__proto__"),
      'operation 1, "protocol" is not a protocol key',
    ],
    ["an invalid time", ({ run }) => (run.startedAt = "soon"), '"startedAt" is not a time'],
    ["a time without a zone", ({ run }) => (run.startedAt = "2026-11-20T03:00:00"), "is not a time in UTC"],
    ["a time with other text", ({ run }) => (run.startedAt = "20 Nov 2026 (<b>)"), "is not a time in UTC"],
  ])("rejects %s", (_, spoil, want) => {
    const value = JSON.parse(stored);
    const spoilt = spoil(value);
    const isWhole = typeof spoilt === "object" && spoilt !== null;
    const content = spoilt === undefined ? "{" : JSON.stringify(isWhole ? spoilt : value);
    const error = catchError(() => parseReport(content, "report.json"));
    expect(String(error)).toContain(want);
    expect(error).toHaveProperty("code", "REPORT_INVALID");
  });
});
