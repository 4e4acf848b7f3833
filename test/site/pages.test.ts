import { describe, expect, it } from "vitest";
import { findBrokenLinks } from "../../scripts/find-broken-links.ts";
import { BASE, githubSlug, REPOSITORY, readSidebar, siteLink } from "../../site/pages.ts";
import { parseMarkdown } from "../support/docs/parse-markdown.ts";
import { readRepositoryFile, readRepositoryTree } from "../support/repository.ts";
import { tempProject } from "../support/temp-project.ts";

describe("the site", () => {
  it("has each page of docs/ in its sidebar", () => {
    const links = readSidebar(readRepositoryFile("docs/README.md")).flatMap(({ items }) => items);
    const pages = Object.keys(readRepositoryTree("docs")).filter((path) => path.endsWith(".md"));
    expect(["/docs/README", ...links.map(({ link }) => link)].sort()).toEqual(
      pages.map((path) => `/docs/${path.slice(0, -".md".length)}`).sort(),
    );
  });

  it("has an address that the README links to", () => {
    const [, owner] = /github\.com\/([^/]+)/.exec(REPOSITORY) ?? [];
    const [screen = ""] = readRepositoryFile("README.md").split("\n## ");
    for (const page of ["docs/", "playground"])
      expect(screen).toContain(`](https://${owner}.github.io${BASE}${page})`);
  });

  it("has the anchors of GitHub", () => {
    const path = "docs/findings.md";
    const text = readRepositoryFile(path);
    const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => heading);
    const { anchors } = parseMarkdown(path, text);
    expect(headings.map(githubSlug).filter((slug) => !anchors.includes(slug))).toEqual([]);
  });

  it.each([
    ["client.md#pages", "docs/ask.md", "client.md#pages"],
    ["../README.md", "docs/ask.md", "../index.md"],
    ["README.md#a", "docs/ask.md", "index.md#a"],
    ["../examples/ci/check.yml", "docs/ci.md", `${REPOSITORY}/blob/main/examples/ci/check.yml`],
    ["examples/next/README.md", "index.md", `${REPOSITORY}/blob/main/examples/next/README.md`],
    ["#here", "docs/ci.md", "#here"],
    ["https://example.com/README.md", "docs/ci.md", "https://example.com/README.md"],
  ])("has for the link %s in %s the link %s", (href, page, want) => {
    expect(siteLink(href, page)).toBe(want);
  });

  it("reports broken links and anchors", () => {
    const { root } = tempProject({
      "index.html": `<a href="./docs/"></a><a href="${BASE}docs/a#x"></a><a href="/other"></a><img src="https://example.com/a">`,
      "docs/index.html": `<a href="./b.html"></a><a href="#y"></a><a href="../logo.svg"></a>`,
      "docs/a.html": `<h1 id="x"></h1><a href="./?q=1&amp;r#"></a><a href="./a#z"></a>`,
      "logo.svg": "",
    });
    expect(findBrokenLinks(root)).toEqual([
      "docs/a.html → ./a#z",
      "docs/index.html → ./b.html",
      "docs/index.html → #y",
      "index.html → /other",
    ]);
  });
});
