// `npm run example`: the example of a consuming repository, on Lockflow as this tree would publish it.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const npm = (args: readonly string[], cwd = "."): unknown =>
  execFileSync("npm", args, { cwd, stdio: "inherit", shell: process.platform === "win32" });

const folder = mkdtempSync(join(tmpdir(), "lockflow-example-"));
npm(["run", "build"]);
npm(["pack", ".", "--ignore-scripts", "--silent", "--pack-destination", folder]);
const tarballs = readdirSync(folder).map((name) => join(folder, name));
npm(
  ["install", "--no-save", "--no-package-lock", "--no-audit", "--no-fund", ...tarballs],
  "examples/consumer",
);
rmSync(folder, { recursive: true });
npm(["run", "dev", "--", ...process.argv.slice(2)], "examples/consumer");
