import { buildSync } from "esbuild";
import { ownPath } from "../../base/disk/read-own-file.ts";
import type { PageAssets } from "./render-page.ts";

/** Bundles the script and the style of the page, the same bytes for the same sources. No build of Lockflow holds this. */
export function bundlePage(): PageAssets {
  return { script: bundle("main.ts"), style: bundle("page.css") };
}

function bundle(entry: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [ownPath(`src/report/html/page/${entry}`)],
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
