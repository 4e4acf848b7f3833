import { posix } from "node:path";
import type { ts } from "ts-morph";
import { loadCompiler } from "../../../operations/code-syntax.ts";
import { candidatesOf } from "../link-code.ts";
import { type CodeModule, readModule } from "../read-code.ts";
import type { SourceDocument, SourceReader } from "../source-document.ts";

/** A use of a document: its constant, or the document itself where it has none. */
export type Reference = { readonly module: CodeModule; readonly node: ts.Expression };

/** The uses of documents in files of code. */
export type ReferenceFinder = (document: SourceDocument) => {
  readonly module: CodeModule;
  /** The expression that holds the document. */
  readonly holder: ts.Expression;
  readonly references: readonly Reference[];
} | null;

/** Creates a finder for the uses of documents in files. Files that cannot be parsed are skipped. */
export function createReferenceFinder(paths: readonly string[], read: SourceReader): ReferenceFinder {
  const compiler = loadCompiler();
  const modules = new Map<string, CodeModule>();
  for (const path of paths) {
    const source = read(path);
    if (!("text" in source) || !/\.[cm]?[jt]sx?$/.test(path)) continue;
    try {
      modules.set(path, readModule(source));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return (document) => {
    const module = modules.get(document.file);
    const { literal } = document;
    if (module === undefined || literal === null) return null;
    const holder = module.holders.find(({ node }) => node.getStart(module.file) === literal.start)?.node;
    if (holder === undefined) return null;
    const { constant } = literal;
    // A member of an object is not followed.
    const isConstant = constant !== null && module.constants.get(constant) != null;
    if (constant === null || !isConstant) return { module, holder, references: [{ module, node: holder }] };
    const references = findIdentifiers(module, constant);
    const exported = [...module.exports].flatMap(([name, one]) =>
      one.module === null && one.name === constant ? [name] : [],
    );
    for (const other of modules.values()) {
      for (const [local, imported] of other.imports) {
        if (!exported.includes(imported.name) || !leadsTo(other, imported.module, module.path)) continue;
        references.push(...findIdentifiers(other, local));
      }
    }
    return { module, holder, references };
  };

  function leadsTo(from: CodeModule, specifier: string, path: string): boolean {
    if (!specifier.startsWith(".")) return false;
    const base = posix.join(posix.dirname(from.path), specifier);
    return candidatesOf(base).find((candidate) => modules.has(candidate)) === path;
  }

  /** Finds the uses of a name, without its declaration, imports and exports. */
  function findIdentifiers(module: CodeModule, name: string): Reference[] {
    const found: Reference[] = [];
    const pending: ts.Node[] = [module.file];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (compiler.isIdentifier(node) && node.text === name && isUse(node)) found.push({ module, node });
      compiler.forEachChild(node, (child) => {
        pending.push(child);
      });
    }
    return found.sort((a, b) => a.node.pos - b.node.pos);
  }

  function isUse(node: ts.Identifier): boolean {
    const { parent } = node;
    if (compiler.isVariableDeclaration(parent)) return parent.name !== node;
    if (compiler.isPropertyAccessExpression(parent)) return parent.name !== node;
    if (compiler.isPropertyAssignment(parent)) return parent.name !== node;
    return !(
      compiler.isImportSpecifier(parent) ||
      compiler.isImportClause(parent) ||
      compiler.isExportSpecifier(parent)
    );
  }
}
