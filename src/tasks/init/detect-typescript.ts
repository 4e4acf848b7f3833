import { dirname, join, resolve } from "node:path";
import { isObject, parseJson } from "../../base/parse-json.ts";
import type { ImportExtension } from "../../dialects/surface.ts";
import { readWholeText } from "./survey-disk.ts";

export type TypeScriptUse = {
  /** Whether a bundler resolves imports. */
  readonly isBundled: boolean;
  readonly importExtension: ImportExtension;
};

/** Tools with their own import resolution: they do not resolve `.js` to a `.ts` file. */
const BUNDLING_FRAMEWORKS = ["next", "react-scripts", "gatsby", "webpack", "expo", "react-native"];
const JEST = ["jest", "ts-jest"];

/** Returns whether dependencies have a framework that bundles. */
export function hasBundler(dependencies: ReadonlySet<string>): boolean {
  return BUNDLING_FRAMEWORKS.some((name) => dependencies.has(name));
}

/** Detects how a package writes imports in TypeScript; null without TypeScript. `dependencies` includes those above it. */
export async function detectTypeScript(
  folder: string,
  manifest: { readonly dependencies: ReadonlySet<string>; readonly type: "module" | "commonjs" | null },
  dependencies: ReadonlySet<string>,
): Promise<TypeScriptUse | null> {
  const file = join(folder, "tsconfig.json");
  const isThere = (await readWholeText(file)) !== null;
  // With a jsconfig.json, TypeScript may be installed only to check JavaScript.
  const isJavaScript = (await readWholeText(join(folder, "jsconfig.json"))) !== null;
  if (!isThere && (isJavaScript || !dependencies.has("typescript"))) return null;
  const { module = "", moduleResolution = "", allowImportingTsExtensions } = await readOptions(file, []);
  const isNode = /^node(16|18|20|next)$/.test(moduleResolution || module);
  const isBundler = moduleResolution === "bundler" || (moduleResolution === "" && module === "preserve");
  const isBundled = !isNode && (isBundler || hasBundler(manifest.dependencies));
  // Node needs the extension in an ES module, whatever else is installed.
  const hasOwnResolution =
    hasBundler(manifest.dependencies) || JEST.some((name) => manifest.dependencies.has(name));
  if (hasOwnResolution && !(isNode && manifest.type === "module")) return { isBundled, importExtension: "" };
  if (allowImportingTsExtensions) return { isBundled, importExtension: ".ts" };
  return { isBundled, importExtension: isBundled ? "" : ".js" };
}

/** The compiler options about modules, in lower case. */
export type Options = {
  readonly module?: string;
  readonly moduleResolution?: string;
  readonly allowImportingTsExtensions?: boolean;
};

/** Reads the options as the compiler does: options of the file win over those it extends, and later bases over earlier. */
export async function readOptions(file: string, readers: readonly string[]): Promise<Options> {
  const value = parseJsonWithComments((await readWholeText(file).catch(() => null)) ?? "");
  if (readers.includes(file) || !isObject(value)) return {};
  const options = isObject(value["compilerOptions"]) ? value["compilerOptions"] : {};
  let merged: Options = {};
  // A file with references only, as Vite writes it, has no options. The first reference is the application.
  const references =
    Array.isArray(value["references"]) && Array.isArray(value["files"]) ? value["references"] : [];
  const [reference] = references.filter(isObject).map(({ path }) => path);
  if (typeof reference === "string" && (value["files"] as readonly unknown[]).length === 0) {
    const path = await findBase(`./${reference}`, dirname(file));
    if (path !== null) merged = await readOptions(path, [...readers, file]);
  }
  for (const base of [value["extends"]].flat()) {
    const path = typeof base === "string" ? await findBase(base, dirname(file)) : null;
    if (path !== null) merged = { ...merged, ...(await readOptions(path, [...readers, file])) };
  }
  for (const name of ["module", "moduleResolution"] as const) {
    const option = options[name];
    if (typeof option === "string") merged = { ...merged, [name]: option.toLowerCase() };
  }
  const { allowImportingTsExtensions: isAllowed } = options;
  if (typeof isAllowed === "boolean") merged = { ...merged, allowImportingTsExtensions: isAllowed };
  return merged;
}

/** Finds the file of `extends`: a path or a file of a package; null if it does not exist. */
export async function findBase(name: string, folder: string): Promise<string | null> {
  const isPath = /^\.{0,2}\//.test(name);
  for (let above = folder; ; above = dirname(above)) {
    const path = isPath ? resolve(folder, name) : join(above, "node_modules", name);
    for (const candidate of [path, `${path}.json`, join(path, "tsconfig.json")]) {
      if ((await readWholeText(candidate).catch(() => null)) !== null) return candidate;
    }
    if (isPath || above === dirname(above)) return null;
  }
}

/** Parses JSON with comments and trailing commas; undefined if it is invalid. */
export function parseJsonWithComments(text: string): unknown {
  const plain = text
    .replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string?: string) => string ?? " ")
    .replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_, string?: string) => string ?? "");
  return parseJson(plain);
}
