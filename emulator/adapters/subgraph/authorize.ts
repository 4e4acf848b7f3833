import type { IncomingHttpHeaders } from "node:http";
import { type ApiKey, type ApiKeys, isHexKey, normalizeKey } from "../api-keys.ts";

/** What a key may do. */
export type Authorization =
  /** The gateway's words. */
  | { readonly refusal: string }
  /** Whether it is for a deployment; null is one that does not exist. */
  | { readonly allows: (deployment: string | null) => boolean };

/**
 * Checks a key as the gateway does: what it looks like, whether there is one, whether it is paid for, and from
 * where it is used (C.6). One in the header beats one in the path.
 */
export function authorize(
  { authorization, origin }: IncomingHttpHeaders,
  pathKey: string | null,
  keys: ApiKeys["subgraph"],
): Authorization {
  const token = authorization === undefined ? pathKey : readBearer(authorization);
  if (token === null) {
    return { refusal: `${authorization === undefined ? "missing" : "invalid"} authorization header` };
  }
  if (token === "") return { refusal: "missing API key" };
  if (keys === null) return { allows: () => true };
  const key = keys.get(normalizeKey(token));
  if (key === undefined) return { refusal: isHexKey(token) ? "API key not found" : "malformed API key" };
  const { domains = [], deployments = [], exhausted } = key;
  if (exhausted !== undefined) return { refusal: EXHAUSTED[exhausted] };
  if (domains.length > 0 && !domains.some((domain) => matches(domain, hostOf(origin)))) {
    return { refusal: "domain not authorized by user" };
  }
  return {
    allows: (deployment) =>
      deployments.length === 0 || (deployment !== null && deployments.includes(deployment)),
  };
}

const EXHAUSTED: Readonly<Record<NonNullable<ApiKey["exhausted"]>, string>> = {
  queries: "payment required for subsequent requests for this API key",
  "spend-limit": "spend limit exceeded for this API key",
};

/** The token of a bearer's header, which may be empty; null for any other header. */
function readBearer(header: string): string | null {
  const bearer = /^bearer(?:\s+(.*))?$/i.exec(header.trim());
  return bearer === null ? null : (bearer[1]?.trim() ?? "");
}

/** The host a browser names; empty when there is none. */
function hostOf(origin: string | undefined): string {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).hostname : "";
}

/** A star in front stands for anything. */
function matches(domain: string, host: string): boolean {
  return domain.startsWith("*") ? host.endsWith(domain.slice(1)) : host === domain;
}
