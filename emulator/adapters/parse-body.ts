import { JsonNumber } from "../styles/served-style.ts";

/** How a platform reads JSON, where `JSON.parse` differs. */
export type JsonRules = {
  /** Whether the platform keeps the notation of a number, rather than its value in JavaScript. */
  readonly keepsNotation: (number: string) => boolean;
  /** Most levels of nested lists and objects. */
  readonly deepest: number;
};

/** The body of a request. If an object has two equal keys, `repeatsKey` is true and the value has the last. */
export type ParsedBody =
  | { readonly value: unknown; readonly repeatsKey: boolean }
  | { readonly problem: "invalid" | "too-deep" };

/** Parses a body; lone surrogates make it invalid, as on both platforms. */
export function parseBody(text: string, { keepsNotation, deepest }: JsonRules): ParsedBody {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: "invalid" };
  }
  // The keys of each list and object that is open.
  const open: Set<unknown>[] = [];
  let repeatsKey = false;
  let isInvalid = false;
  let isTooDeep = false;
  let hasMarks = false;
  const marked = text.replace(TOKEN, (token, colon: string | undefined) => {
    if (token === "{" || token === "[") isTooDeep ||= open.push(new Set()) > deepest;
    else if (token === "}" || token === "]") open.pop();
    else if (!token.startsWith('"')) {
      if (!keepsNotation(token)) return token;
      hasMarks = true;
      return `"${MARK}${token}"`;
    } else if (colon !== undefined || token.includes("\\u")) {
      const string: string = JSON.parse(token.slice(0, token.length - (colon ?? "").length));
      isInvalid ||= !string.isWellFormed();
      if (colon !== undefined) {
        const keys = open.at(-1);
        repeatsKey ||= keys?.has(string) ?? false;
        keys?.add(string);
      }
    }
    return token;
  });
  if (isTooDeep) return { problem: "too-deep" };
  if (isInvalid) return { problem: "invalid" };
  return { value: hasMarks ? JSON.parse(marked, unmark) : value, repeatsKey };
}

/** A string, with the colon after a key; a number; or a bracket. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|-?\d[\d.eE+-]*|[[\]{}]/g;

/** A lone surrogate, which no string of a valid body has. */
const MARK = String.raw`\ud800`;

function unmark(_: string, value: unknown): unknown {
  return typeof value === "string" && value.startsWith("\ud800") ? new JsonNumber(value.slice(1)) : value;
}

/** Whether a parsed JSON value is an object: not a list, null or `JsonNumber`. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
  );
}

/** What both platforms say of an invalid body, each in its own envelope. */
export const NOT_JSON = "the request body is not valid JSON";

/** Parses a body as graph-node and its gateway do, with their limit of nesting. */
export function parseSubgraphBody(text: string): { readonly value: unknown } | { readonly problem: string } {
  const parsed = parseBody(text, SUBGRAPH_RULES);
  if ("value" in parsed) return parsed;
  return { problem: parsed.problem === "invalid" ? NOT_JSON : "recursion limit exceeded" };
}

/** An answer shows the notation of a number that is not a short integer. */
const SUBGRAPH_RULES: JsonRules = { keepsNotation: (number) => !/^-?\d{1,9}$/.test(number), deepest: 127 };
