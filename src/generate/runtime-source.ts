import { readOwnFile } from "../base/own-package.ts";

/** The modules in the order of the manifest; `narrowed.ts` only stands in for its types. */
const MODULES = [
  "manifest-types",
  "find-chain",
  "chain-name",
  "find-endpoint",
  "describe-status",
  "build-endpoint",
  "build-url",
  "parse-url",
  "refuse-name",
];

/** What users of the manifest name. */
const PUBLIC = ["AuthRule", "Chain", "Deployment", "Endpoint", "EndpointOf", "Lifecycle", "Variables"];

/** What the manifest holds besides its data: the modules of `src/runtime/` as one, which imports nothing. */
export function runtimeSource(): string {
  return embedModules(MODULES, PUBLIC);
}

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
