import { EmulatorError } from "../../src/base/errors.ts";
import { nearestName } from "../../src/base/text.ts";
import type { Environment, Protocol, StyleName } from "../../src/dialects/surface.ts";

/** Something that goes wrong on purpose. */
export type Fault = RefusedFault | (RequestFault & FaultTiming);

/** The faults that happen to requests: to all, by chance, or to the next few. */
export type RequestFault =
  | LatencyFault
  | ResetFault
  | UnauthorizedFault
  | PaymentRequiredFault
  | ForbiddenFault
  | NotFoundFault
  | TooManyRequestsFault
  | ServerErrorFault
  | BadGatewayFault
  | TruncatedJsonFault
  | ErrorsBesideDataFault
  | IntrospectionOffFault
  | IndexingErrorFault
  | WrongChainFault
  | MissingChainFault
  | WrongProtocolFault
  | StuckHeadFault
  | LaggingHeadFault
  | DropFieldFault
  | RenameFieldFault
  | RetypeFieldFault
  | AddFieldFault
  | AddEnumMemberFault
  | ReleaseFault
  | FlappingFault
  | HugeBodyFault
  | DeepBodyFault;

/** The failure: a status, or a word for it. */
export type FaultKind = Fault["kind"];

/** The endpoints of a fault: those that match all given members; every endpoint without any. */
export type FaultScope = {
  /** A deployment's name; or a chain by key, alias, suffix or id: every deployment of only that chain. */
  readonly deployment?: string | undefined;
  /** The endpoints of one environment. */
  readonly environment?: Environment | undefined;
  /** The endpoints of one style. */
  readonly style?: StyleName | undefined;
  /** The endpoints of one protocol. */
  readonly protocol?: Protocol | undefined;
};

/** Which requests to an endpoint a fault is for: all of them unless one of these is given. */
export type FaultTiming = {
  /** The share of requests, from 0 to 1. Drawn from the seed and the number of the request, so that a run can be repeated. */
  readonly probability?: number | undefined;
  /** Only this many requests, counted together for all endpoints of the fault. */
  readonly next?: number | undefined;
};

/** Answers are delayed. Several faults add up. */
export type LatencyFault = FaultScope & { readonly kind: "latency"; readonly milliseconds: number };

/** The connection is refused: the endpoint's URL has a port at which nothing listens. From the start only. */
export type RefusedFault = FaultScope & { readonly kind: "refused" };

/** The connection is reset before anything is sent (`start`, the default) or with half a `body`. */
export type ResetFault = FaultScope & { readonly kind: "reset"; readonly at?: "start" | "body" | undefined };

/** HTTP 401, whatever the key. */
export type UnauthorizedFault = FaultScope & { readonly kind: "401" };
/** HTTP 402. */
export type PaymentRequiredFault = FaultScope & { readonly kind: "402" };
/** HTTP 403. */
export type ForbiddenFault = FaultScope & { readonly kind: "403" };
/** HTTP 404. */
export type NotFoundFault = FaultScope & { readonly kind: "404" };

/** HTTP 429, with a `Retry-After` header of so many seconds: 60 unless `retryAfter` says otherwise. */
export type TooManyRequestsFault = FaultScope & {
  readonly kind: "429";
  readonly retryAfter?: number | undefined;
};

/** HTTP 500. */
export type ServerErrorFault = FaultScope & { readonly kind: "500" };

/** HTTP 502 with a web page as a proxy sends it. */
export type BadGatewayFault = FaultScope & { readonly kind: "502" };

/**
 * Half of an answer's JSON with its status: sent as all there is (`cut`, the default), or with the length of the
 * `whole` and an early end of the connection.
 */
export type TruncatedJsonFault = FaultScope & {
  readonly kind: "truncated-json";
  readonly length?: "cut" | "whole" | undefined;
};

/** A successful answer has an entry in `errors` too, whose text may be given. */
export type ErrorsBesideDataFault = FaultScope & {
  readonly kind: "errors-beside-data";
  readonly message?: string | undefined;
};

