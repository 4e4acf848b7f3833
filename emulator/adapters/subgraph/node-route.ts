/** The URLs that stand for the provider's own endpoint for development (C.7). */
export const TESTING = "/testing/";

/** What a path means to a node. */
export type NodeRoute = {
  readonly kind: "name" | "id";
  /** The name or hash that is asked for. */
  readonly target: string;
  /** The path without the slashes that do not count. */
  readonly path: string;
  /** Whether it is the page to query with. */
  readonly isPage: boolean;
};

/** Reads a node's path: null when there is no such route (C.1). Only GET shows a page; `graphql` is no name. */
export function readNodeRoute(method: string, path: string): NodeRoute | null {
  if (path.startsWith("/subgraphs/id/")) {
    const [target = "", page, ...more] = path.slice("/subgraphs/id/".length).split("/");
    const isPage = method === "GET" && page === "graphql";
    if (more.length > 0 || (page !== undefined && !isPage)) return null;
    return { kind: "id", target, path: `/subgraphs/id/${target}`.replace(/\/$/, ""), isPage };
  }
  const start = [TESTING, "/subgraphs/name/"].find((prefix) => `${path}/`.startsWith(prefix));
  if (start === undefined) return null;
  const parts = path.slice(start.length).split("/");
  // The last part as it is written: with a slash behind it, it would be part of a name.
  const isPage = method === "GET" && parts.at(-1) === "graphql";
  const target = (isPage ? parts.slice(0, -1) : parts).filter((part) => part !== "").join("/");
  return { kind: "name", target, path: `${start}${target}`.replace(/\/$/, ""), isPage };
}

/** Why a name or hash cannot be one; null when it can. */
export function checkTarget({ kind, target }: NodeRoute): string | null {
  if (kind === "id") return /^\w{0,46}$/.test(target) ? null : `Invalid subgraph id \`${target}\``;
  return isName(target) ? null : `Invalid subgraph name \`${target}\``;
}

function isName(name: string): boolean {
  if (!/^[A-Za-z0-9_/-]{1,255}$/.test(name)) return false;
  return name
    .split("/")
    .every(
      (part) => /^[A-Za-z0-9](?:.*[A-Za-z0-9])?$/.test(part) && /[A-Za-z]/.test(part) && part !== "graphql",
    );
}
