import type { Protocol, StyleName } from "../project/vocabulary.ts";
import type { ImpactKind } from "./finding.ts";
import type { DecidedFinding, EndpointReport, Outcome } from "./outcome.ts";

/** The result of one run, which any number of renderers show. All of it but `run` is deterministic. */
export type Report = {
  /** Of this shape. */
  readonly version: 1;
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
  /** What differs from run to run. */
  readonly run: RunFacts;
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