/** `__schema` and `__type` are refused. */
export type IntrospectionOffFault = FaultScope & { readonly kind: "introspection-off" };

/** Indexing failed and stopped at a block, by default the last one indexed when the fault is set. */
export type IndexingErrorFault = FaultScope & {
  readonly kind: "indexing-error";
  readonly block?: number | undefined;
};

/** A subgraph serves the rows of another chain, given by its key, alias, suffix or id. */
export type WrongChainFault = FaultScope & { readonly kind: "wrong-chain"; readonly chain: string };

/** A multichain deployment has no rows of a chain. */
export type MissingChainFault = FaultScope & { readonly kind: "missing-chain"; readonly chain: string };

/** Serves the rows of another protocol: one that is served in the style, or else a built-in one. */
export type WrongProtocolFault = FaultScope & { readonly kind: "wrong-protocol" };

/** The head stays at its block while the chain, or only the chain that is given, goes on. */
export type StuckHeadFault = FaultScope & {
  readonly kind: "stuck-head";
  readonly chain?: string | undefined;
};

/** The head is this many blocks behind the chain, or only behind the chain that is given. */
export type LaggingHeadFault = FaultScope & {
  readonly kind: "lagging-head";
  readonly blocks: number;
  readonly chain?: string | undefined;
};

/** An entity's field is gone, here and wherever it shows. `field` is `Stream.sender`. */
export type DropFieldFault = FaultScope & { readonly kind: "drop-field"; readonly field: string };

/** An entity's field has another name. `field` is `Stream.sender`. */
export type RenameFieldFault = FaultScope & {
  readonly kind: "rename-field";
  readonly field: string;
  /** The new name. */
  readonly to: string;
};

/** An entity's field has another type. `field` is `Stream.sender`. */
export type RetypeFieldFault = FaultScope & {
  readonly kind: "retype-field";
  readonly field: string;
  /** As in an entity schema, `[String!]!`. Values are converted where they can be. */
  readonly type: string;
};

/** An entity has one field more. `field` is `Stream.note`. */
export type AddFieldFault = FaultScope & {
  readonly kind: "add-field";
  readonly field: string;
  /** As in an entity schema. Rows hold null, or something empty where the type forbids null. */
  readonly type: string;
};

/** An enum has one more member, and the first row of every entity that uses the enum has it as its value. */
export type AddEnumMemberFault = FaultScope & {
  readonly kind: "add-enum-member";
  /** The enum and the new member: `StreamCategory.Vesting`. */
  readonly member: string;
};

/** Runs on another release of the platform: `graph-node-0.44`, `envio-3.8`. */
export type ReleaseFault = FaultScope & { readonly kind: "release"; readonly release: string };

/** Answers from two releases in turn, the first request from the first. */
export type FlappingFault = FaultScope & {
  readonly kind: "flapping";
  readonly first: string;
  readonly second: string;
};

/** An answer with so many megabytes more. */
export type HugeBodyFault = FaultScope & { readonly kind: "huge-body"; readonly megabytes: number };

/** An answer with lists in lists, this many levels. */
export type DeepBodyFault = FaultScope & { readonly kind: "deep-body"; readonly levels: number };

/** A fault that was set; `using` lifts it. */
export type FaultHandle = Disposable & {
  /** Ends the fault. Lifting twice is fine. */
  readonly lift: () => void;
};

export function invalidFault(sentence: string, hint?: string | null): EmulatorError {
  return new EmulatorError({ code: "EMULATOR_INVALID_FAULT", sentence, hint });
}

/** Suggests the nearest name, or else lists all names if there are at most 40. */
export function hintOf(name: string, names: readonly string[], listed = names): string | null {
  const nearest = nearestName(name, names);
  if (nearest !== null) return `did you mean "${nearest}"?`;
  return listed.length > 40 || listed.length === 0 ? null : `there are ${listed.join(", ")}.`;
}
