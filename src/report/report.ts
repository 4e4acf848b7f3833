import { compareCodeUnits } from "../base/collections.ts";
import { type OfSurface, surfaceId } from "../dialects/surface.ts";
import { IMPACT_KINDS, isIdentityMismatch, placedOperations, SEVERITIES } from "./finding.ts";
import type { DecidedFinding, Finding, GroupReport, OperationReport, Report, Where } from "./types.ts";

export type * from "./types.ts";

/** Builds a report. Its order does not depend on the order of the input. */
export function buildReport(parts: Omit<Report, "version">): Report {
  const { endpoints, groups, findings, operations, moved, deployments, snapshots, sources } = parts;
  return {
    ...parts,
    version: 1,
    endpoints: sortBySurface(endpoints, ({ deployment }) => deployment),
    groups: sortGroups(groups),
    findings: findings.map(sortParts).sort(byWeight),
    operations: sortOperations(operations),
    ...(moved && { moved: [...moved].sort((a, b) => compareCodeUnits(a.file, b.file)) }),
    ...(deployments && { deployments: sortBySurface(deployments, ({ deployment }) => deployment) }),
    ...(snapshots && {
      snapshots: {
        groups: sortGroups(snapshots.groups),
        operations: sortOperations(snapshots.operations),
      },
    }),
    ...(sources && {
      sources: [...sources].sort((a, b) => compareCodeUnits(a.file, b.file) || a.line - b.line),
    }),
  };
}

function sortGroups(groups: readonly GroupReport[]): GroupReport[] {
  return groups
    .map((group) => ({
      ...group,
      features: [...group.features].sort(compareCodeUnits),
      deployments: [...group.deployments].sort(compareCodeUnits),
    }))
    .sort((a, b) => byPlace(a, b) || bySize(a, b));
}

function sortOperations(operations: readonly OperationReport[]): OperationReport[] {
  return sortBySurface(operations, ({ name }) => name);
}

function sortBySurface<T extends OfSurface>(items: readonly T[], nameOf: (item: T) => string): T[] {
  return [...items].sort((a, b) => byPlace(a, b) || compareCodeUnits(nameOf(a), nameOf(b)));
}

function byPlace(a: OfSurface, b: OfSurface): number {
  return compareCodeUnits(surfaceId(a), surfaceId(b));
}

function bySize(a: GroupReport, b: GroupReport): number {
  return (
    Number(b.kind === "reference") - Number(a.kind === "reference") ||
    b.deployments.length - a.deployments.length ||
    compareCodeUnits(a.deployments[0] ?? "", b.deployments[0] ?? "")
  );
}

function sortParts(finding: DecidedFinding): DecidedFinding {
  const { where, elsewhere } = finding;
  return {
    ...finding,
    where: where && sortWhere(where),
    ...(elsewhere && { elsewhere: elsewhere.map((place) => ({ ...place, where: sortWhere(place.where) })) }),
    operations: [...placedOperations(finding)].sort(
      (a, b) =>
        IMPACT_KINDS.indexOf(a.impact) - IMPACT_KINDS.indexOf(b.impact) ||
        compareCodeUnits(a.file, b.file) ||
        a.line - b.line ||
        a.column - b.column ||
        compareCodeUnits(a.name, b.name) ||
        compareCodeUnits(a.message, b.message),
    ),
  };
}

/** Sorts wrong identities first, then by effect on operations, severity and coordinate; accepted findings last. */
function byWeight(a: DecidedFinding, b: DecidedFinding): number {
  return (
    Number(a.accepted) - Number(b.accepted) ||
    Number(isIdentityMismatch(b)) - Number(isIdentityMismatch(a)) ||
    impactRank(a) - impactRank(b) ||
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    Number(isAside(a)) - Number(isAside(b)) ||
    compareCodeUnits(a.coordinate ?? a.subject, b.coordinate ?? b.subject) ||
    compareCodeUnits(a.place?.file ?? "", b.place?.file ?? "") ||
    (a.place?.line ?? 0) - (b.place?.line ?? 0) ||
    (a.place?.column ?? 0) - (b.place?.column ?? 0) ||
    compareCodeUnits(a.code, b.code) ||
    compareCodeUnits(surfaceKey(a), surfaceKey(b)) ||
    compareCodeUnits(a.fingerprint, b.fingerprint) ||
    compareCodeUnits(a.message, b.message)
  );
}

/** Returns whether a finding is about an operation and does not fail. Others of the same severity come first. */
function isAside({ layer, fails }: DecidedFinding): boolean {
  return layer === "operation" && !fails;
}

function impactRank({ operations }: Finding): number {
  return operations.reduce<number>(
    (worst, { impact }) => Math.min(worst, IMPACT_KINDS.indexOf(impact)),
    IMPACT_KINDS.length,
  );
}

function sortWhere(where: Where): Where {
  return { ...where, deployments: [...where.deployments].sort(compareCodeUnits) };
}

function surfaceKey({ where }: Finding): string {
  return where === null ? "" : `${surfaceId(where)} ${where.deployments.join()}`;
}

/** One form of a report. */
export type Renderer = {
  readonly render: (report: Report, options: RenderOptions) => string;
};

/** Options of renderers; they are not part of the report. */
export type RenderOptions = {
  readonly color: boolean;
  readonly verbose: boolean;
  /** A file of the project for forms in which every finding needs one: the fleet record. */
  readonly anchor: string;
  /** The project's folder in the checkout, with a trailing slash; empty for the root, or if it is unknown. */
  readonly folder: string;
  /** How findings can be accepted: from the snapshots, from a saved report of this run, or not at all. */
  readonly accept: "snapshots" | "report" | "never";
  /** Commands that repair the operations, the first to run first. @default none */
  readonly next?: readonly string[] | undefined;
};
