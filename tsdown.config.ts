import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "tsdown";

const shared = {
  format: "esm",
  platform: "node",
  target: "node20.19",
  fixedExtension: false,
  // What a build was made of, so that what one build cached is not taken for another's.
  define: { __LOCKFLOW_BUILD__: JSON.stringify(sourceHash()) },
} as const;

export default defineConfig([
  {
    ...shared,
    // What other programs import: it has to share their copies of graphql and of the plugins.
    entry: { index: "src/index.ts", codegen: "src/codegen.ts", emulator: "src/emulator.ts" },
    dts: true,
  },
  {
    ...shared,
    // The program brings its own: a thousand small modules take longer to find than to run, and what it generates
    // must not depend on which graphql a project has.
    entry: { cli: "src/cli.ts" },
    outputOptions: { chunkFileNames: "cli/[name]-[hash].js" },
    clean: false,
    dts: false,
    noExternal: [/^(?!ts-morph$|jiti$|node:)/],
    inlineOnly: false,
  },
]);

function sourceHash(): string {
  const digest = createHash("sha256").update(readFileSync("package-lock.json"));
  for (const path of (readdirSync("src", { recursive: true }) as string[]).sort()) {
    if (path.endsWith(".ts")) digest.update(`${path}\0`).update(readFileSync(join("src", path)));
  }
  return digest.digest("hex").slice(0, 16);
}
