import type { IncomingHttpHeaders } from "node:http";
import type { GraphqlRequest } from "../../styles/style.ts";

export type ParsedSubgraphRequest =
  | { readonly request: GraphqlRequest }
  /** What is wrong with the request, in the node's words. */
  | { readonly problem: string };

/**
 * Parses a request in the node's own way and order: headers, body, query, variables. The name of an operation
 * and whatever else the body holds are ignored.
 */
export async function parseSubgraphRequest(
  headers: IncomingHttpHeaders,
  body: string,
): Promise<ParsedSubgraphRequest> {
  if (headers["content-type"] === undefined) return { problem: "Content-Type header is required" };
  // Going by the header means that a chunked body is refused.
  if (!(Number(headers["content-length"]) > 0)) return { problem: "Body is required" };
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return clientError("expected value at line 1 column 1");
  }
  if (!isObject(value)) return clientError("Request data is not an object");
  const { query, variables = null } = value;
  if (query === undefined) return clientError('The "query" field is missing in request data');
  if (typeof query !== "string") return clientError('The "query" field is not a string');
  if (variables === null || isObject(variables)) {
    return { request: { query, variables, operationName: null } };
  }
  // The query is read before the variables are: when both are wrong, it is the query that is reported.
  if (!(await parses(query))) return { request: { query, variables: null, operationName: null } };
  return clientError("Invalid query variables provided");
}

function clientError(words: string): { readonly problem: string } {
  return { problem: `GraphQL server error (client error): ${words}` };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

async function parses(query: string): Promise<boolean> {
  // Loaded late, since the emulator should start at once and this is rarely needed.
  const { parse } = await import("graphql");
  try {
    parse(query, { noLocation: true });
    return true;
  } catch {
    return false;
  }
}
