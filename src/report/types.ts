// Written by `npm run docs`, from schema/.

import type { Protocol, StyleName } from "../dialects/surface.ts";

/** Why a finding is tolerated, and for how long. */
export type Acceptance = {
  /** Why it is tolerated. */
  readonly reason: string;
  /** The last day, as `2027-01-31`; null without an end. */
  readonly until: string | null;
};

/** What `check --against` compared the snapshots with. */
export type AgainstReport = {
  /** The git ref, as given. */
  readonly ref: string;
  /** The commit of the ref. */
  readonly commit: string;
  /** The commit of `HEAD`. Compared are the files on disk, which may be newer. */
  readonly head: string;
  /** The merge base of both: the earlier snapshots are those of this commit. */
  readonly base: string;
  /** The compared snapshots, `protocol/style`; empty if the base has none of them. */
  readonly compared: readonly string[];
};

/** One thing that can be queried from an indexer. */
export type Capability =
  | "one by id"
  | "filter: equal"
  | "filter: order"
  | "filter: in a list"
  | "filter: null"
  | "filter: text"
  | "filter: lists"
  | "filter: relations"
  | "filter: and"
  | "filter: or"
  | "filter: not"
  | "filter: changed since"
  | "order: one field"
  | "order: several fields"
  | "order: field of a relation"
  | "page"
  | "page: of a list field"
  | "distinct"
  | "aggregates"
  | "roll-ups by interval"
  | "search"
  | "time travel"
  | "live updates"
  | "progress and health";

/** One capability in both styles; portable operations may use what both have. */
export type CapabilityRow = {
  /** What can be queried. */
  readonly capability: Capability;
  /** How one style writes it; null if it cannot. */
  readonly multichain: string | null;
  /** The same of the other style. */
  readonly subgraph: string | null;
  /** Whether both styles can. */
  readonly portable: boolean;
};

/** Findings by the first part of their codes. */
export type Category = {
  /** The first part of the codes, as `drift`. */
  readonly name: string;
  /** All of them. */
  readonly findings: number;
  /** Those that make the run fail. */
  readonly failing: number;
  /** Those that are tolerated. */
  readonly accepted: number;
};

/** A finding with its fingerprint, its acceptance and whether it fails the run. */
export type DecidedFinding = Finding & {
  readonly fingerprint: Fingerprint;
  /** Where else the same happened, in other protocols or styles, in code-unit order. */
  readonly elsewhere?: readonly SamePlace[];
  /** Whether it makes the run fail. */
  readonly fails: boolean;
  /** Whether it is tolerated on all deployments that it names; such a finding never fails. */
  readonly accepted: boolean;
  /** Null if it is not accepted. */
  readonly acceptance: Acceptance | null;
};

/** A deployment whose schema a run knows from the snapshots. */
export type DeploymentReport = {
  /** Its name. */
  readonly deployment: string;
  readonly protocol: Protocol;
  readonly style: StyleName;
  /** Keys of the chains it serves. */
  readonly chains: readonly string[];
  /** As configured; left out for an active deployment. */
  readonly lifecycle?: Lifecycle;
};

/** A change that follows from another. */
export type DerivedChange = {
  /** In the notation of the GraphQL specification. */
  readonly coordinate: string;
  /** The old text, in the words of the style; null if something was added. */
  readonly before: string | null;
  /** The new text, in the words of the style; null if something was removed. */
  readonly after: string | null;
};

/** An earlier head of an endpoint. */
export type EarlierHead = {
  /** Its number. */
  readonly block: number;
  /** When a run first saw it, in UTC. */
  readonly since: string;
};

