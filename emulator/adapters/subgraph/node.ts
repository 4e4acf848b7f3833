import type { OutgoingHttpHeaders } from "node:http";
import type { Answer, Indexer } from "../../indexers/create-indexers.ts";
import { renderQueryPage } from "../../page/render-query-page.ts";
import { type GraphqlRequest, JsonNumber } from "../../styles/served-style.ts";
import type { Exchange, Reply } from "../adapter.ts";
import { isObject, parseSubgraphBody } from "../parse-body.ts";
import { hasRun, isAttestable } from "./judge-errors.ts";

/** Whether a node, not the gateway, answers a path. */
export function isNodePath(path: string): boolean {
  return path === "/" || path === "/subgraphs" || path.startsWith("/subgraphs/") || path.startsWith(TESTING);
}

export function addressAtNode(path: string): string {
  return readNodeRoute("POST", path)?.path ?? path;
}

/** Answers like a plain node. */
export function replyAsNode(exchange: Exchange): Reply | Promise<Reply> {
  const { method, path, search, headers } = exchange;
  if (method === "POST") {
    if (headers["content-type"] === undefined) return refusal("Content-Type header is required");
    // Because of the header, a chunked body is refused.
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

/** The version is checked before a name, and after a hash. */
function checkAddress(route: NodeRoute, search: string, isKnown: boolean): string | null {
  const version = isKnownApiVersion(search) ? null : "Could not resolve the version";
  // A deployed name may have any form.
  const target = isKnown ? null : checkTarget(route);
  return route.kind === "name" ? (version ?? target) : (target ?? version);
}

const ANY_ORIGIN: OutgoingHttpHeaders = { "access-control-allow-origin": "*" };
const JSON_TYPE: OutgoingHttpHeaders = { "content-type": "application/json" };
/** The node sets the header twice and sends both; names that differ in case stay separate here. */
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

/** Whether a query string has a mutation, which is refused although GET never runs a query. */
function isMutation(search: string): boolean {
  const query = new URLSearchParams(search).get("query") ?? "";
  return query.trim().toLowerCase().startsWith("mutation");
}

function redirect(location: string): Reply {
  const headers = { location, "content-type": "text/plain; charset=utf-8", ...ANY_ORIGIN };
  return { status: 302, headers, body: "Redirecting..." };
}

/** The page may load only itself and its own endpoint. */
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

/** `graph-indexed` is the block of the answer, or null if the query never ran. */
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

function tellsIndexedBlock(release: string): boolean {
  const [major = 0, minor = 0] = release.split(".").map(Number);
  return major > 0 || minor >= 36;
}

/** The URLs in place of the provider's development endpoint. */
export const TESTING = "/testing/";

type NodeRoute = {
  readonly kind: "name" | "id";
  /** The name or hash. */
  readonly target: string;
  /** The path without extra slashes. */
  readonly path: string;
  readonly isPage: boolean;
};

/** Parses a node's path: null without such a route. Only GET has a page; `graphql` is not a name. */
function readNodeRoute(method: string, path: string): NodeRoute | null {
  if (path.startsWith("/subgraphs/id/")) {
    const [target = "", page, ...more] = path.slice("/subgraphs/id/".length).split("/");
    const isPage = method === "GET" && page === "graphql";
    if (more.length > 0 || (page !== undefined && !isPage)) return null;
    return { kind: "id", target, path: `/subgraphs/id/${target}`.replace(/\/$/, ""), isPage };
  }
  const start = [TESTING, "/subgraphs/name/"].find((prefix) => `${path}/`.startsWith(prefix));
  if (start === undefined) return null;
  const parts = path.slice(start.length).split("/");
  // Compares the last part as written: with a trailing slash, it belongs to the name.
  const isPage = method === "GET" && parts.at(-1) === "graphql";
  const target = (isPage ? parts.slice(0, -1) : parts).filter((part) => part !== "").join("/");
  return { kind: "name", target, path: `${start}${target}`.replace(/\/$/, ""), isPage };
}

/** Returns why a name or hash is invalid; null if it is valid. */
function checkTarget({ kind, target }: NodeRoute): string | null {
  if (kind === "id") return /^\w{0,46}$/.test(target) ? null : `Invalid subgraph id \`${target}\``;
  return isName(target) ? null : `Invalid subgraph name \`${target}\``;
}

function isName(name: string): boolean {
  if (!/^[A-Za-z0-9_/-]{1,255}$/.test(name)) return false;
  return name
    .split("/")
    .every(
      (part) => /^[A-Za-z0-9](?:.*[A-Za-z0-9])?$/.test(part) && /[A-Za-z]/.test(part) && part !== "graphql",
    );
}

/** The usual notations of version 1.0.0, the only one of the query API. */
const KNOWN_VERSION = /^[~^]?1(?:\.0){0,2}$/;

/** Whether the query string names the version of the API. As on the node, the value is not decoded. */
function isKnownApiVersion(search: string): boolean {
  const requirement = search
    .split("&")
    .find((pair) => pair.startsWith("api-version="))
    ?.split("=")[1];
  return requirement === undefined || KNOWN_VERSION.test(requirement);
}

type ParsedNodeRequest = { readonly request: GraphqlRequest } | { readonly problem: string };

/**
 * Parses a request body as the node does, in its order: JSON, query, variables. Other members, such as the operation
 * name, are ignored.
 */
async function parseNodeRequest(body: string): Promise<ParsedNodeRequest> {
  const parsed = parseSubgraphBody(body);
  if ("problem" in parsed) return parsed;
  const { value } = parsed;
  if (!isObject(value)) return { problem: "Request data is not an object" };
  const { query, variables = null } = value;
  if (query === undefined) return { problem: 'The "query" field is missing in request data' };
  if (typeof query !== "string") return { problem: 'The "query" field is not a string' };
  const isTaken = variables === null || isObject(variables);
  const problem = isTaken ? findWide(variables) : "Invalid query variables provided";
  if (problem === null && isTaken) {
    return { request: { query, variables, operationName: null, body } };
  }
  // If query and variables are both wrong, the query is reported.
  if (!(await parses(query))) return { request: { query, variables: null, operationName: null } };
  return { problem: problem ?? "" };
}

/** Returns the node's message for an integer that only its 128-bit numbers can hold. */
function findWide(value: unknown): string | null {
  if (!(value instanceof JsonNumber)) {
    const items = typeof value === "object" && value !== null ? Object.values(value) : [];
    return items.map(findWide).find((problem) => problem !== null) ?? null;
  }
  const integer = /^-?\d+$/.test(value.text) ? BigInt(value.text) : 0n;
  const wrap = integer < 0n ? BigInt.asIntN : BigInt.asUintN;
  if (wrap(64, integer) === integer || wrap(128, integer) !== integer) return null;
  return `invalid type: integer \`${integer}\` as ${integer < 0n ? "i" : "u"}128, expected any value`;
}

async function parses(query: string): Promise<boolean> {
  // Loaded late: rarely needed, and the emulator starts sooner.
  const { parseDocument } = await import("../../styles/subgraph/parse-document.ts");
  try {
    parseDocument(query);
    return true;
  } catch {
    return false;
  }
}
