import { posix } from "node:path";
import type { ts } from "ts-morph";
import { cached, once } from "../../base/collections.ts";
import { loadCompiler } from "../../operations/code-syntax.ts";
import { type CodeModule, readModule } from "./read-code.ts";
import type { SourceReader } from "./source-document.ts";

/** The modules of a project, each parsed once, with their imports resolved. Nothing is evaluated. */
export type CodeModules = {
  /** Returns the module of a file; null if it cannot be read, or is nested too deeply. */
  readonly load: (path: string) => CodeModule | null;
  /** Returns the file that an import means; null for packages. */
  readonly find: (from: string, specifier: string) => string | null;
  /** Follows an exported name to its declaration; null if it is not exported. */
  readonly trace: (path: string, name: string) => Declaration | null;
};

/** A name of a module: a local one, or the exported one of a file that is not code. */
export type Declaration = { readonly path: string; readonly name: string };

/** Creates the modules of a project. Imports are relative, or follow the `paths` of its tsconfig.json. */
export function createCodeModules(root: string, read: SourceReader): CodeModules {
  const modules = new Map<string, CodeModule | null>();
  const options = once(() => readOptions(root));
  const load = (path: string) => cached(modules, path, loadModule);
  return { load, find, trace: (path, name) => trace(path, name, new Set()) };

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

  function find(from: string, specifier: string): string | null {
    const compiler = loadCompiler();
    const file = posix.join(root, from);
    const { resolvedModule } = compiler.resolveModuleName(specifier, file, options(), compiler.sys);
    if (!resolvedModule || resolvedModule.isExternalLibraryImport) return null;
    return posix.relative(root, resolvedModule.resolvedFileName);
  }

  /** Exports may be circular, so each name of a module is looked up once. */
  function trace(path: string, name: string, seen: Set<string>): Declaration | null {
    if (!CODE.test(path)) return { path, name };
    const step = JSON.stringify([path, name]);
    const module = seen.has(step) ? null : load(path);
    if (module === null) return null;
    seen.add(step);
    const exported = module.exports.get(name);
    // `import { A } from "./a"; export { A };` is `export { A } from "./a";`.
    const from = exported?.module === null ? module.imports.get(exported.name) : exported;
    const stars = module.starExports.map((star) => ({ module: star, name }));
    if (exported !== undefined && !from) return { path, name: exported.name };
    for (const { module: specifier, name: other } of from ? [from] : stars) {
      const target = specifier === null ? null : find(path, specifier);
      const found = target === null ? null : trace(target, other, seen);
      if (found !== null) return found;
    }
    return null;
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
