import { type JsonRules, NOT_JSON, parseBody } from "../parse-body.ts";

/** Parses a body as node and gateway do, with their limit of nesting. */
export function parseNodeBody(text: string): { readonly value: unknown } | { readonly problem: string } {
  const parsed = parseBody(text, RULES);
  if ("value" in parsed) return parsed;
  return { problem: parsed.problem === "invalid" ? NOT_JSON : "recursion limit exceeded" };
}

/** An answer shows the notation of a number that is not a short integer. */
const RULES: JsonRules = { keepsNotation: (number) => !/^-?\d{1,9}$/.test(number), deepest: 127 };
