import type { Place } from "../dialects/locate.ts";
import type { Capability } from "../dialects/style.ts";
import type { Protocol, StyleName } from "../dialects/surface.ts";
import type { Lifecycle } from "../project/lifecycle.ts";
import type { Finding, OperationImpact, Where } from "./finding.ts";

/** 0 clean, 1 findings, 2 could not run, 3 inconclusive: too few endpoints answered. */
export type ExitCode = 0 | 1 | 2 | 3;

/** How a run ended. */
export type Outcome = {
  readonly exit: ExitCode;
  /** Why, as a clause to follow the exit code: `10 of 26 lockup/subgraph endpoints did not answer`. */
  readonly reason: string;
  /** What was looked at or found, in code-unit order of name. */
  readonly categories: readonly Category[];
};

/** Findings by the first part of their codes. */
export type Category = {
  /** `drift`, `fleet`, `parity`, … */
  readonly name: string;
  /** How many there are. */
  readonly findings: number;
  /** Those that make the run fail. */
  readonly failing: number;
  /** Those that somebody tolerates. */
  readonly accepted: number;
};

/** A finding held against what was accepted before. */
export type AcceptedFinding = Finding & {
  /** Twelve hex digits of its facts. */
  readonly fingerprint: string;
  /** Whether somebody knows and tolerates it, everywhere it is found. */
  readonly accepted: boolean;
  /** Their words; null when it is not accepted. */
  readonly acceptance: Acceptance | null;
  /** Where else the same happened, in other protocols or styles, in code-unit order; absent where it did nowhere else. */
  readonly elsewhere?: readonly SamePlace[];
};

/** One more place of a finding, in another protocol or style. */
export type SamePlace = {
  /** What it is accepted by there; whoever accepts the finding accepts all of its places. */
  readonly fingerprint: string;
  readonly where: Where;
  /** What stood there, in the words of that style; null where nothing did. */
  readonly before: string | null;
  /** What stands there now; null where nothing does. */
  readonly after: string | null;
  /** Where it is written down; null where it is nowhere. */
  readonly place: Place | null;
  /** Those of the finding's operations that it touches there. */
  readonly operations: readonly OperationImpact[];
};

/** Why a finding is tolerated, and for how long. */
export type Acceptance = {
  /** Why it is tolerated. */
  readonly reason: string;
  /** The last day it is accepted on, as `2027-01-31`; null for as long as it lasts. */
  readonly until: string | null;
};

/** A finding with all that is decided about it. */
export type DecidedFinding = AcceptedFinding & {
  /** Whether it makes the run fail. */
  readonly fails: boolean;
};

/** What became of one endpoint in a run. */
export type EndpointReport = {
  /** Name of the deployment. */
  readonly deployment: string;
  readonly protocol: Protocol;
  readonly style: StyleName;
  /** Keys of the chains it serves. */
  readonly chains: readonly string[];
  readonly status: EndpointStatus;
  /** Why it did not answer, or what else is worth knowing, without secrets. */
  readonly message: string | null;
  /** The id of its group; null when it gave no schema. */
  readonly group: string | null;
  /** What the configuration tells became of it; left out while it is in use. */
  readonly lifecycle?: Lifecycle;
  /** Its newest blocks, in code-unit order of chain; of one that did not answer, those that it had last. */
  readonly heads?: readonly HeadReport[];
  /** The day since which it has not answered, as `2026-11-21`; left out where no earlier run tells. */
  readonly silentSince?: string;
  /** True where the run was narrowed to others; left out otherwise. */
  readonly leftOut?: true;
};

/** The newest block that an endpoint has of a chain. */
export type HeadReport = {
  /** Its key. */
  readonly chain: string;
  /** Its number. */
  readonly block: number;
  /** Blocks that the furthest head of the chain is ahead of it. */
  readonly behind: number;
  /** When that block was made, in UTC; left out where the platform does not tell. */
  readonly madeAt?: string;
  /** When an earlier run saw this block first; left out where none did. */
  readonly since?: string;
  /** Its heads before this one and when runs first saw them, the oldest first; left out where none is known. */
  readonly earlier?: readonly { readonly block: number; readonly since: string }[];
};

/**
 * What became of an endpoint.
 * - `wrong-protocol`, `wrong-chain`: it answered, and it serves something else than the manifest says.
 * - `same`: it serves what the snapshot says.
 * - `platform-variant`: another release or another setting of the platform, the same entities.
 * - `accepted`: it differs, and that is accepted.
 * - `drifted`: it differs.
 * - `flapping`: it answered with two schemas.
 * - `indexing-error`: it answered with data and errors.
 * - `unreachable`, `refused` (401, 402, 403, 429), `malformed` (no whole introspection): it gave no schema.
 * - `dormant`: nobody asked it for so long that it sleeps, or it is called dormant and gave no schema.
 * - `skipped`: it was not asked.
 */
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

