import type { Reply } from "../adapters/adapter.ts";

/** Seconds a client is told to wait when the fault does not say. */
const DEFAULT_RETRY_AFTER = 60;

/** HTTP 429 with the seconds to wait. */
export function tooManyRequests(seconds = DEFAULT_RETRY_AFTER): Reply {
  const reply = refusal(429);
  return { ...reply, headers: { ...reply.headers, "retry-after": String(seconds) } };
}

/** HTTP 502 as a proxy in front sends it: with a web page. */
export function badGateway(): Reply {
  const page = [
    "<!DOCTYPE html>",
    "<html>",
    "<head><title>502 Bad Gateway</title></head>",
    "<body><center><h1>502 Bad Gateway</h1></center></body>",
    "</html>",
    "",
  ].join("\r\n");
  return { status: 502, headers: { ...ANY_ORIGIN, "content-type": "text/html" }, body: page };
}

const REASONS = {
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  429: "Too Many Requests",
  500: "Internal Server Error",
} as const;

/** A status that says all there is to say. No platform documents the bodies of these. */
export function refusal(status: keyof typeof REASONS): Reply {
  return {
    status,
    headers: { ...ANY_ORIGIN, "content-type": "application/json" },
    body: JSON.stringify({ error: REASONS[status] }),
  };
}

/** Without it, a script in a browser could not tell one status from another. */
const ANY_ORIGIN = { "access-control-allow-origin": "*", "access-control-expose-headers": "retry-after" };
