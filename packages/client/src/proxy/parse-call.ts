import type { Client, MaxLag } from "../client/client-types.ts";
import type { Kind, PortableOperation } from "../client/portable-operation.ts";
import { isObject } from "../client/values.ts";
import { parseJson } from "../requests/read-answer.ts";
import { convertVariables } from "../variables/map-variables.ts";
import { type CallName, isCall, type ParsedOptions, parseOptions, refuseRequest } from "./parse-options.ts";

/** An operation of any protocol. */
export type AnyOperation = PortableOperation<string, unknown, never, Kind>;

/** A call of a page. */
export type ParsedCall = {
  readonly call: CallName;
  readonly protocol: string;
  /** Null for `health`. */
  readonly operation: AnyOperation | null;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly options: ParsedOptions & { readonly deadline: number };
  /** The call that its position belongs to. */
  readonly of: string;
  /** The same for calls that have the same answer. */
  readonly key: string;
};

/**
 * Parses the body of a request.
 *
 * @throws IndexerError `rejected` for a body that no page sends, and `invalid-variables`.
 */
export function parseCall(client: Client, operations: readonly AnyOperation[], text: string): ParsedCall {
  const body = parseJson(text);
  if (!isObject(body)) return refuseRequest(400, "The body must be a JSON object of at most 64 levels.");
  const { call, protocol, operation: name, digest, variables = {}, options: given = {}, ...others } = body;
  if (call === undefined && "style" in others) return refuseRequest(400, OLD);
  for (const stray of Object.keys(others))
    refuseRequest(400, `Unknown field "${stray.slice(0, 40)}" in the request.`);
  if (!isCall(call)) return refuseRequest(400, `Unknown call "${shown(call)}".`);
  const { routes } = client;
  if (typeof protocol !== "string" || !Object.hasOwn(routes.protocols, protocol)) {
    return refuseRequest(400, `Unknown protocol "${shown(protocol)}".`);
  }
  if (!isObject(variables)) return refuseRequest(400, '"variables" must be an object.');
  const isHealth = call === "health";
  const operation = isHealth
    ? null
    : operations.find((candidate) => candidate.name === name && candidate.protocol === protocol);
  if (operation === undefined)
    return refuseRequest(400, `Unknown operation "${shown(name)}" of ${protocol}.`);
  if (isHealth && name !== undefined) refuseRequest(400, "health has no operation.");
  if (digest !== operation?.digest) return refuseRequest(400, OLD);
  const read = operation ? convertVariables(operation, "subgraph", { variables: variables as never }) : {};
  const parsed = parseOptions(call, given, Object.keys(routes.chains).length);
  const { maxLag, deadline = client.deadline } = parsed;
  const options = {
    ...parsed,
    ...((maxLag ?? client.maxLag) !== undefined && { maxLag: stricter(maxLag, client.maxLag) as MaxLag }),
    deadline: Math.min(deadline, client.deadline),
  };
  const of = `${digest} ${call} ${hash(JSON.stringify(read))}`;
  const key = JSON.stringify([protocol, call, name, read, sorted(options)]);
  return { call, protocol, operation, variables, options, of, key };
}

const OLD = "The page is older or newer than its server: reload the page.";

function shown(value: unknown): string {
  return String(typeof value === "object" ? typeof value : value).slice(0, 40);
}

/** The lower of two limits. The best answer is only accepted if both accept it. */
function stricter(first: MaxLag | undefined, other: MaxLag | undefined): MaxLag | undefined {
  if (first === undefined || other === undefined) return first ?? other;
  const secondsOf = (limit: MaxLag) => (typeof limit === "object" ? (limit.seconds ?? 0) : limit);
  const seconds = Math.min(secondsOf(first), secondsOf(other));
  return typeof first === "object" && typeof other === "object" ? { seconds, or: "best" } : seconds;
}

function sorted(options: object): readonly unknown[] {
  return Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns a short digest of a text (FNV-1a). It detects mistakes, not attacks. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return (value >>> 0).toString(36);
}