/** One endpoint in a run. */
export type EndpointReport = {
  /** Its name. */
  readonly deployment: string;
  readonly protocol: Protocol;
  readonly style: StyleName;
  /** Keys of the chains it serves. */
  readonly chains: readonly string[];
  readonly status: EndpointStatus;
  /** Why it did not answer, or another note, without secrets. */
  readonly message: string | null;
  /** The id of its group; null if it gave no schema. */
  readonly group: string | null;
  /** As configured; left out for an active deployment. */
  readonly lifecycle?: Lifecycle;
  /** True if the run was narrowed to others; left out otherwise. */
  readonly leftOut?: true;
  /** The day since which it has not answered, as `2026-11-21`; left out if no earlier run shows it. */
  readonly silentSince?: string;
  /**
   * Its newest blocks, by chain; for one that did not answer, its last known ones. Left out if none is known.
   */
  readonly heads?: readonly HeadReport[];
};

/**
 * The state of an endpoint.
 * - `wrong-protocol`, `wrong-chain`: it serves something else than the manifest says, so it is not compared.
 * - `same`: it serves what the snapshot says.
 * - `platform-variant`: another release or another setting of the platform, the same entities.
 * - `accepted`: it differs, and that is accepted.
 * - `drifted`: it differs.
 * - `flapping`: it answered with two schemas.
 * - `indexing-error`: it answered with data and errors.
 * - `unreachable`, `refused` (401, 402, 403, 429), `malformed` (no whole introspection): it gave no schema.
 * - `dormant`: it gave no schema, and its gateway or the configuration calls it dormant.
 * - `skipped`: the run did not query it.
 */
export type EndpointStatus =
  | "wrong-protocol"
  | "wrong-chain"
  | "same"
  | "platform-variant"
  | "accepted"
  | "drifted"
  | "flapping"
  | "indexing-error"
  | "unreachable"
  | "refused"
  | "malformed"
  | "dormant"
  | "skipped";

/** 0 clean, 1 findings, 2 could not run, 3 inconclusive: too few endpoints answered. */
export type ExitCode = 0 | 1 | 2 | 3;

/**
 * A judged fact to report: one root cause, or one fault of a file. Never an exception: a run collects all of
 * them and decides once.
 */
export type Finding = {
  /** Stable, for programs: `drift/field-removed`. `lockflow explain` describes each. */
  readonly code: string;
  readonly severity: Severity;
  readonly layer: Layer;
  /** An operation, a file, a deployment or a coordinate. */
  readonly subject: string;
  /** For people; its wording is not stable. */
  readonly message: string;
  /** In the notation of the GraphQL specification; null for a finding that is not about a schema. */
  readonly coordinate: string | null;
  /** The old text, in the words of the style; null if something was added. */
  readonly before: string | null;
  /** The new text, in the words of the style; null if something was removed. */
  readonly after: string | null;
  /** Set for a rename that is a guess: the names share a word, or the fields refer to the same entity. */
  readonly isOnlyPossible?: true;
  /** How many more coordinates changed because of this one. */
  readonly derived: number;
  /**
   * These coordinates, in code-unit order; a type that was added or removed includes its members. Empty if
   * they are findings of their own.
   */
  readonly derivedCoordinates?: readonly string[];
  /**
   * The derived changes that make the finding as severe as it is, in code-unit order of coordinate; empty if
   * the change itself is that severe.
   */
  readonly worstDerived?: readonly DerivedChange[];
  /** Null for a finding about files, or about deployments of more than one protocol or style. */
  readonly where: Where | null;
  /** What it does to operations in all of its places, the worst first. */
  readonly operations: readonly OperationImpact[];
  /** Null if it is in no file. */
  readonly place: Place | null;
  /** What to do about it: a sentence that names the next command. */
  readonly fix: string | null;
};

/**
 * Twelve hex digits of the facts: no wording, no line, no deployment. A fault of a file also counts its
 * message, and equal ones are numbered. Unique in a report, but for the parts of a finding that is accepted
 * for some deployments only.
 */
export type Fingerprint = string;

