import type { Lifecycle } from "../project/lifecycle.ts";
import type { Protocol, StyleName } from "../project/vocabulary.ts";
import type { ImpactKind } from "./finding.ts";
import type { DecidedFinding, EndpointReport, Outcome } from "./outcome.ts";
import type { ProtocolParity } from "./render-parity.ts";

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
