import { buildSync } from "esbuild";
import { once } from "../../base/collections.ts";
import { ownPath } from "../../base/own-package.ts";

/** Bundles the script and the style of the page: the same bytes for the same sources. Builds of Lockflow do not contain it. */
export function bundlePage(): { readonly script: string; readonly style: string } {
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

/** Returns the script and the style of the page. A build inlines them as text; from source they are bundled on first use. */
export const pageAssets = once(bundlePage);
