import type { Reply } from "./serve-both.ts";

/** The part that differs, worst first: rows, whether the request is refused, messages, status and headers. */
export type DifferenceKind = "data" | "refusal" | "words" | "http";

export type Difference = {
  readonly kind: DifferenceKind;
  /** The responses of both, without parts that always differ. */
  readonly node: string;
  readonly emulator: string;
};

/** Compares the responses; null if they are equal. A closed connection counts as a response. */
export function compareReplies(
  node: Reply | null,
  emulator: Reply | null,
  hasOpenOrder = false,
): Difference | null {
  if (node === null || emulator === null) {
    if (node === emulator) return null;
    return { kind: "refusal", node: describe(node), emulator: describe(emulator) };
  }
  const [theirs, ours] = [parse(node.body), parse(emulator.body)];
  const both = { node: describe(node), emulator: describe(emulator) };
  if (node.status !== emulator.status) return { kind: "refusal", ...both };
  if (isRefused(theirs) !== isRefused(ours)) return { kind: "refusal", ...both };
  if (hasOpenOrder && textOf(sorted(theirs), "data") === textOf(sorted(ours), "data")) return null;
  if (textOf(theirs, "data") !== textOf(ours, "data")) return { kind: "data", ...both };
  if (describe(node) !== describe(emulator)) return { kind: "words", ...both };
  const [theirHeaders, ourHeaders] = [headersOf(node), headersOf(emulator)];
  if (theirHeaders === ourHeaders) return null;
  return { kind: "http", node: theirHeaders, emulator: ourHeaders };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, sorted(item)]));
}

function isRefused(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && ("errors" in answer || "error" in answer);
}

function textOf(answer: unknown, key: string): string {
  if (typeof answer !== "object" || answer === null) return String(answer);
  return JSON.stringify((answer as Record<string, unknown>)[key]) ?? "none";
}

function describe(reply: Reply | null): string {
  if (reply === null) return "connection closed";
  const parsed = parse(reply.body);
  return `${reply.status} ${typeof parsed === "string" ? parsed : JSON.stringify(parsed, withoutChance)}`;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/**
 * A node orders the keys of a place by chance. Behind some messages it puts its SQL, with the names that its tables have
 * on that machine. Bodies that are not JSON are one case, and so are texts that are not GraphQL.
 */
function withoutChance(key: string, value: unknown): unknown {
  if (isSyntaxError(value)) return "a syntax error";
  if (key === "locations" && Array.isArray(value)) {
    return value.map(({ line, column }) => ({ line, column }));
  }
  if (key === "error" && typeof value === "string") return value.replace(NOT_JSON, "not JSON");
  if (key === "message" && typeof value === "string") {
    return value.replace(/, query = [\s\S]*$/, "");
  }
  return value;
}

/** Errors of a parser, whose words and places the emulator replaces by its own. */
function isSyntaxError(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("message" in value)) return false;
  return /^(?:Syntax Error|Unexpected |Expected [^v]|invalid float literal|number too )/.test(
    String(value.message),
  );
}

/** The words of a JSON parser, which the emulator replaces by its own. */
const NOT_JSON =
  /(?<=\(client error\): )(?:.* at line \d+ column \d+|the request body is not valid JSON|recursion limit exceeded)$/;

/** Headers of the connection, the date and the length, which a node does not decide. */
const OF_CONNECTIONS: ReadonlySet<string> = new Set([
  ...["connection", "keep-alive", "transfer-encoding", "date", "content-length"],
]);

function headersOf({ headers }: Reply): string {
  const names = Object.keys(headers).filter((name) => !OF_CONNECTIONS.has(name));
  return names
    .sort()
    .map((name) => `${name}: ${headers[name]?.join(" + ")}`)
    .join("\n");
}
