import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { BASE } from "../site/pages.ts";

/** Finds the links of a built site that lead to no file or anchor of it: `docs/client.html → ./x#y`. */
export function findBrokenLinks(dist: string): string[] {
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).map((path) =>
    path.replaceAll(sep, "/"),
  );
  const pages = files
    .filter((path) => path.endsWith(".html"))
    .sort()
    .map((path) => [path, readFileSync(join(dist, path), "utf8")] as const);
  const anchors = new Map(pages.map(([path, html]) => [path, new Set(attributes(html, "id"))]));
  return pages.flatMap(([page, html]) =>
    attributes(html, "href|src").flatMap((link) => {
      const { origin, pathname, hash } = new URL(link, `${ORIGIN}${BASE}${page}`);
      if (origin !== ORIGIN) return [];
      const path = decodeURIComponent(pathname.slice(BASE.length)).replace(/(^|\/)$/, "$1index.html");
      const target = files.includes(path) ? path : `${path}.html`;
      // `#v=1&…` is the state of the playground.
      const anchor = hash.includes("=") ? "" : decodeURIComponent(hash.slice(1));
      const isThere = files.includes(target) && (anchor === "" || anchors.get(target)?.has(anchor));
      return isThere && pathname.startsWith(BASE) ? [] : [`${page} → ${link}`];
    }),
  );
}

const ORIGIN = "http://site.example";

function attributes(html: string, names: string): string[] {
  const values = html.matchAll(new RegExp(`\\s(?:${names})="([^"]*)"`, "g"));
  return [...values].map(([, value = ""]) => value.replaceAll("&amp;", "&").replaceAll("&#39;", "'"));
}
