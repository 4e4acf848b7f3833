import type { GraphqlRequest } from "../../styles/served-style.ts";
import { isObject } from "../json/is-object.ts";
import { parseBody } from "./parse-body.ts";

export type ParsedGatewayRequest =
  | { readonly request: GraphqlRequest }
  /** What is wrong with the body. */
  | { readonly problem: string };

/** Parses a request body as the gateway does: no header is asked for, and only query and variables are sent on (C.6). */
export function parseGatewayRequest(body: string): ParsedGatewayRequest {
  const parsed = parseBody(body);
  if ("problem" in parsed) return parsed;
  const { query, variables = null } = isObject(parsed.value) ? parsed.value : {};
  if (typeof query !== "string") return { problem: "the request has no `query` that is a string" };
  if (variables !== null && !isObject(variables)) return { problem: "`variables` is not an object" };
  return { request: { query, variables, operationName: null, body } };
}
