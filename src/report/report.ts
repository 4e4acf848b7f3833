import { compareCodeUnits } from "../base/collections.ts";
import { type OfSurface, type Protocol, type StyleName, surfaceId } from "../dialects/surface.ts";
import type { Lifecycle } from "../project/lifecycle.ts";
import {
  type Finding,
  IMPACT_KINDS,
  type ImpactKind,
  isIdentityMismatch,
  SEVERITIES,
  type Where,
} from "./finding.ts";
import type { DecidedFinding, EndpointReport, Outcome, ProtocolParity } from "./outcome.ts";

/** The result of one run, which any number of renderers show. All of it but `run` is deterministic. */
export type Report = {
  /** Of this shape. */
  readonly version: 1;
  /** How the styles of each protocol agree, by the snapshots; left out of a run that was not to compare them. */
  readonly protocols?: readonly ProtocolParity[];
  readonly outcome: Outcome;
  /** In code-unit order of protocol, style and deployment. */
  readonly endpoints: readonly EndpointReport[];
  /** In code-unit order of protocol and style, the reference first and then by size. */
  readonly groups: readonly GroupReport[];
  /** The worst first. */
  readonly findings: readonly DecidedFinding[];
  /** In code-unit order of protocol, style and name. */
  readonly operations: readonly OperationReport[];
  /** Files of snapshots that the run wrote or removed, in code-unit order; left out of a run that moves none. */
  readonly moved?: readonly MovedFile[];
  /** The deployments that the groups are of, where nobody was asked; in the order of endpoints. */
  readonly deployments?: readonly DeploymentReport[];
  /** What the snapshots say where a run asked nobody and compared no operations; left out of others. */
  readonly snapshots?: SnapshotsReport;
  /** What operations and fragments say, in order of place; left out of a run that was not to tell it. */
  readonly sources?: readonly SourceReport[];
  /** What differs from run to run. */
  readonly run: RunFacts;
  /** The APIs that a plan derived; left out of a run that is none. */
  readonly apis?: readonly PlannedApi[];
};

/** An API that was derived from an entity schema, or would have been. */
export type PlannedApi = {
  readonly protocol: Protocol;
  readonly style: StyleName;
  /** The path of the entity schema, as it was given. */
  readonly entities: string;
  /** The release of the platform that it was derived for: `graph-node-0.44`. */
  readonly release: string;
  /** Who says that it is this one: the snapshot that shows it, the caller, or nobody: then it is the default. */
  readonly releaseFrom: "snapshot" | "caller" | "default";
  /** What it was compared with: a snapshot (`lockup/subgraph`), or an entity schema at a git ref. */
  readonly before: string;
  /**
   * What became of it.
   * - `compared`: the findings tell what changes.
   * - `new`: there is nothing to compare it with.
   * - `refused`: the platform does not take the entity schema.
   */
  readonly status: "compared" | "new" | "refused";
};

/** What deployments served when the snapshots were made, and where operations are valid by that. */
export type SnapshotsReport = {
  /** As in a report. */
  readonly groups: readonly GroupReport[];
  /** As in a report: what findings do to them is not known, and none is affected. */
  readonly operations: readonly OperationReport[];
};

/** A deployment of which a run knows by the snapshots what it serves. */
export type DeploymentReport = {
  /** Its name. */
  readonly deployment: string;
  readonly protocol: Protocol;
  readonly style: StyleName;
  /** Keys of the chains it serves. */
  readonly chains: readonly string[];
  /** What the configuration tells became of it; left out while it is in use. */
  readonly lifecycle?: Lifecycle;
};

/** The text of one operation or fragment. */
export type SourceReport = {
  /** Path from the project's root. */
  readonly file: string;
  /** The line of the file that it begins in, from 1. */
  readonly line: number;
  /** From its first character to its last; of a file in code, the document alone. */
  readonly text: string;
};

/** A file that a run changed: a path from the project's root. */
export type MovedFile = {
  /** Its path. */
  readonly file: string;
  /** What became of it. */
  readonly change: "written" | "removed";
};

