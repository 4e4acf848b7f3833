import { JsonNumber } from "../../styles/json-number.ts";
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
  const isTaken = variables === null || isObject(variables);
  const problem = isTaken ? findWide(variables) : "Invalid query variables provided";
  if (problem === null && isTaken) {
    return { request: { query, variables, operationName: null, body } };
  }
  // The query is read before the variables are: when both are wrong, it is the query that is reported.
  if (!(await parses(query))) return { request: { query, variables: null, operationName: null } };
  return { problem: problem ?? "" };
}

/** What the node says of an integer that only its numbers of 128 bits hold. */
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
  // Loaded late, since the emulator should start at once and this is rarely needed.
  const { parseDocument } = await import("../../styles/subgraph/execute/parse-document.ts");
  try {
    parseDocument(query);
    return true;
  } catch {
    return false;
  }
}
