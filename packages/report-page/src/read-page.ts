import { surfaceId } from "../../../src/dialects/surface.ts";
import { isAcceptable } from "../../../src/report/describe-finding.ts";
import { isIdentityMismatch } from "../../../src/report/finding.ts";
import type { DecidedFinding, Report } from "../../../src/report/types.ts";
import { type Coverage, readCoverage } from "./read-coverage.ts";
import { type Fleet, readFleet } from "./read-fleet.ts";

/** A report as a page shows it. */
export type Page = {
  readonly report: Report;
  /** How findings can be accepted: by the snapshots, from a saved report, or not at all. */
  readonly accept: string;
  /** How many findings the page leaves out. */
  readonly more: number;
  /** The chains of each deployment, by its name. */
  readonly chainsOf: ReadonlyMap<string, readonly string[]>;
  /** Null if the report knows no deployments. */
  readonly fleet: Fleet | null;
  readonly coverage: Coverage;
};

/** Reads the facts that several views need. */
export function readPage(report: Report, { accept, more }: Pick<Page, "accept" | "more">): Page {
  const { endpoints, deployments = [] } = report;
  const chainsOf = new Map(
    [...deployments, ...endpoints].map(({ deployment, chains }) => [deployment, chains]),
  );
  return {
    report,
    accept,
    more,
    chainsOf,
    fleet: readFleet(report),
    coverage: readCoverage(report, chainsOf),
  };
}

/** One surface on which a finding was made. */
export type FoundPlace = {
  /** `lockup/subgraph`. */
  readonly surface: string;
  readonly protocol: string;
  readonly style: string;
  /** Of the deployments that show it; empty for a finding about the snapshot itself. */
  readonly chains: readonly string[];
  readonly before: string | null;
  readonly after: string | null;
};

/** The surfaces on which a finding was made; none for a finding about files. */
export function placesOf({ chainsOf }: Pick<Page, "chainsOf">, finding: DecidedFinding): FoundPlace[] {
  return [finding, ...(finding.elsewhere ?? [])].flatMap(({ where, before, after }) => {
    if (where === null) return [];
    const { protocol, style, deployments } = where;
    const chains = [...new Set(deployments.flatMap((name) => chainsOf.get(name) ?? []))];
    return [{ surface: surfaceId(where), protocol, style, chains, before, after }];
  });
}

/**
 * The command that accepts a finding that fails the run; null if it cannot be accepted. Never for a wrong identity: its
 * URL has to be corrected.
 */
export function acceptCommand({ accept }: Pick<Page, "accept">, finding: DecidedFinding): string | null {
  if (accept === "never" || !finding.fails || !isAcceptable(finding) || isIdentityMismatch(finding))
    return null;
  const from = accept === "report" ? " --from report.json" : "";
  return `lockflow accept ${finding.fingerprint} --reason "…"${from}`;
}
