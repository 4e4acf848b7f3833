import { dirname, join, resolve } from "node:path";
import { isObject } from "../../base/is-object.ts";
import { parseJson } from "../../base/parse-json.ts";
import type { TypeScriptUse } from "./repository.ts";
import { readWholeText } from "./survey-disk.ts";

/** What bundles by rules of its own, without a look at TypeScript's: it finds no `.ts` where `.js` is written. */
const BUNDLING_FRAMEWORKS = ["next", "react-scripts", "gatsby", "webpack", "expo", "react-native"];

/** Tells how imports of a package in TypeScript are to be written, null of another; `own` are its own dependencies. */
export async function detectTypeScript(
  folder: string,
  own: ReadonlySet<string>,
  dependencies: ReadonlySet<string>,
): Promise<TypeScriptUse | null> {
  const file = join(folder, "tsconfig.json");
  const isThere = (await readWholeText(file)) !== null;
  // The compiler may only check the JavaScript, which is what a jsconfig.json is for.
  const isJavaScript = (await readWholeText(join(folder, "jsconfig.json"))) !== null;
  if (!isThere && (isJavaScript || !dependencies.has("typescript"))) return null;
  const { module = "", moduleResolution = "" } = await readOptions(file, []);
  if (/^node(16|18|20|next)$/.test(moduleResolution || module)) return { isBundled: false };
  const isBundled = moduleResolution === "bundler" || (moduleResolution === "" && module === "preserve");
  return { isBundled: isBundled || BUNDLING_FRAMEWORKS.some((name) => own.has(name)) };
}

/** The options that decide on modules, in lower case. */
type Options = { readonly module?: string; readonly moduleResolution?: string };

/** Reads them as the compiler does: what a file does not say is said by those that it extends, the last one first. */
async function readOptions(file: string, readers: readonly string[]): Promise<Options> {
  const value = parseJsonWithComments((await readWholeText(file).catch(() => null)) ?? "");
  if (readers.includes(file) || !isObject(value)) return {};
  const options = isObject(value["compilerOptions"]) ? value["compilerOptions"] : {};
  let found: Options = {};
  for (const base of [value["extends"]].flat()) {
    const path = typeof base === "string" ? await findBase(base, dirname(file)) : null;
    if (path !== null) found = { ...found, ...(await readOptions(path, [...readers, file])) };
  }
  for (const name of ["module", "moduleResolution"] as const) {
    const option = options[name];
    if (typeof option === "string") found = { ...found, [name]: option.toLowerCase() };
  }
  return found;
}

/** The file that `extends` names: a path, or a part of a package; null where there is none. */
async function findBase(name: string, folder: string): Promise<string | null> {
  const isPath = /^\.{0,2}\//.test(name);
  for (let above = folder; ; above = dirname(above)) {
    const path = isPath ? resolve(folder, name) : join(above, "node_modules", name);
    for (const candidate of [path, `${path}.json`, join(path, "tsconfig.json")]) {
      if ((await readWholeText(candidate).catch(() => null)) !== null) return candidate;
    }
    if (isPath || above === dirname(above)) return null;
  }
}

/** A broken file says nothing, as far as looking at it goes. */
function parseJsonWithComments(text: string): unknown {
  const plain = text
    .replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string?: string) => string ?? " ")
    .replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_, string?: string) => string ?? "");
  return parseJson(plain);
}
