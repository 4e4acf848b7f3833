import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { setImmediate } from "node:timers/promises";
import { hash } from "../../src/base/hash.ts";
import { type GraphqlRequest, JsonNumber } from "../styles/served-style.ts";
import type { Adapter, Exchange, Reply } from "./adapter.ts";
import { isObject, type JsonRules, NOT_JSON, parseBody } from "./parse-body.ts";

const JSON_TYPE = "application/json; charset=utf-8";
const QUERY_PATH = "/v1/graphql";

/**
 * The multichain platform. A query with any error gets status 200 and one error with a path and a code. Only an
 * unknown address is a 404, in another shape.
 */
export const multichainAdapter: Adapter = {
  pathOf: ({ protocol, name }) => `/${hash(protocol ?? name).slice(0, 7)}${QUERY_PATH}`,
  // The path of a platform that serves one indexer.
  otherPathsOf: () => [QUERY_PATH],
  addressOf: (path) => path,
  owns: (path) => path.endsWith(QUERY_PATH) || path.endsWith("/v1/version") || path.endsWith("/healthz"),
  reply: async (exchange) => {
    const { status, headers, body } = await answer(exchange);
    return { status, headers: { ...corsHeaders(exchange.headers), ...headers }, body };
  },
};

async function answer(exchange: Exchange): Promise<Reply> {
  const { method, path, headers, endpoint } = exchange;
  if (method === "OPTIONS" && headers.origin !== undefined) return preflight(headers);
  if (headers.upgrade?.toLowerCase() === "websocket") return NO_SOCKET;
  if (method === "GET" && /^(?:\/[^/]+)?\/v1\/version$/.test(path)) return VERSION;
  if (method === "GET" && /^(?:\/[^/]+)?\/healthz$/.test(path)) return HEALTH;
  if (endpoint === null || (method !== "GET" && method !== "POST")) return NOT_FOUND;
  if (!hasKey(exchange)) return UNAUTHORIZED;
  const refusal = checkSecret(headers);
  if (refusal !== null) return failure(refusal);
  if (method === "GET") {
    return failure({ message: "PersistedQueryNotSupported", path: "$", code: "not-supported" });
  }
  const parsed = parseMultichainRequest(exchange.body);
  if ("failure" in parsed) return failure(parsed.failure);
  const indexer = await exchange.indexerOf(endpoint.deployment);
  if ("request" in parsed) return json((await indexer.answer(parsed.request)).body);
  // A failing query of a batch has its own error; the others are answered.
  const answers: string[] = [];
  for (const request of parsed.batch) {
    answers.push(DECODER.decode((await indexer.answer(request)).body));
    // Each query may cost as much as a request; other requests must not wait for all of them.
    await setImmediate();
  }
  return json(`[${answers.join(",")}]`);
}

const DECODER = new TextDecoder();

function json(body: Reply["body"]): Reply {
  return { status: 200, headers: { "content-type": JSON_TYPE }, body };
}

function failure({ message, path, code }: MultichainFailure): Reply {
  return json(JSON.stringify({ errors: [{ message, extensions: { path, code } }] }));
}

const VERSION = json('{"server_type":"ce","version":"v2.43.0"}');
const NOT_FOUND: Reply = {
  ...json('{"path":"$","error":"resource does not exist","code":"not-found"}'),
  status: 404,
};

const TEXT_TYPE: OutgoingHttpHeaders = { "content-type": "text/plain; charset=utf-8" };
const HEALTH: Reply = { status: 200, headers: TEXT_TYPE, body: "OK" };
/** The platform also answers on WebSockets; the emulator reports that it does not. */
const NO_SOCKET: Reply = {
  status: 501,
  headers: { ...TEXT_TYPE, connection: "close" },
  body: "The emulator has no WebSocket. Send queries with POST; subscriptions are not supported.",
};

const UNAUTHORIZED: Reply = {
  status: 401,
  headers: { "www-authenticate": "Bearer", "content-type": JSON_TYPE },
  body: '{"error":"This indexer wants a key: Authorization: Bearer <key>"}',
};

/** Checks the key as the hosted service does. */
function hasKey({ headers, keys }: Exchange): boolean {
  if (keys.multichain === null) return true;
  const bearer = /^bearer\s+(.+)$/i.exec(headers.authorization?.trim() ?? "");
  return bearer !== null && keys.multichain.has(bearer[1] ?? "");
}

/** The secret of a new deployment of the platform. */
const ADMIN_SECRET = "testing";

/** Requests without the secret have the public role. */
function checkSecret(headers: IncomingHttpHeaders): MultichainFailure | null {
  const secret = headers["x-hasura-admin-secret"] ?? headers["x-hasura-access-key"];
  if (secret === undefined) return null;
  if (secret !== ADMIN_SECRET) {
    const message = 'invalid "x-hasura-admin-secret"/"x-hasura-access-key"';
    return { message, path: "$", code: "access-denied" };
  }
  const message = "the emulator has no admin role: omit the admin secret to use the public role";
  return { message, path: "$", code: "not-supported" };
}

