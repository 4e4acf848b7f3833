import { buildSync } from "esbuild";
import { once } from "../../base/collections.ts";
import { ownPath } from "../../base/own-package.ts";

/** Bundles the script and the style of the page, the same bytes for the same sources. No build of Lockflow holds this. */
export function bundlePage(): PageAssets {
  return { script: bundle("main.ts"), style: bundle("page.css") };
}

function bundle(entry: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [ownPath(`packages/report-page/src/${entry}`)],
    bundle: true,
    write: false,
    minify: true,
    charset: "ascii",
    format: "iife",
    legalComments: "none",
    target: ["es2022", "chrome105", "firefox110", "safari16"],
    tsconfigRaw: "{}",
    logLevel: "silent",
  });
  return outputFiles[0]?.text.trim() ?? "";
}

/** The script and the style of the page. A build puts them here as text; from source they are bundled when a page is rendered. */
export const pageAssets: () => PageAssets = once(bundlePage);

/** What the page runs and looks like. */
export type PageAssets = { readonly script: string; readonly style: string };
