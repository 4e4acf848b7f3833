import { posix } from "node:path";
import type { ts } from "ts-morph";
import { cached, once } from "../base/collections.ts";
import { loadCompiler } from "../operations/code-syntax.ts";
import { type CodeModule, readModule } from "./read-code.ts";
import type { SourceReader } from "./source-document.ts";

/** The modules of a project, each parsed once, with their imports resolved. Nothing is evaluated. */
export type CodeModules = {
  /** Returns the module of a file; null if it cannot be read, or is nested too deeply. */
  readonly load: (path: string) => CodeModule | null;
  /** Follows an imported name to its constant; null if it is not one of the project. */
  readonly find: (from: CodeModule, imported: Imported) => Value | null;
};

type Imported = { readonly module: string; readonly name: string };

export type Value = { readonly node: ts.Expression; readonly module: CodeModule };

/** Creates the modules of a project. Imports are relative, or follow the `paths` of its tsconfig.json. */
export function createCodeModules(root: string, read: SourceReader): CodeModules {
  const modules = new Map<string, CodeModule | null>();
  const options = once(() => readOptions(root));
  const load = (path: string) => cached(modules, path, loadModule);
  return { load, find: (from, imported) => find(from, imported, new Set()) };

  function loadModule(path: string): CodeModule | null {
    const source = read(path);
    if (!("text" in source) || !CODE.test(path)) return null;
    try {
      return readModule(source);
    } catch (error) {
      if (error instanceof RangeError) return null;
      throw error;
    }
  }

  function resolve(from: string, specifier: string): string | null {
    const compiler = loadCompiler();
    const file = posix.join(root, from);
    const { resolvedModule } = compiler.resolveModuleName(specifier, file, options(), compiler.sys);
    if (!resolvedModule || resolvedModule.isExternalLibraryImport) return null;
    return posix.relative(root, resolvedModule.resolvedFileName);
  }

  /** Exports may be circular, so each name of a module is looked up once. */
  function find(from: CodeModule, { module: specifier, name }: Imported, seen: Set<string>): Value | null {
    const path = resolve(from.path, specifier);
    const step = JSON.stringify([path, name]);
    const module = path === null || seen.has(step) ? null : load(path);
    if (module === null) return null;
    seen.add(step);
    const exported = module.exports.get(name);
    if (exported === undefined) {
      for (const star of module.starExports) {
        const value = find(module, { module: star, name }, seen);
        if (value !== null) return value;
      }
      return null;
    }
    // `import { A } from "./a"; export { A };` is `export { A } from "./a";`.
    const further =
      exported.module === null ? module.imports.get(exported.name) : { ...exported, module: exported.module };
    if (further) return find(module, further, seen);
    const node = module.constants.get(exported.name);
    return node ? { node, module } : null;
  }
}

const CODE = /\.[cm]?[jt]sx?$/;

/** The options with which imports are resolved: the `paths` of tsconfig.json, and the rules of bundlers. */
function readOptions(root: string): ts.CompilerOptions {
  const compiler = loadCompiler();
  const { sys, ModuleKind, ModuleResolutionKind } = compiler;
  const { config } = compiler.readConfigFile(posix.join(root, "tsconfig.json"), sys.readFile);
  // The files of the configuration are not needed.
  const host = { ...sys, readDirectory: () => [] };
  const { options } = compiler.parseJsonConfigFileContent(config ?? {}, host, root);
  const moduleResolution = ModuleResolutionKind.Bundler;
  return { ...options, allowJs: true, module: ModuleKind.ESNext, moduleResolution, preserveSymlinks: true };
}
