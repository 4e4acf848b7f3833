import { readFileSync } from "node:fs";
import { posix } from "node:path";

export const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

/** The address of the repository, without a slash at its end. */
export const REPOSITORY = String(JSON.parse(read("package.json")).repository.url).replace(
  /^git\+|\.git$/g,
  "",
);

/** The path of the site on GitHub Pages: `/lockflow/`. */
export const BASE = `/${posix.basename(REPOSITORY)}/`;

type Group = { readonly text: string; readonly items: { readonly text: string; readonly link: string }[] };

/** Returns the groups of pages in the table of docs/README.md, with links such as `/docs/client`. */
export function readSidebar(table: string): Group[] {
  const groups: Group[] = [];
  for (const [, task = "", pages = ""] of table.matchAll(/^\| *([^|]*?) *\| (.*) \|$/gm)) {
    const items = [...pages.matchAll(/\[([^\]]+)\]\(([\w/-]+)\.md\)/g)].map(([, text = "", path]) => ({
      text: text.replaceAll("`", ""),
      link: `/docs/${path}`,
    }));
    if (task !== "") groups.push({ text: task.charAt(0).toUpperCase() + task.slice(1), items });
    else groups.at(-1)?.items.push(...items);
  }
  return groups.filter(({ items }) => items.length > 0);
}

/** Returns the anchor that GitHub gives to a heading. */
export function githubSlug(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}

const IS_PAGE = /^(?:README|ARCHITECTURE|CHANGELOG|CONTRIBUTING|docs\/.*)\.md$/;

/** Returns the target of a relative link in a page: a page of the site, else the file on GitHub. */
export function siteLink(href: string, page: string): string {
  if (/^(?:[a-z]+:|#|\/)/.test(href)) return href;
  const [path = "", anchor] = href.split("#");
  const target = posix.join(posix.dirname(page), path);
  if (!IS_PAGE.test(target)) return `${REPOSITORY}/blob/main/${target}`;
  const renamed = path.replace(/README\.md$/, "index.md");
  return anchor === undefined ? renamed : `${renamed}#${anchor}`;
}
