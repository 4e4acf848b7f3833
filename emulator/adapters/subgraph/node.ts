import type { OutgoingHttpHeaders } from "node:http";
import type { Answer, Indexer } from "../../indexers/create-indexers.ts";
import { renderQueryPage } from "../../page/render-query-page.ts";
import type { Exchange, Reply } from "../adapter.ts";
import { isKnownApiVersion } from "./api-version.ts";
import { hasRun, isAttestable } from "./judge-errors.ts";
import { checkTarget, type NodeRoute, readNodeRoute, TESTING } from "./node-route.ts";
import { parseNodeRequest } from "./parse-node-request.ts";

export { TESTING };

/** Whether a node answers a path, and not the gateway. */
export function isNodePath(path: string): boolean {
  return path === "/" || path === "/subgraphs" || path.startsWith("/subgraphs/") || path.startsWith(TESTING);
}

/** The path of an endpoint inside the path of a request. */
export function addressAtNode(path: string): string {
  return readNodeRoute("POST", path)?.path ?? path;
}

/** Answers as a plain node does (C.1 to C.5). */
export function replyAsNode(exchange: Exchange): Reply | Promise<Reply> {
  const { method, path, search, headers } = exchange;
  if (method === "POST") {
    if (headers["content-type"] === undefined) return refusal("Content-Type header is required");
    // Going by the header means that a chunked body is refused.
    if (!(Number(headers["content-length"]) > 0)) return refusal("Body is required");
  }
  if (method === "GET" && path === "/") return messageReply(INDEX);
  if (method === "GET" && path === "/subgraphs/graphql") return queryPage("");
  const route = readNodeRoute(method, path);
  if (route === null) return NOT_FOUND;
  switch (method) {
    case "POST":
      return answerQuery(exchange, route);
    case "OPTIONS":
      return PREFLIGHT;
    case "GET":
      if (route.isPage) return queryPage(route.target);
      if (route.kind === "name" && isMutation(search)) return refusal("Can't use mutations with GET method");
      return redirect(`${route.path}/graphql`);
    default:
      return NOT_FOUND;
  }
}

async function answerQuery(exchange: Exchange, route: NodeRoute): Promise<Reply> {
  const { path, search, headers, body, endpoint, quota } = exchange;
  if (endpoint && path.startsWith(TESTING)) {
    const wait = quota.take(endpoint.deployment.name);
    if (wait !== null) return tooManyRequests(wait, quota.daily);
  }
  const indexer = endpoint && (await exchange.indexerOf(endpoint.deployment));
  if (indexer?.forward) return indexer.forward({ search, type: headers["content-type"] ?? "", body });
  const problem = checkAddress(route, search, indexer !== null);
  if (problem !== null) return clientError(problem);
  const parsed = await parseNodeRequest(body);
  if ("problem" in parsed) return clientError(parsed.problem);
  if (indexer === null) return unknownDeployment(route.target);
  const answer = await indexer.answer(parsed.request);
  return { status: 200, headers: answerHeaders(answer, indexer), body: answer.body };
}

/** The version is looked at before a name, and after a hash. */
function checkAddress(route: NodeRoute, search: string, isKnown: boolean): string | null {
  const version = isKnownApiVersion(search) ? null : "Could not resolve the version";
  // What is deployed may have any name.
  const target = isKnown ? null : checkTarget(route);
  return route.kind === "name" ? (version ?? target) : (target ?? version);
}

const ANY_ORIGIN: OutgoingHttpHeaders = { "access-control-allow-origin": "*" };
const JSON_TYPE: OutgoingHttpHeaders = { "content-type": "application/json" };
/** The node sets it twice, and so sends it twice: names that differ in case stay apart here. */
const QUERY_TYPE: OutgoingHttpHeaders = { ...JSON_TYPE, "Content-Type": "application/json" };
const CROSS_ORIGIN: OutgoingHttpHeaders = {
  ...ANY_ORIGIN,
  "access-control-allow-headers": "Content-Type, User-Agent",
  "access-control-allow-methods": "GET, OPTIONS, POST",
};

const INDEX =
  "Access deployed subgraphs by deployment ID at /subgraphs/id/<ID> or by name at /subgraphs/name/<NAME>";

function messageReply(message: string): Reply {
  return { status: 200, headers: { ...JSON_TYPE, ...ANY_ORIGIN }, body: JSON.stringify({ message }) };
}

const NOT_FOUND = messageReply("Not found");

const PREFLIGHT: Reply = {
  status: 200,
  headers: { ...CROSS_ORIGIN, "content-type": "text/html; charset=utf-8" },
  body: "",
};

/** Whether a query string asks to change something, which is noticed although GET never runs a query. */
function isMutation(search: string): boolean {
  const query = new URLSearchParams(search).get("query") ?? "";
  return query.trim().toLowerCase().startsWith("mutation");
}

function redirect(location: string): Reply {
  const headers = { location, "content-type": "text/plain; charset=utf-8", ...ANY_ORIGIN };
  return { status: 302, headers, body: "Redirecting..." };
}

/** The page needs nothing but itself and its own endpoint, and may reach nothing else. */
function queryPage(name: string): Reply {
  return {
    status: 200,
    headers: {
      ...ANY_ORIGIN,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:",
    },
    body: renderQueryPage(name),
  };
}

function clientError(problem: string): Reply {
  return refusal(`GraphQL server error (client error): ${problem}`);
}

function refusal(error: string): Reply {
  return { status: 400, headers: { ...JSON_TYPE, ...ANY_ORIGIN }, body: JSON.stringify({ error }) };
}

function tooManyRequests(seconds: number, daily: number): Reply {
  const message = `Too many requests: a testing URL answers ${daily} queries a day`;
  return {
    status: 429,
    headers: { ...ANY_ORIGIN, ...JSON_TYPE, "retry-after": String(seconds) },
    body: JSON.stringify({ errors: [{ message }] }),
  };
}

function unknownDeployment(name: string): Reply {
  const message = `deployment \`${name}\` does not exist`;
  return {
    status: 200,
    headers: { ...QUERY_TYPE, ...CROSS_ORIGIN, "graph-attestable": "false", "graph-indexed": "null" },
    body: JSON.stringify({ errors: [{ message }] }),
  };
}

/** `graph-indexed` says which block the answer is of, and is null when the query was never run (C.4). */
function answerHeaders({ errors }: Answer, indexer: Indexer): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {
    ...QUERY_TYPE,
    ...CROSS_ORIGIN,
    "graph-attestable": String(isAttestable(errors)),
  };
  if (tellsIndexedBlock(indexer.release)) {
    const { hash, number, timestamp } = indexer.head();
    headers["graph-indexed"] = hasRun(errors) ? JSON.stringify({ hash, number, timestamp }) : "null";
  }
  return headers;
}

/** Nodes do so since 0.36. */
function tellsIndexedBlock(release: string): boolean {
  const [major = 0, minor = 0] = release.split(".").map(Number);
  return major > 0 || minor >= 36;
}