/** The deployments of one protocol and style that serve the same, descriptions included. */
export type GroupReport = {
  /** The short hash of that schema's shape. */
  readonly id: string;
  readonly protocol: Protocol;
  readonly style: StyleName;
  /** The short hash of its entities: groups that share it differ in their platform only. */
  readonly entities: string;
  /** The platform's release, as far as the schema shows it. */
  readonly release: string | null;
  /** Operator settings and features that the schema shows. */
  readonly features: readonly string[];
  /** How it differs from the reference: by its entities, its platform, its descriptions. */
  readonly kind: "reference" | "entities" | "platform" | "docs";
  /** Names in code-unit order. */
  readonly deployments: readonly string[];
};

/** The newest block that an endpoint has of a chain. */
export type HeadReport = {
  /** Its key. */
  readonly chain: string;
  /** Its number. */
  readonly block: number;
  /** Blocks that the furthest head of the chain is ahead of it. */
  readonly behind: number;
  /** The time of that block, in UTC; left out if the platform does not show it. */
  readonly madeAt?: string;
  /** When an earlier run first saw this block, in UTC; left out if none did. */
  readonly since?: string;
  /** With `--memory`, its heads before this one, the oldest first; left out if none is known. */
  readonly earlier?: readonly EarlierHead[];
};

/**
 * What a change does to an operation, worst first.
 * - `broken`: the operation is not valid any more.
 * - `at-risk`: it is valid, but a value that callers may send through a variable would be refused.
 * - `changes-type`: an answer or a variable has another type.
 * - `changes-meaning`: a default that it relies on changed.
 * - `deprecated`: it uses something newly deprecated.
 */
export type ImpactKind = "broken" | "at-risk" | "changes-type" | "changes-meaning" | "deprecated";

/**
 * What a finding is about: `entity` is what the indexer's authors wrote, `platform` what the platform adds;
 * the others are descriptions, identity and health of endpoints, and files of the project.
 */
export type Layer =
  | "entity"
  | "platform"
  | "docs"
  | "identity"
  | "health"
  | "operation"
  | "portable"
  | "generated"
  | "snapshot"
  | "baseline"
  | "plan";

/** The configured state of a deployment that is not active. */
export type Lifecycle = {
  /** A dormant deployment is queried, but needs no new blocks; a retired one is not queried. */
  readonly status: "dormant" | "retired";
  /** A month or a day. */
  readonly since?: string;
  /** Why, as a clause. */
  readonly reason?: string;
  /** The name of the deployment to use in its place. */
  readonly replacedBy?: string;
};

/** A file that a run changed. */
export type MovedFile = {
  /** A path from the project's root. */
  readonly file: string;
  /** What the run did to it. */
  readonly change: "written" | "removed";
};

/** An enum whose members one style does not show: whether they agree is unknown. */
export type OpaqueEnum = {
  /** Its name in one style. */
  readonly multichain: string;
  /** Its name in the other. */
  readonly subgraph: string;
  /** The style that shows the members. */
  readonly shownBy: StyleName;
  /** As that style shows them. */
  readonly members: readonly string[];
};

/** One place of an operation that a finding touches. */
export type OperationImpact = {
  /** A path from the project's root. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** Of the operation. */
  readonly name: string;
  readonly impact: ImpactKind;
  /**
   * How much it affects this operation, which decides whether the run fails. The finding's own severity is
   * for an unknown client.
   */
  readonly severity: Severity;
  /** What happens to the operation, for people. */
  readonly message: string;
  /** Of the operation; left out if the finding has none. */
  readonly protocol?: Protocol;
  /** Of the operation; left out if the finding has none. */
  readonly style?: StyleName;
};

/** What the findings do to one operation. */
export type OperationReport = {
  /** Its name in its document. */
  readonly name: string;
  readonly protocol: Protocol;
  readonly style: StyleName;
  /** A path from the project's root. */
  readonly file: string;
  /** Where it starts, from 1. */
  readonly line: number;
  /** The worst that any finding that is not accepted does to it. */
  readonly impact: "broken" | "at-risk" | "changes-type" | "changes-meaning" | "deprecated" | "unaffected";
  /** Keys of the chains it is valid on. */
  readonly chains: readonly string[];
  /** Keys of the chains it is not valid on. */
  readonly missing: readonly string[];
  /** True if it is written once for both styles; left out otherwise. */
  readonly portable?: true;
};

