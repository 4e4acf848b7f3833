import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { parseSync } from "rolldown/utils";

/** Returns the packages that modules and declarations below a folder import statically. */
export function foreignImports(below: string): string[] {
  const names = filesBelow(below)
    .filter((path) => /\.(js|d\.ts)$/.test(path))
    .flatMap((path) => {
      const text = readFileSync(join(below, path), "utf8");
      const { staticImports, staticExports } = parseSync(path, text).module;
      const exported = staticExports.flatMap(({ entries }) => entries.map((entry) => entry.moduleRequest));
      const required = [...text.matchAll(/createRequire\(import\.meta\.url\)\("([^"]+)"/g)];
      return [
        ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
        ...exported.map((request) => request?.value ?? ""),
        ...required.map(([, name]) => name ?? ""),
      ];
    })
    .filter((name) => name !== "" && !name.startsWith(".") && !isBuiltin(name));
  return [...new Set(names.map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name))].sort();
}

/** Returns the files below a folder, relative to it, in code-unit order. */
export function filesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}
