import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { hash } from "../../../src/base/hash.ts";
import type { Answer, AnswerError } from "../../indexers/create-indexers.ts";
import { deploymentDigest, indexerAddress } from "../../indexers/emulated-deployment.ts";
import { type GraphqlRequest, ServerPanic } from "../../styles/served-style.ts";
import { type ApiKey, type ApiKeys, type Exchange, isHexKey, normalizeKey, type Reply } from "../adapter.ts";
import { isObject, parseSubgraphBody } from "../parse-body.ts";
import { isAttestable, isUnattestable } from "./judge-errors.ts";

/** The URLs in place of those of the decentralised network. The id is the deployment's name. */
export const PRODUCTION = "/production/";

const API_PREFIX = "/api/";

export function isGatewayPath(path: string): boolean {
  return path.startsWith(PRODUCTION) || path.startsWith(API_PREFIX);
}

type GatewayRoute = {
  /** A subgraph's id means its newest deployment; `name` is the emulator's own form. */
  readonly kind: "name" | "subgraphs" | "deployments";
  /** The name, id or hash. */
  readonly target: string;
  readonly key: string | null;
};

function readGatewayRoute(path: string): GatewayRoute | null {
  if (path.startsWith(PRODUCTION)) return { kind: "name", target: path.slice(PRODUCTION.length), key: null };
  const subgraph = /^\/api(?:\/([^/]+))??\/subgraphs\/id\/([^/]+)$/.exec(path);
  if (subgraph) return { kind: "subgraphs", target: subgraph[2] ?? "", key: subgraph[1] ?? null };
  const deployment = /^\/api(?:\/([^/]+))??\/deployments\/id\/([^/]+)(?:\/indexers\/id\/[^/]+)?$/.exec(path);
  return deployment && { kind: "deployments", target: deployment[2] ?? "", key: deployment[1] ?? null };
}

/** Returns the endpoint's path inside a request's path, without a key. */
export function addressAtGateway(path: string): string {
  const route = readGatewayRoute(path);
  return route === null || route.kind === "name" ? path : `${API_PREFIX}${route.kind}/id/${route.target}`;
}

/** Answers like the decentralised network's gateway, which refuses with status 200. */
export async function replyAsGateway(exchange: Exchange): Promise<Reply> {
  const { method, path, headers, body, endpoint, keys } = exchange;
  const route = readGatewayRoute(path);
  if (route === null) return { status: 404, headers: ANY_ORIGIN, body: "" };
  if (method === "OPTIONS") return PREFLIGHT;
  if (method !== "POST") return { status: 405, headers: { ...ANY_ORIGIN, allow: "OPTIONS,POST" }, body: "" };
  const deployment = endpoint?.deployment ?? null;
  const allowed = authorize(headers, route.key, keys.subgraph);
  if ("refusal" in allowed) return failure(`auth error: ${allowed.refusal}`);
  const isAllowed = allowed.allows(deployment?.name ?? null);
  const malformed = checkId(route);
  if (malformed !== null) return failure(`subgraph not found: ${malformed}`);
  // The gateway looks up a subgraph after it checked the key, a deployment before.
  if (route.kind !== "deployments" && !isAllowed)
    return failure("auth error: subgraph not authorized by user");
  if (deployment === null) return failure(`subgraph not found: ${route.target}`);
  if (!isAllowed) return failure("auth error: deployment not authorized by user");
  const parsed = parseGatewayRequest(body);
  if ("problem" in parsed) return failure(`bad query: ${parsed.problem}`);
  const indexer = await exchange.indexerOf(deployment);
  const badIndexer = (why: string) => failure(`bad indexers: {${indexerAddress(deployment.name)}: ${why}}`);
  let answer: Answer;
  try {
    answer = await indexer.answer(parsed.request);
  } catch (error) {
    if (error instanceof ServerPanic) return badIndexer("BadResponse(failed to connect)");
    throw error;
  }
  if (answer.hasErrors) {
    const verdict = judgeAnswer(answer.errors, indexer.startBlock);
    if ("badQuery" in verdict) return failure(`bad query: ${verdict.badQuery}`);
    if ("reason" in verdict) return badIndexer(verdict.reason);
  }
  return {
    status: 200,
    headers: { ...ANY_ORIGIN, ...JSON_TYPE, "graph-attestation": attest(deployment.name, body, answer.body) },
    body: answer.body,
  };
}

const ANY_ORIGIN: OutgoingHttpHeaders = { "access-control-allow-origin": "*" };
const JSON_TYPE: OutgoingHttpHeaders = { "content-type": "application/json" };

const PREFLIGHT: Reply = {
  status: 200,
  headers: {
    ...ANY_ORIGIN,
    "access-control-allow-headers": "*",
    "access-control-allow-methods": "OPTIONS, POST",
  },
  body: "",
};

function failure(message: string): Reply {
  const body = JSON.stringify({ errors: [{ message }] });
  return { status: 200, headers: { ...ANY_ORIGIN, ...JSON_TYPE }, body };
}

/**
 * Returns why an id is invalid; null if it is valid. Both are 32 bytes in base 58; a deployment's is a hash with a
 * prefix.
 */
