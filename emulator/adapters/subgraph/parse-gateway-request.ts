import type { GraphqlRequest } from "../../styles/served-style.ts";
import { isObject } from "../json/is-object.ts";
import { parseBody } from "./parse-body.ts";

export type ParsedGatewayRequest =
  | { readonly request: GraphqlRequest }
  /** What is wrong with the body, in the gateway's words. */
  | { readonly problem: string };

/** Parses a request body as the gateway does: no header is asked for, and only query and variables are sent on (C.6). */
export function parseGatewayRequest(body: string): ParsedGatewayRequest {
  const parsed = parseBody(body);
  if ("problem" in parsed) return parsed;
  const { value } = parsed;
  if (!isObject(value)) return wrongType(value, "struct QueryBody", body);
  const { query, variables = null } = value;
  if (query === undefined) return { problem: `missing field \`query\` at ${endOf(body)}` };
  if (typeof query !== "string") return wrongType(query, "a string", body);
  if (variables !== null && !isObject(variables)) return wrongType(variables, "a map", body);
  return { request: { query, variables, operationName: null, body } };
}

function wrongType(value: unknown, expected: string, body: string): { readonly problem: string } {
  return { problem: `invalid type: ${typeOf(value)}, expected ${expected} at ${endOf(body)}` };
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "sequence";
  switch (typeof value) {
    case "string":
      return `string ${JSON.stringify(value)}`;
    case "number":
      return `${Number.isInteger(value) ? "integer" : "floating point"} \`${value}\``;
    case "boolean":
      return `boolean \`${value}\``;
    default:
      return "map";
  }
}

function endOf(body: string): string {
  const lines = body.trimEnd().split("\n");
  return `line ${lines.length} column ${Buffer.byteLength(lines.at(-1) ?? "")}`;
}