/** The deployments of one protocol and style that serve the same, descriptions included. */
export type GroupReport = {
  /** The short hash of that schema's shape. */
  readonly id: string;
  readonly protocol: Protocol;
  readonly style: StyleName;
  /** The short hash of its entities: groups that share it differ in their platform only. */
  readonly entities: string;
  /** The platform's release as far as the schema shows; null when unknown. */
  readonly release: string | null;
  /** Names of operator settings and features that the schema shows. */
  readonly features: readonly string[];
  /** How it stands to what the others are compared with: by its entities, its platform, its descriptions. */
  readonly kind: "reference" | "entities" | "platform" | "docs";
  /** Names in code-unit order. */
  readonly deployments: readonly string[];
};

/** What the findings do to one operation. */
export type OperationReport = {
  /** As it is called in its document. */
  readonly name: string;
  readonly protocol: Protocol;
  readonly style: StyleName;
  /** Path from the project's root. */
  readonly file: string;
  /** Where it starts, from 1. */
  readonly line: number;
  /** The worst that anything not accepted does to it. */
  readonly impact: ImpactKind | "unaffected";
  /** Keys of the chains it is valid on. */
  readonly chains: readonly string[];
  /** Keys of those it is not. */
  readonly missing: readonly string[];
  /** True where it is written once for both styles; left out otherwise. */
  readonly portable?: true;
};

/** What nobody may compare between two runs. */
export type RunFacts = {
  /** As it was called, without options. */
  readonly command: string;
  /** Of Lockflow. */
  readonly version: string;
  /** ISO 8601, in UTC. */
  readonly startedAt: string;
  /** How long the run took. */
  readonly durationMs: number;
};

/** Builds a report: everything in its one order, whatever order it was found in. */
export function buildReport(parts: Omit<Report, "version">): Report {
  const { outcome, endpoints, groups, findings, operations, moved, run } = parts;
  const { protocols, deployments, snapshots, sources, apis } = parts;
  return {
    version: 1,
    ...(protocols && { protocols }),
    outcome,
    endpoints: [...endpoints].sort((a, b) => byPlace(a, b) || compareCodeUnits(a.deployment, b.deployment)),
    groups: sortGroups(groups),
    findings: findings.map(sortParts).sort(byWeight),
    operations: sortOperations(operations),
    ...(moved === undefined ? {} : { moved: [...moved].sort((a, b) => compareCodeUnits(a.file, b.file)) }),
    ...(deployments && {
      deployments: [...deployments].sort(
        (a, b) => byPlace(a, b) || compareCodeUnits(a.deployment, b.deployment),
      ),
    }),
    ...(snapshots && {
      snapshots: {
        groups: sortGroups(snapshots.groups),
        operations: sortOperations(snapshots.operations),
      },
    }),
    ...(sources && {
      sources: [...sources].sort((a, b) => compareCodeUnits(a.file, b.file) || a.line - b.line),
    }),
    run,
    ...(apis && { apis }),
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
  return [...operations].sort((a, b) => byPlace(a, b) || compareCodeUnits(a.name, b.name));
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
  const { where, operations, elsewhere } = finding;
  return {
    ...finding,
    where: where && sortWhere(where),
    ...(elsewhere && { elsewhere: elsewhere.map((one) => ({ ...one, where: sortWhere(one.where) })) }),
    operations: [...operations].sort(
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

/** Who is somebody else first, then by what it does to operations, severity and coordinate; what is accepted last. */
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
    compareCodeUnits(placeOf(a), placeOf(b)) ||
    compareCodeUnits(a.fingerprint, b.fingerprint) ||
    compareCodeUnits(a.message, b.message)
  );
}

/** Whether it is about operations that are accepted all the same: what else is as severe is told before. */
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

function placeOf({ where }: Finding): string {
  return where === null ? "" : `${surfaceId(where)} ${where.deployments.join()}`;
}

/** One form of a report. */
export type Renderer = {
  /** Whether programs read it, so that nothing else may stand on its stream. */
  readonly isForPrograms: boolean;
  /** True where it shows what a report holds beside the findings: parity, and the texts of operations. */
  readonly showsDetails?: true;
  readonly render: (report: Report, options: RenderOptions) => string;
};

/** What renderers may choose by; none of it is in the result. */
export type RenderOptions = {
  readonly color: boolean;
  readonly verbose: boolean;
  /** A file of the project for those forms in which everything needs one: the fleet record. */
  readonly anchor: string;
  /** The project's folder in the checkout, with a slash behind it; empty where that is its root, or is not known. */
  readonly folder: string;
  /** How findings can be accepted: by what the snapshots show again, from a saved report of this run, or not at all. */
  readonly accept: "snapshots" | "report" | "never";
};