function corsHeaders({ origin }: IncomingHttpHeaders): OutgoingHttpHeaders {
  if (origin === undefined) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": "X-Hasura-Query-Cache-Key,X-Hasura-Query-Family-Cache-Key,Warning",
  };
}

function preflight(headers: IncomingHttpHeaders): Reply {
  return {
    status: 204,
    headers: {
      "access-control-max-age": "1728000",
      "access-control-allow-headers":
        headers["access-control-request-headers"] ?? "*, Content-Type, Authorization",
      "access-control-allow-methods": "GET,POST,PUT,PATCH,DELETE,OPTIONS",
    },
    body: "",
  };
}

/** The error for a request that the multichain platform cannot use. */
type MultichainFailure = { readonly message: string; readonly path: string; readonly code: string };

type ParsedMultichainRequest =
  | { readonly request: GraphqlRequest }
  | { readonly batch: readonly GraphqlRequest[] }
  | { readonly failure: MultichainFailure };

/**
 * Parses a request body in the platform's own way: one query or a list of them, unknown members ignored. One
 * malformed member of a list fails the whole.
 */
export function parseMultichainRequest(body: string): ParsedMultichainRequest {
  const parsed = parseBody(body, RULES);
  if ("problem" in parsed) {
    if (parsed.problem === "invalid") return fail(NOT_JSON, "$", "invalid-json");
    return notSupported(`a body nested deeper than ${RULES.deepest} levels`);
  }
  if (parsed.repeatsKey) return notSupported("two equal keys in an object of the body");
  if (!Array.isArray(parsed.value)) return parseRequest(parsed.value, "$");
  const batch: GraphqlRequest[] = [];
  for (const [index, member] of parsed.value.entries()) {
    const request = parseRequest(member, `$[${index}]`);
    if ("failure" in request) return request;
    batch.push(request.request);
  }
  return { batch };
}

function parseRequest(
  value: unknown,
  path: string,
): { readonly request: GraphqlRequest } | { readonly failure: MultichainFailure } {
  if (!isObject(value)) return mismatch(path, value, { type: REQUEST_TYPE, expected: "Object" });
  const { query, variables = null, operationName = null } = value;
  if (query === undefined) return fail(`parsing ${REQUEST_TYPE} failed, key "query" not found`, path);
  if (typeof query !== "string")
    return mismatch(`${path}.query`, query, { type: "Text", expected: "String" });
  if (variables !== null && !isObject(variables)) {
    return mismatch(`${path}.variables`, variables, { type: "HashMap", expected: "Object" });
  }
  if (operationName !== null && typeof operationName !== "string") {
    return mismatch(`${path}.operationName`, operationName, { type: "Name", expected: "String" });
  }
  if (operationName !== null && !/^[_A-Za-z][_0-9A-Za-z]*$/.test(operationName)) {
    return fail(`${operationName} is not valid GraphQL name`, `${path}.operationName`);
  }
  return { request: { query, variables, operationName } };
}

/** The platform has no limit of nesting; the emulator has one. It takes the first of two equal keys, which is refused. */
const RULES: JsonRules = { keepsNotation: (number) => !isExact(number), deepest: 2000 };

/** Whether a JavaScript number represents this number exactly: all of up to fifteen digits, and some of more. */
function isExact(text: string): boolean {
  const value = Number(text);
  if (String(value) === text) return true;
  const digits = text
    .replace(/[eE].*$/, "")
    .replace(/[-.]/g, "")
    .replace(/^0+/, "");
  return digits.length <= 15 && Number.isFinite(value) && (value !== 0 || digits === "");
}

function notSupported(what: string): { readonly failure: MultichainFailure } {
  return fail(`the emulator does not support ${what}`, "$", "not-supported");
}

/** The platform names its own type in its errors. */
const REQUEST_TYPE = "Hasura.GraphQL.Transport.HTTP.Protocol.GQLReq(GQLReq)";

function mismatch(
  path: string,
  value: unknown,
  { type, expected }: { readonly type: string; readonly expected: string },
): { readonly failure: MultichainFailure } {
  return fail(`parsing ${type} failed, expected ${expected}, but encountered ${kindOf(value)}`, path);
}

function fail(message: string, path: string, code = "parse-failed"): { readonly failure: MultichainFailure } {
  return { failure: { message, path, code } };
}

function kindOf(value: unknown): string {
  if (value === null) return "Null";
  if (Array.isArray(value)) return "Array";
  if (value instanceof JsonNumber) return "Number";
  const type = typeof value;
  return type.charAt(0).toUpperCase() + type.slice(1);
}