/** The result of a run. */
export type Outcome = {
  readonly exit: ExitCode;
  /** Why, as a clause for people to follow the exit code; its wording is not stable. */
  readonly reason: string;
  /** The checked categories and those with findings, in code-unit order of name. */
  readonly categories: readonly Category[];
};

/** How the two styles of one protocol agree. */
export type Parity = {
  /** Fields of shared entities, by verdict. */
  readonly counts: {
    readonly equal: number;
    readonly mapped: number;
    readonly nullability: number;
    readonly conflict: number;
    readonly "only-multichain": number;
    readonly "only-subgraph": number;
  };
  /** In code-unit order of entity, then field; the entity's own row first. */
  readonly rows: readonly ParityRow[];
  /** Fields that seem to have another name in each style. */
  readonly renames: readonly ParityRename[];
  /** In code-unit order of name. */
  readonly opaqueEnums: readonly OpaqueEnum[];
  /** What can be queried in either style. */
  readonly capabilities: readonly CapabilityRow[];
};

/** A field that seems to have another name in each style: the same type, among the same others. */
export type ParityRename = {
  /** The entity that has it. */
  readonly entity: string;
  /** Its name in one style. */
  readonly multichain: string;
  /** Its name in the other. */
  readonly subgraph: string;
};

/** One entity (`field` null) or one field, in both styles. */
export type ParityRow = {
  /** The entity's name. */
  readonly entity: string;
  /** The field's name; null for the entity itself. */
  readonly field: string | null;
  /** Its type; null if the style does not have it. For an entity, `"entity"`. */
  readonly multichain: string | null;
  /** The same of the other style. */
  readonly subgraph: string | null;
  readonly verdict: Verdict;
  /** The rule that explains the difference; null if none does. */
  readonly rule: ParityRule | null;
  /** The style that may answer null where the other does not: code for both must expect it. */
  readonly weaker: StyleName | null;
};

/**
 * Why a difference between the styles is expected.
 * - `parity/relation-nullability`: one style shows every reference as nullable, whatever its column says.
 * - `parity/opaque-enum`: one style shows an enum as a scalar, so its members cannot be compared.
 * - `parity/scalar`: another scalar of the same family.
 */
export type ParityRule = "parity/relation-nullability" | "parity/opaque-enum" | "parity/scalar";

/** A place in the project. */
export type Place = {
  /** A path from the project's root. */
  readonly file: string;
  /** From 1. */
  readonly line: number | null;
  /** From 1. */
  readonly column: number | null;
};

/** An API that was derived from an entity schema, or that its platform refuses. */
export type PlannedApi = {
  readonly protocol: Protocol;
  readonly style: StyleName;
  /** The path of the entity schema, as given or as the definition names it. */
  readonly entities: string;
  /** The release of the platform that it was derived for: `graph-node-0.44`. */
  readonly release: string;
  /** Where that release comes from: the snapshot, `--release`, the protocol's definition, or the default. */
  readonly releaseFrom: "snapshot" | "caller" | "definition" | "default";
  /** What it was compared with: a snapshot (`protocol/style`), or an entity schema at a git ref. */
  readonly before: string;
  /**
   * The result.
   * - `compared`: the findings say what changes.
   * - `new`: it has no predecessor.
   * - `refused`: the platform refuses the entity schema.
   */
  readonly status: "compared" | "new" | "refused";
};

/** The agreement of the styles of one protocol. */
export type ProtocolParity = Parity & {
  readonly protocol: Protocol;
};

/**
 * The result of one run. All of it but `run` is deterministic: two runs over the same facts give the same
 * bytes.
 */
