// `npm run build`: makes a package of `generated/`. `generate` rewrites that folder, so the package's own files are copied.
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { emitJavaScript } from "../src/generate/format-files.ts";

rmSync("generated/dist", { recursive: true, force: true });
for (const path of ["packages/operations/README.md", "LICENSE"]) {
  cpSync(path, `generated/${path.slice(path.lastIndexOf("/") + 1)}`);
}
// The source folder is private, because it lacks the built files.
const { private: _, ...published } = JSON.parse(readFileSync("packages/operations/package.json", "utf8"));
writeFileSync("generated/package.json", `${JSON.stringify(published, null, 2)}\n`);
// Users who change an operation start from its source.
cpSync("operations", "generated/dist/operations", { recursive: true });
// Both are written by hand.
for (const name of ["index", "amounts"]) {
  const source = readFileSync(`packages/operations/${name}.ts`, "utf8").replaceAll("../../generated/", "./");
  for (const { path, content } of emitJavaScript(name, source))
    writeFileSync(`generated/dist/${path}`, content);
}
// One module per file, so that importing one module loads no other.
execFileSync(process.execPath, ["node_modules/typescript-7/bin/tsc", "-p", "packages/operations"], {
  stdio: "inherit",
});
