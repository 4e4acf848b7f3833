import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { readReference } from "./read-reference.ts";
import { renderReference } from "./render-reference.ts";

/**
 * Builds the reference of what package.json exports.
 *
 * @param root the folder of the repository.
 * @returns the pages by their file names in docs/api/.
 */
export function buildReference(root: string): Record<string, string> {
  const { name, exports }: Manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const entries = Object.entries(exports).flatMap(([path, target]): [string, string][] => {
    const declarations = typeof target === "string" ? "" : target.types;
    const source = declarations
      .replace(/^\.\/dist\/(.+)\.d\.ts$/, "src/$1.ts")
      .replace("src/emulator.ts", "emulator/index.ts");
    return source === "" ? [] : [[posix.join(name, path), source]];
  });
  return renderReference(readReference(root, Object.fromEntries(entries)));
}

type Manifest = {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
};
