import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "tsdown";

export default defineConfig({
  entry: { cli: "src/cli.ts", index: "src/index.ts", codegen: "src/codegen.ts", emulator: "src/emulator.ts" },
  format: "esm",
  platform: "node",
  target: "node20.19",
  dts: true,
  fixedExtension: false,
  // What a build was made of, so that what one build cached is not taken for another's.
  define: { __LOCKFLOW_BUILD__: JSON.stringify(sourceHash()) },
});

function sourceHash(): string {
  const digest = createHash("sha256").update(readFileSync("package-lock.json"));
  for (const path of (readdirSync("src", { recursive: true }) as string[]).sort()) {
    if (path.endsWith(".ts")) digest.update(`${path}\0`).update(readFileSync(join("src", path)));
  }
  return digest.digest("hex").slice(0, 16);
}
