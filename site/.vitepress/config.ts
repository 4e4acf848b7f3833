import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { BASE, githubSlug, REPOSITORY, read, readSidebar, siteLink } from "../pages.ts";
import { STAND_INS } from "../stand-ins.ts";

const GRAPHQL = fileURLToPath(new URL("../../node_modules/graphql", import.meta.url));
const PROJECT = ["Architecture", "Contributing", "Changelog"].map((text) => ({
  text,
  link: `/${text.toUpperCase()}`,
}));

export default defineConfig({
  title: "Lockflow",
  description: "Typed GraphQL queries for the Lockup and Flow token-streaming indexers",
  base: BASE,
  srcDir: "..",
  srcExclude: ["!(docs|site)/**/*", "site/*/**"],
  // Relative links are resolved from the new path, so pages of docs/ keep theirs.
  rewrites: {
    "README.md": "index.md",
    "docs/README.md": "docs/index.md",
    "site/playground.md": "playground.md",
    "site/entities.md": "entities.md",
  },
  cleanUrls: true,
  // Only the playground loads its code.
  router: { prefetchLinks: false },
  // Without an icon, each first visit has a 404.
  head: [["link", { rel: "icon", href: "data:," }]],
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    anchor: { slugify: githubSlug },
    config: ({ core }) => {
      core.ruler.push("links", ({ tokens, env }) => {
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const href = token.type === "link_open" && token.attrGet("href");
          // The first pass, for titles, has no path.
          if (href && env.relativePath) token.attrSet("href", siteLink(href, env.relativePath));
        }
      });
    },
  },
  themeConfig: {
    nav: [
      { text: "Docs", link: "/docs/start", activeMatch: "/docs/" },
      { text: "Playground", link: "/playground" },
      { text: "Entities", link: "/entities" },
    ],
    sidebar: [...readSidebar(read("docs/README.md")), { text: "Project", items: PROJECT }],
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: REPOSITORY, ariaLabel: "Lockflow on GitHub" }],
    editLink: { pattern: `${REPOSITORY}/edit/main/:path` },
  },
  vite: {
    worker: { format: "es" },
    plugins: [
      {
        name: "vue-of-this-folder",
        enforce: "pre",
        // Pages outside this folder would not find the package.
        resolveId: (source, _, { ssr }) =>
          ssr && /^vue(?:\/|$)/.test(source) ? { id: source, external: true } : null,
      },
    ],
    resolve: {
      alias: [
        STAND_INS,
        // Two copies of graphql refuse each other's schemas.
        { find: /^graphql(?=\/|$)/, replacement: GRAPHQL },
      ],
    },
  },
});
