import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

declare const __LOCKFLOW_RUNTIME__: string | undefined;

/** What the manifest holds besides its data: the text of `src/runtime/`, which a build, without sources, holds itself. */
export function runtimeSource(): string {
  return typeof __LOCKFLOW_RUNTIME__ === "string"
    ? __LOCKFLOW_RUNTIME__
    : readRuntimeSource(fileURLToPath(new URL("../runtime", import.meta.url)));
}

/** The modules in the order of the manifest; `narrowed.ts` only stands in for its types. */
const MODULES = [
  "manifest-types",
  "find-chain",
  "chain-name",
  "find-endpoint",
  "build-endpoint",
  "build-url",
  "parse-url",
  "refuse-name",
  "own",
];

/** What users of the manifest name. */
const PUBLIC = ["AuthRule", "Chain", "Deployment", "Endpoint", "Variables"];

/** Reads the modules of `src/runtime/` as one, which imports nothing and exports what its users name. */
export function readRuntimeSource(folder: string): string {
  const modules = MODULES.map((name) =>
    readFileSync(`${folder}/${name}.ts`, "utf8")
      .replaceAll("\r\n", "\n")
      .replaceAll(/^import [^;]*;\n+/gm, "")
      .replaceAll(/^export (?=\w+ (\w+))/gm, (word, name: string) => (PUBLIC.includes(name) ? word : ""))
      .trimEnd(),
  );
  return modules.join("\n\n");
}
