import type { Place } from "../base/place.ts";
import type { Lifecycle } from "../project/lifecycle.ts";
import type { Protocol, StyleName } from "../project/vocabulary.ts";
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
