import type { OutgoingHttpHeaders } from "node:http";
import type { Answer, Indexer } from "../create-indexers.ts";
import { renderQueryPage } from "../page/render-query-page.ts";
import { authorize } from "./authorize.ts";
import type { Exchange, Front, Reply } from "./front.ts";
import { parseSubgraphRequest } from "./parse-subgraph-request.ts";

/**
 * The subgraph provider: a gateway that asks for a key at the production URLs, and a plain node with a daily
 * limit at the testing URLs. Almost everything is told with status 200.
 */
export const subgraphFront: Front = {
  pathOf: ({ name }, environment) => `/${environment}/${name}`,
  owns: (path) => path.startsWith(PRODUCTION) || path.startsWith(TESTING),
  reply: (exchange) =>
    exchange.path.startsWith(PRODUCTION) ? replyAsGateway(exchange) : replyAsNode(exchange),
};

const PRODUCTION = "/production/";
const TESTING = "/testing/";

const ANY_ORIGIN: OutgoingHttpHeaders = { "access-control-allow-origin": "*" };
const JSON_TYPE: OutgoingHttpHeaders = { "content-type": "application/json" };

async function replyAsGateway({ method, path, headers, body, endpoint, ...house }: Exchange): Promise<Reply> {
  if (method === "OPTIONS") return preflight("OPTIONS, POST", "*");
  if (method !== "POST") return { status: 405, headers: { ...ANY_ORIGIN, allow: "OPTIONS,POST" }, body: "" };
  const refusal = authorize(headers.authorization, house.apiKeys);
  if (refusal !== null) return gatewayError(refusal);
  if (endpoint === null) return gatewayError(`subgraph not found: ${path.slice(PRODUCTION.length)}`);
  const parsed = await parseSubgraphRequest(headers, body);
  if ("problem" in parsed) return gatewayError(`bad query: ${parsed.problem}`);
  const answer = (await house.indexerOf(endpoint.deployment)).answer(parsed.request);
  return { status: 200, headers: { ...ANY_ORIGIN, ...JSON_TYPE }, body: answer.body };
}

/** Whatever the gateway refuses, it refuses with status 200. */
function gatewayError(message: string): Reply {
  return { status: 200, headers: { ...ANY_ORIGIN, ...JSON_TYPE }, body: errorBody(message) };
}

async function replyAsNode({ method, path, headers, body, endpoint, ...house }: Exchange): Promise<Reply> {
  const name = path.slice(TESTING.length);
  if (method === "OPTIONS") return preflight("GET, OPTIONS, POST", "Content-Type, User-Agent");
  if (method === "GET" && endpoint !== null) return queryPage(name);
  if (method !== "POST" && method !== "GET") {
    return { status: 200, headers: { ...ANY_ORIGIN, ...JSON_TYPE }, body: '{"message":"Not found"}' };
  }
  if (endpoint === null && method === "GET") return unknownDeployment(name);
  if (endpoint !== null) {
    const wait = house.quota.take(name);
    if (wait !== null) return tooManyRequests(wait, house.quota.daily);
  }
  const parsed = await parseSubgraphRequest(headers, body);
  if ("problem" in parsed) {
    const text = JSON.stringify({ error: parsed.problem });
    return { status: 400, headers: { ...JSON_TYPE, ...ANY_ORIGIN }, body: text };
  }
  if (endpoint === null) return unknownDeployment(name);
  const indexer = await house.indexerOf(endpoint.deployment);
  const answer = indexer.answer(parsed.request);
  return { status: 200, headers: answerHeaders(answer, indexer), body: answer.body };
}

function preflight(methods: string, headers: string): Reply {
  return {
    status: 200,
    headers: {
      ...ANY_ORIGIN,
      "access-control-allow-headers": headers,
      "access-control-allow-methods": methods,
      "content-type": "text/html",
    },
    body: "",
  };
}

/** The page needs nothing but itself and its own endpoint, and may reach nothing else. */
function queryPage(deployment: string): Reply {
  return {
    status: 200,
    headers: {
      ...ANY_ORIGIN,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:",
    },
    body: renderQueryPage(deployment),
  };
}

function unknownDeployment(name: string): Reply {
  return {
    status: 200,
    headers: answerHeaders(null, null),
    body: errorBody(`deployment \`${name}\` does not exist`),
  };
}

function tooManyRequests(seconds: number, daily: number): Reply {
  return {
    status: 429,
    headers: { ...ANY_ORIGIN, ...JSON_TYPE, "retry-after": String(seconds) },
    body: errorBody(`Too many requests: a testing URL answers ${daily} queries a day`),
  };
}

/** `graph-indexed` says which block the answer is of, and is null when there is no answer. */
function answerHeaders(answer: Answer | null, indexer: Indexer | null): OutgoingHttpHeaders {
  const { hash, number, timestamp } = indexer?.head() ?? {};
  return {
    ...JSON_TYPE,
    ...ANY_ORIGIN,
    "access-control-allow-headers": "Content-Type, User-Agent",
    "access-control-allow-methods": "GET, OPTIONS, POST",
    "graph-attestable": String(answer !== null && !answer.hasErrors),
    "graph-indexed": answer?.hasData ? JSON.stringify({ hash, number, timestamp }) : "null",
  };
}

function errorBody(message: string): string {
  return JSON.stringify({ errors: [{ message }] });
}