function checkId({ kind, target }: GatewayRoute): string | null {
  if (kind === "subgraphs" && !/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(target)) {
    return `invalid subgraph ID: ${target}`;
  }
  if (kind === "deployments" && !/^Qm[1-9A-HJ-NP-Za-km-z]{44}$/.test(target)) {
    return `invalid deployment ID: ${target}`;
  }
  return null;
}

/** Builds an indexer's attestation. Its signature has the form of a real one, but does not verify. */
function attest(name: string, request: string, response: Uint8Array): string {
  const requestCID = `0x${hash(request)}`;
  const responseCID = `0x${hash(response)}`;
  return JSON.stringify({
    requestCID,
    responseCID,
    subgraphDeploymentID: `0x${deploymentDigest(name)}`,
    r: `0x${hash(`r ${requestCID} ${responseCID}`)}`,
    s: `0x${hash(`s ${requestCID} ${responseCID}`)}`,
    v: 27,
  });
}

export type Authorization =
  | { readonly refusal: string }
  /** Whether the key is for a deployment; null is an unknown deployment. */
  | { readonly allows: (deployment: string | null) => boolean };

/**
 * Checks a key as the gateway does: form, presence, payment and origin. The header takes precedence over the
 * path.
 */
function authorize(
  { authorization, origin }: IncomingHttpHeaders,
  pathKey: string | null,
  keys: ApiKeys["subgraph"],
): Authorization {
  const token = authorization === undefined ? pathKey : readBearer(authorization);
  if (token === null) {
    return { refusal: `${authorization === undefined ? "missing" : "invalid"} authorization header` };
  }
  if (keys === null) return { allows: () => true };
  const key = keys.get(normalizeKey(token));
  if (key === undefined) return { refusal: isHexKey(token) ? "API key not found" : "malformed API key" };
  const { domains = [], deployments = [], exhausted } = key;
  if (exhausted !== undefined) return { refusal: EXHAUSTED[exhausted] };
  if (domains.length > 0 && !domains.some((domain) => matches(domain, hostOf(origin)))) {
    return { refusal: "domain not authorized by user" };
  }
  return {
    allows: (deployment) =>
      deployments.length === 0 || (deployment !== null && deployments.includes(deployment)),
  };
}

const EXHAUSTED: Readonly<Record<NonNullable<ApiKey["exhausted"]>, string>> = {
  queries: "payment required for subsequent requests for this API key",
  "spend-limit": "spend limit exceeded for this API key",
};

/** The token of a bearer's header; null for any other header. HTTP drops the space before an empty token. */
function readBearer(header: string): string | null {
  return /^bearer +(\S.*)$/i.exec(header.trim())?.[1] ?? null;
}

function hostOf(origin: string | undefined): string {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).hostname : "";
}

/** A leading star matches anything. */
function matches(domain: string, host: string): boolean {
  return domain.startsWith("*") ? host.endsWith(domain.slice(1)) : host === domain;
}

export type Verdict =
  /** Every indexer would return this error, so the client gets it unchanged. */
  | { readonly passes: true }
  | { readonly badQuery: string }
  /** Why the gateway tries another indexer. */
  | { readonly reason: string };

/** Judges an answer as the gateway does, by the text of its errors. */
export function judgeAnswer(errors: readonly AnswerError[], startBlock: number): Verdict {
  for (const { message } of errors) {
    if (!message.includes("Failed to decode `block")) continue;
    const missing = numberAfter("and data for block number ", message);
    if (missing !== null && missing < startBlock) {
      return {
        badQuery: `requested block ${missing}, before minimum \`startBlock\` of manifest ${startBlock}`,
      };
    }
    const latest = numberAfter("has only indexed up to block number ", message);
    const numbers = `${missing === null ? "" : `: ${missing}`}${latest === null ? "" : `, latest: ${latest}`}`;
    return { reason: `Unavailable(missing block${numbers})` };
  }
  const unattestable = errors.find(({ message }) => isUnattestable(message));
  if (unattestable) return { reason: `BadResponse(unattestable response: ${unattestable.message})` };
  if (isAttestable(errors)) return { passes: true };
  return { reason: `BadResponse(no attestation: ${errors.map(({ message }) => message).join("; ")})` };
}

function numberAfter(words: string, message: string): number | null {
  const start = message.indexOf(words);
  const digits = start < 0 ? null : /^-?\d+/.exec(message.slice(start + words.length));
  return digits === null ? null : Number(digits[0]);
}

type ParsedGatewayRequest = { readonly request: GraphqlRequest } | { readonly problem: string };

/**
 * Parses a request body as the gateway does: the content type is ignored, and only query and variables are forwarded.
 */
function parseGatewayRequest(body: string): ParsedGatewayRequest {
  const parsed = parseSubgraphBody(body);
  if ("problem" in parsed) return parsed;
  const { query, variables = null } = isObject(parsed.value) ? parsed.value : {};
  if (typeof query !== "string") return { problem: "the request has no `query` that is a string" };
  if (variables !== null && !isObject(variables)) return { problem: "`variables` is not an object" };
  return { request: { query, variables, operationName: null, body } };
}
