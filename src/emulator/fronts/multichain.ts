import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { hash } from "../../utils/hash.ts";
import type { Indexer } from "../create-indexers.ts";
import type { Front, Reply } from "./front.ts";
import { type MultichainFailure, parseMultichainRequest } from "./parse-multichain-request.ts";

const JSON_TYPE = "application/json; charset=utf-8";

/**
 * The multichain platform. Whatever is wrong with a query is told with status 200 and one error that has a path
 * and a code; only an unknown address is a 404, in another shape.
 */
export const multichainFront: Front = {
  pathOf: ({ protocol }) => `/${hash(protocol).slice(0, 7)}/v1/graphql`,
  owns: () => true,
  reply: async ({ method, headers, body, endpoint, indexerOf }) => {
    const cors = corsHeaders(headers);
    if (endpoint === null) return notFound(cors);
    if (method === "OPTIONS") return { status: 204, headers: { ...cors, ...PREFLIGHT }, body: "" };
    if (method === "GET") return json(cors, failureBody(PERSISTED_QUERY));
    if (method !== "POST") return notFound(cors);
    return json(cors, answerBody(body, await indexerOf(endpoint.deployment)));
  },
};

const PERSISTED_QUERY: MultichainFailure = {
  message: "PersistedQueryNotSupported",
  path: "$",
  code: "not-supported",
};

const PREFLIGHT: OutgoingHttpHeaders = {
  "access-control-max-age": "1728000",
  "access-control-allow-headers": "*, Content-Type, Authorization",
  "access-control-allow-methods": "GET,POST,PUT,PATCH,DELETE,OPTIONS",
};

function corsHeaders({ origin }: IncomingHttpHeaders): OutgoingHttpHeaders {
  if (origin === undefined) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": "X-Hasura-Query-Cache-Key,X-Hasura-Query-Family-Cache-Key,Warning",
  };
}

function notFound(cors: OutgoingHttpHeaders): Reply {
  const body = JSON.stringify({ path: "$", error: "resource does not exist", code: "not-found" });
  return { status: 404, headers: { ...cors, "content-type": JSON_TYPE }, body };
}

function json(cors: OutgoingHttpHeaders, body: string | Buffer): Reply {
  return { status: 200, headers: { ...cors, "content-type": JSON_TYPE }, body };
}

function failureBody({ message, path, code }: MultichainFailure): string {
  return JSON.stringify({ errors: [{ message, extensions: { path, code } }] });
}

function answerBody(body: string, indexer: Indexer): string | Buffer {
  const parsed = parseMultichainRequest(body);
  if ("failure" in parsed) return failureBody(parsed.failure);
  if ("request" in parsed) return indexer.answer(parsed.request).body;
  // One failing query of a batch gives its own error; the others are answered.
  return `[${parsed.batch.map((request) => indexer.answer(request).body.toString()).join(",")}]`;
}
