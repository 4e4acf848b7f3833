import type { Finding } from "../../src/report/finding.ts";
import { github } from "../../src/report/forms/github.ts";
import { html } from "../../src/report/forms/html.ts";
import { json } from "../../src/report/forms/json.ts";
import { junit } from "../../src/report/forms/junit.ts";
import { markdown } from "../../src/report/forms/markdown.ts";
import { sarif } from "../../src/report/forms/sarif.ts";
import { text } from "../../src/report/forms/text.ts";
import type { DecidedFinding, EndpointReport } from "../../src/report/outcome.ts";
import type { RenderOptions, Report } from "../../src/report/report.ts";
import { buildReport } from "../../src/report/report.ts";
import type { GroupReport, OperationReport } from "../../src/report/types.ts";

/** Every form, loaded. */
export const RENDERERS = { text, json, html, github, markdown, sarif, junit };

/** Options for a log. */
export const PLAIN: RenderOptions = {
  color: false,
  verbose: false,
  anchor: "generated/schemas/deployments.json",
  folder: "",
  accept: "report",
};

/** A field that was removed on two chains and breaks one operation. */
export function goneField(changes: Partial<DecidedFinding> = {}): DecidedFinding {
  return {
    ...(GONE satisfies Finding),
    fingerprint: "9c41e07ab2d5",
    fails: true,
    accepted: false,
    acceptance: null,
    ...changes,
  };
}

/** What makes a finding an accepted one. */
export const ACCEPTED = {
  accepted: true,
  fails: false,
  acceptance: { reason: "known", until: null },
} as const;

/** Where subgraphs of lockup differ. */
export function inSubgraphs(...deployments: readonly string[]) {
  return { protocol: "lockup", style: "subgraph", deployments } as const;
}

const GONE: Finding = {
  code: "drift/field-removed",
  severity: "breaking",
  layer: "entity",
  subject: "Asset.symbol",
  message: "The field Asset.symbol is gone.",
  coordinate: "Asset.symbol",
  before: "String!",
  after: null,
  derived: 23,
  where: inSubgraphs("lockup-linea", "lockup-zksync"),
  operations: [
    {
      name: "AssetById",
      impact: "broken",
      severity: "breaking",
      message: 'Cannot query field "symbol" on type "Asset".',
      file: "operations/lockup/subgraph/asset.graphql",
      line: 7,
      column: 5,
    },
  ],
  place: { file: "generated/schemas/lockup/subgraph.graphql", line: 31, column: null },
  fix: "remove the selection, or wait for linea and zksync to catch up.",
};

/** An endpoint of a fleet. */
export function endpoint(chain: string, changes: Partial<EndpointReport> = {}): EndpointReport {
  return {
    deployment: `lockup-${chain}`,
    protocol: "lockup",
    style: "subgraph",
    chains: [chain],
    status: "same",
    message: null,
    group: "1f3a9c04",
    ...changes,
  };
}

/** A group of deployments of a fleet that serve the same schema. */
export function group(
  id: string,
  kind: GroupReport["kind"],
  { release = "graph-node-0.42" as string | null, entities = "66666666", chains = [] as readonly string[] },
): GroupReport {
  const deployments = chains.map((chain) => `lockup-${chain}`);
  return { id, kind, protocol: "lockup", style: "subgraph", entities, release, features: [], deployments };
}

/** An operation that is valid on some chains. */
export function operation(name: string, changes: Partial<OperationReport> = {}): OperationReport {
  return {
    name,
    protocol: "lockup",
    style: "subgraph",
    file: `operations/lockup/subgraph/${name.toLowerCase()}.graphql`,
    line: 1,
    impact: "unaffected",
    chains: ["ethereum", "gnosis", "linea", "zksync"],
    missing: [],
    ...changes,
  };
}

/** A report of the finding above, among five chains, one of them down. */
export function report(changes: Partial<Report> = {}): Report {
  return buildReport({
    outcome: {
      exit: 1,
      reason: "1 finding to act on: 1 breaks operations",
      categories: [{ name: "drift", findings: 1, failing: 1, accepted: 0 }],
    },
    endpoints: [
      endpoint("zksync", { status: "drifted", group: "b3f10000" }),
      endpoint("base", { status: "unreachable", message: "It did not answer in 15 s.", group: null }),
      endpoint("linea", { status: "drifted", group: "b3f10000" }),
      endpoint("ethereum"),
      endpoint("gnosis"),
    ],
    groups: [
      group("b3f10000", "entities", { entities: "77777777", chains: ["zksync", "linea"] }),
      { ...group("1f3a9c04", "reference", { chains: ["ethereum", "gnosis"] }), features: ["and-or"] },
    ],
    findings: [goneField()],
    operations: [
      operation("Recent"),
      operation("AssetById", {
        file: "operations/lockup/subgraph/asset.graphql",
        impact: "broken",
        chains: ["ethereum", "gnosis"],
        missing: ["linea", "zksync"],
      }),
    ],
    run: {
      command: "lockflow drift",
      version: "0.1.0",
      startedAt: "2026-11-21T10:00:00.000Z",
      durationMs: 1234,
    },
    ...changes,
  });
}
