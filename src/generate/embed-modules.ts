import { readOwnFile } from "../base/own-package.ts";

/** Modules of `src/runtime/` as one, which imports nothing of them and exports the given names only. */
export function embedModules(names: readonly string[], exported: readonly string[]): string {
  const modules = names.map((name) =>
    readOwnFile(`src/runtime/${name}.ts`)
      .replaceAll(/^import [^;]*;\n+/gm, "")
      .replaceAll(/^export (?=(?:async )?\w+\*? (\w+))/gm, (word, name: string) =>
        exported.includes(name) ? word : "",
      )
      .trimEnd(),
  );
  return modules.join("\n\n");
}
