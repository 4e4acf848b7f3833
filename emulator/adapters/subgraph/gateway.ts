import { createHash } from "node:crypto";
import type { OutgoingHttpHeaders } from "node:http";
import type { Answer } from "../../indexers/create-indexers.ts";
import { deploymentDigest, indexerAddress } from "../../indexers/platform-ids.ts";
import { ServerPanic } from "../../styles/server-panic.ts";
import type { Exchange, Reply } from "../adapter.ts";
import { authorize } from "./authorize.ts";
import { judgeAnswer } from "./judge-answer.ts";
import { parseGatewayRequest } from "./parse-gateway-request.ts";

/** The URLs that stand for the decentralised network's, with the deployment's name for an id. */
export const PRODUCTION = "/production/";

const OWN_PREFIX = "/api/";

/** Whether the gateway answers a path. */
export function isGatewayPath(path: string): boolean {
  return path.startsWith(PRODUCTION) || path.startsWith(OWN_PREFIX);
}

/** What a path means to the gateway. */
type GatewayRoute = {
  /** A subgraph's id means its newest deployment; a name is our own word for that. */
  readonly kind: "name" | "subgraphs" | "deployments";
  /** The name, id or hash that is asked for. */
  readonly target: string;
  /** The key in the path. */
  readonly key: string | null;
};

function readGatewayRoute(path: string): GatewayRoute | null {
  if (path.startsWith(PRODUCTION)) return { kind: "name", target: path.slice(PRODUCTION.length), key: null };
  const own = /^\/api(?:\/([^/]+))??\/subgraphs\/id\/([^/]+)$/.exec(path);
  if (own) return { kind: "subgraphs", target: own[2] ?? "", key: own[1] ?? null };
  const one = /^\/api(?:\/([^/]+))??\/deployments\/id\/([^/]+)(?:\/indexers\/id\/[^/]+)?$/.exec(path);
  return one && { kind: "deployments", target: one[2] ?? "", key: one[1] ?? null };
}

/** The path of an endpoint inside the path of a request: the same without a key. */
export function addressAtGateway(path: string): string {
  const route = readGatewayRoute(path);
  return route === null || route.kind === "name" ? path : `${OWN_PREFIX}${route.kind}/id/${route.target}`;
}

/** Answers as the decentralised network's gateway does: whatever it refuses, it refuses with status 200 (C.6). */
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
  // A subgraph is looked up after the key was asked, a deployment before.
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

/** Why an id cannot be one; null when it can. Both are 32 bytes in base 58, a hash with a sign in front. */
function checkId({ kind, target }: GatewayRoute): string | null {
  if (kind === "subgraphs" && !/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(target)) {
    return `invalid subgraph ID: ${target}`;
  }
  if (kind === "deployments" && !/^Qm[1-9A-HJ-NP-Za-km-z]{44}$/.test(target)) {
    return `invalid deployment ID: ${target}`;
  }
  return null;
}

/** What an indexer signs. Nobody can check these signatures, but they have the form of real ones. */
function attest(name: string, request: string, response: Buffer): string {
  const requestCID = digest(request);
  const responseCID = digest(response);
  return JSON.stringify({
    requestCID,
    responseCID,
    subgraphDeploymentID: `0x${deploymentDigest(name)}`,
    r: digest(`r ${requestCID} ${responseCID}`),
    s: digest(`s ${requestCID} ${responseCID}`),
    v: 27,
  });
}

function digest(content: string | Buffer): string {
  return `0x${createHash("sha256").update(content).digest("hex")}`;
}