export type Report = {
  /** Any change that programs would notice is a new version; new keys are one. */
  readonly version: 1;
  /**
   * How the two styles of each protocol compare, by the snapshots; left out if the run did not compare them.
   */
  readonly protocols?: readonly ProtocolParity[];
  readonly outcome: Outcome;
  /**
   * Every endpoint, in code-unit order of protocol, style and deployment; empty for a run that sends no
   * requests.
   */
  readonly endpoints: readonly EndpointReport[];
  /** By protocol and style, the reference first and then by size. */
  readonly groups: readonly GroupReport[];
  /** The worst first, and the accepted ones last. */
  readonly findings: readonly DecidedFinding[];
  /**
   * What the findings that are not accepted do to each operation; in code-unit order of protocol, style and
   * name.
   */
  readonly operations: readonly OperationReport[];
  /** Of `drift --update`: files of snapshots that it wrote or removed, in code-unit order. */
  readonly moved?: readonly MovedFile[];
  /**
   * Of `diff` and `check`: the deployments of the groups, or of those in `snapshots`; in the order of
   * endpoints.
   */
  readonly deployments?: readonly DeploymentReport[];
  /** Of `check --against`: the compared commits. */
  readonly against?: AgainstReport;
  /**
   * Of `check`: what the deployments served when the snapshots were made, and where operations are valid by
   * that.
   */
  readonly snapshots?: SnapshotsReport;
  /** The texts of operations and their fragments, in order of place; at most a million characters. */
  readonly sources?: readonly SourceReport[];
  readonly run: RunFacts;
  /** Of `plan`: the APIs that were derived, by style. */
  readonly apis?: readonly PlannedApi[];
};

/** What differs from run to run. */
export type RunFacts = {
  /** The command that was run, without options. */
  readonly command: string;
  /** Of Lockflow. */
  readonly version: string;
  /** ISO 8601, in UTC. */
  readonly startedAt: string;
  /** Milliseconds from start to end. */
  readonly durationMs: number;
};

/** One more place of a finding, in another protocol or style. */
export type SamePlace = {
  /** Accepts this place alone; accepting the finding accepts all of its places. */
  readonly fingerprint: Fingerprint;
  readonly where: Where;
  /** The old text, in the words of the style; null if something was added. */
  readonly before: string | null;
  /** The new text, in the words of the style; null if something was removed. */
  readonly after: string | null;
  /** Null if it is in no file. */
  readonly place: Place | null;
};

/**
 * How much a change affects an unknown client.
 * - `breaking`: a request may be refused, or typed code be wrong.
 * - `risky`: still accepted, but an answer, its type or its meaning may change.
 * - `additive`: only new possibilities.
 * - `cosmetic`: documentation, deprecation, order.
 */
export type Severity = "breaking" | "risky" | "additive" | "cosmetic";

/** What deployments served when the snapshots were made, and where operations are valid by that. */
export type SnapshotsReport = {
  /** As in a report. */
  readonly groups: readonly GroupReport[];
  /** As in a report, without the effects of findings: none is affected. */
  readonly operations: readonly OperationReport[];
};

/** The text of one operation or fragment. */
export type SourceReport = {
  /** A path from the project's root. */
  readonly file: string;
  /** The line of the file that it begins in, from 1. */
  readonly line: number;
  /** From its first character to its last; from a file in code, the document alone. */
  readonly text: string;
};

/**
 * How one entity or field compares in the two styles.
 * - `equal`: the same type expression.
 * - `mapped`: another scalar of the same family, or an enum that one style shows as an opaque scalar.
 * - `nullability`: the same but for a `!`.
 * - `conflict`: unrelated types.
 */
export type Verdict = "equal" | "mapped" | "nullability" | "conflict" | "only-multichain" | "only-subgraph";

/** The deployments, of one protocol and style, that a finding is about. */
export type Where = {
  readonly protocol: Protocol;
  readonly style: StyleName;
  /** Names in code-unit order; empty for a finding about the snapshot itself. */
  readonly deployments: readonly string[];
};
