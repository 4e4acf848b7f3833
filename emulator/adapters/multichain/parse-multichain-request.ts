import { JsonNumber } from "../../styles/json-number.ts";
import type { GraphqlRequest } from "../../styles/served-style.ts";
import { isObject } from "../json/is-object.ts";
import { parseFirstKeyWins } from "../json/parse-first-key-wins.ts";

/** What the multichain platform says of a request it cannot use. */
export type MultichainFailure = { readonly message: string; readonly path: string; readonly code: string };

export type ParsedMultichainRequest =
  | { readonly request: GraphqlRequest }
  | { readonly batch: readonly GraphqlRequest[] }
  | { readonly failure: MultichainFailure };

/**
 * Parses a request body in the platform's own way: one query or a list of them, unknown members ignored. One
 * malformed member of a list fails the whole (D.1, D.3).
 */
export function parseMultichainRequest(body: string): ParsedMultichainRequest {
  const parsed = parseFirstKeyWins(body);
  if ("problem" in parsed) {
    const rest = body.slice(parsed.problem.start);
    const found = rest === "" ? "end-of-input" : JSON.stringify(rest);
    return fail(`Unexpected ${found}, expecting JSON value`, "$", "invalid-json");
  }
  if (SURROGATE.test(body) && !isWellFormed(parsed.value)) return fail(NOT_UTF8, "$", "invalid-json");
  if (!Array.isArray(parsed.value)) return parseRequest(parsed.value, "$");
  const batch: GraphqlRequest[] = [];
  for (const [index, member] of parsed.value.entries()) {
    const one = parseRequest(member, `$[${index}]`);
    if ("failure" in one) return one;
    batch.push(one.request);
  }
  return { batch };
}

function parseRequest(
  value: unknown,
  path: string,
): { readonly request: GraphqlRequest } | { readonly failure: MultichainFailure } {
  if (!isObject(value)) return mismatch(REQUEST_TYPE, "Object", value, path);
  const { query, variables = null, operationName = null } = value;
  if (query === undefined) return fail(`parsing ${REQUEST_TYPE} failed, key "query" not found`, path);
  if (typeof query !== "string") return mismatch("Text", "String", query, `${path}.query`);
  if (variables !== null && !isObject(variables)) {
    return mismatch("HashMap", "Object", variables, `${path}.variables`);
  }
  if (operationName !== null && typeof operationName !== "string") {
    return mismatch("Name", "String", operationName, `${path}.operationName`);
  }
  if (operationName !== null && !/^[_A-Za-z][_0-9A-Za-z]*$/.test(operationName)) {
    return fail(`${operationName} is not valid GraphQL name`, `${path}.operationName`);
  }
  return { request: { query, variables, operationName } };
}

/** A surrogate may be half a character only where it is escaped. */
const SURROGATE = /\\u[dD][89a-fA-F]/;

/** The platform reads text as UTF-8, in which there are no half characters. */
const NOT_UTF8 = "Cannot decode input: Data.Text.Internal.Encoding.decodeUtf8: Invalid UTF-8 stream";

function isWellFormed(value: unknown): boolean {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "string" && !next.isWellFormed()) return false;
    // One by one: a list may hold more than a call can have arguments.
    if (Array.isArray(next)) for (const item of next) open.push(item);
    else if (isObject(next)) for (const [key, item] of Object.entries(next)) open.push(key, item);
  }
  return true;
}

/** The platform names its own type in its errors. */
const REQUEST_TYPE = "Hasura.GraphQL.Transport.HTTP.Protocol.GQLReq(GQLReq)";

function mismatch(
  type: string,
  expected: string,
  value: unknown,
  path: string,
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
