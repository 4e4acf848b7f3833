import type { GraphqlRequest } from "../../styles/served-style.ts";
import { isObject } from "../json/is-object.ts";
import { parseBody } from "./parse-body.ts";

export type ParsedNodeRequest =
  | { readonly request: GraphqlRequest }
  /** What is wrong with the body, in the node's words. */
  | { readonly problem: string };

/**
 * Parses a request body in the node's own way and order: JSON, query, variables. The name of an operation and
 * whatever else the body holds are ignored (C.2).
 */
export async function parseNodeRequest(body: string): Promise<ParsedNodeRequest> {
  const parsed = parseBody(body);
  if ("problem" in parsed) return parsed;
  const { value } = parsed;
  if (!isObject(value)) return { problem: "Request data is not an object" };
  const { query, variables = null } = value;
  if (query === undefined) return { problem: 'The "query" field is missing in request data' };
  if (typeof query !== "string") return { problem: 'The "query" field is not a string' };
  if (variables === null || isObject(variables)) {
    return { request: { query, variables, operationName: null, body } };
  }
  // The query is read before the variables are: when both are wrong, it is the query that is reported.
  if (!(await parses(query))) return { request: { query, variables: null, operationName: null } };
  return { problem: "Invalid query variables provided" };
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