export const ENDPOINT_STATUSES = [
  "wrong-protocol",
  "wrong-chain",
  "same",
  "platform-variant",
  "accepted",
  "drifted",
  "flapping",
  "indexing-error",
  "unreachable",
  "refused",
  "malformed",
  "dormant",
  "skipped",
] as const;

/** Whether an endpoint gave a schema that it is known by; of one that did not, no schema can be concluded. */
export function hasSchema({ status }: Pick<EndpointReport, "status">): boolean {
  return WITH_SCHEMA.has(status);
}

const WITH_SCHEMA: ReadonlySet<EndpointStatus> = new Set([
  "same",
  "platform-variant",
  "accepted",
  "drifted",
  "flapping",
  "indexing-error",
]);

/** Whether nobody expects a schema of an endpoint that gave none: it was not asked, or is called dormant. */
export function isExcused(endpoint: Pick<EndpointReport, "status" | "lifecycle">): boolean {
  return (
    endpoint.status === "skipped" || (endpoint.lifecycle?.status === "dormant" && !hasAnswered(endpoint))
  );
}

/** Whether an endpoint answered. One that is somebody else did. */
export function hasAnswered(endpoint: Pick<EndpointReport, "status">): boolean {
  return hasSchema(endpoint) || endpoint.status === "wrong-protocol" || endpoint.status === "wrong-chain";
}

/**
 * How one thing stands in the two styles.
 * - `equal`: the same type expression.
 * - `mapped`: another scalar of the same family, or an enum that one style shows as an opaque scalar.
 * - `nullability`: the same but for a `!`.
 * - `conflict`: types that have nothing to do with each other.
 */
export type Verdict = (typeof VERDICTS)[number];

/** Every verdict. */
export const VERDICTS = [
  "equal",
  "mapped",
  "nullability",
  "conflict",
  "only-multichain",
  "only-subgraph",
] as const;

/**
 * Why two styles differ where they are bound to, so that nobody has to look:
 * - `parity/relation-nullability`: one style shows every reference as nullable, whatever its column says.
 * - `parity/opaque-enum`: one style shows an enum as a scalar, its members cannot be compared.
 * - `parity/scalar`: another scalar of the same family.
 */
export type ParityRule = (typeof PARITY_RULES)[number];

/** Every rule. */
export const PARITY_RULES = ["parity/relation-nullability", "parity/opaque-enum", "parity/scalar"] as const;

/** One entity (`field` null) or one field, in both styles. */
export type ParityRow = {
  /** The entity's name. */
  readonly entity: string;
  /** The field's name; null for the entity itself. */
  readonly field: string | null;
  /** Type expression; null where the style does not have it. For an entity, `"entity"`. */
  readonly multichain: string | null;
  /** The same of the other style. */
  readonly subgraph: string | null;
  readonly verdict: Verdict;
  /** The rule by which a difference is expected; null where there is none, or none is expected. */
  readonly rule: ParityRule | null;
  /** The style whose API may answer null where the other's does not: code for both has to expect it. */
  readonly weaker: StyleName | null;
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

/** An enum whose members one style does not show: that they agree is unknown, not true. */
export type OpaqueEnum = {
  /** Its name in one style. */
  readonly multichain: string;
  /** Its name in the other. */
  readonly subgraph: string;
  /** Where the members can be seen. */
  readonly shownBy: StyleName;
  /** Their names there. */
  readonly members: readonly string[];
};

/** One capability in both styles; portable operations may use what both have. */
export type CapabilityRow = {
  /** What can be asked. */
  readonly capability: Capability;
  /** How one style lets it be asked; null where it does not. */
  readonly multichain: string | null;
  /** The same of the other style. */
  readonly subgraph: string | null;
  /** Whether both do. */
  readonly portable: boolean;
};

/** How the two styles of one protocol agree. */
export type Parity = {
  /** In code-unit order of entity, then field; the entity's own row first. */
  readonly rows: readonly ParityRow[];
  readonly counts: Readonly<Record<Verdict, number>>;
  /** In the order of rows. */
  readonly renames: readonly ParityRename[];
  /** In code-unit order of name. */
  readonly opaqueEnums: readonly OpaqueEnum[];
  /** What can be asked of either style. */
  readonly capabilities: readonly CapabilityRow[];
};

/** The parity of one protocol. */
export type ProtocolParity = Parity & { readonly protocol: Protocol };
