import { readRepositoryFile } from "./repository.ts";

/** The files of `src/runtime/` in the order of the manifest; `narrowed.ts` only stands in for its types. */
const FILES = [
  "manifest-types",
  "find-chain",
  "name-text",
  "normalize-chain-name",
  "find-endpoint",
  "build-endpoint",
  "build-url",
  "parse-url",
  "refuse-name",
  "nearest-names",
  "own",
];

/** What of them users of the manifest name. */
const PUBLIC = ["AuthRule", "Chain", "Deployment", "Endpoint", "Variables"];

/** The module that holds the text of `src/runtime/`, for a package that has no sources. */
export function embedRuntime(): string {
  const text = FILES.map((name) => withoutDoors(readRepositoryFile(`src/runtime/${name}.ts`))).join("\n");
  const escaped = text.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${");
  return [
    "// Made of src/runtime/ by `npx vitest run test/generate/runtime-source.test.ts --update`. Do not edit.",
    "",
    "/** What the manifest holds besides its data. */",
    `export const RUNTIME_SOURCE = \`${escaped}\`;`,
    "",
  ].join("\n");
}

function withoutDoors(text: string): string {
  return text
    .replace(/^import [^;]*;\n+/gm, "")
    .replace(/^export (?=\w+ (\w+))/gm, (door, name: string) => (PUBLIC.includes(name) ? door : ""));
}
