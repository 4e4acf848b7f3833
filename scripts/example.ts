// `npm run example`, `npm run example -- next`: runs an example with packages built from this tree.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const npm = (args: readonly string[], cwd = "."): unknown =>
  execFileSync("npm", args, { cwd, stdio: "inherit", shell: process.platform === "win32" });

const given = process.argv.slice(2);
const [name, ...args] = given[0] === "next" ? given : ["consumer", ...given];
const folder = mkdtempSync(join(tmpdir(), "lockflow-example-"));
npm(["run", "build"]);
const packages = [".", "./packages/client/dist", "./generated"];
npm(["pack", ...packages, "--ignore-scripts", "--silent", "--pack-destination", folder]);
const tarballs = readdirSync(folder).map((name) => join(folder, name));
npm(
  ["install", "--no-save", "--no-package-lock", "--no-audit", "--no-fund", ...tarballs],
  `examples/${name}`,
);
rmSync(folder, { recursive: true });
npm(["run", "dev", "--", ...args], `examples/${name}`);
