import type { ts } from "ts-morph";
import { loadCompiler, visitNodes } from "../../../operations/code-syntax.ts";
import type { FoundOperation } from "../find-operations.ts";
import type { CodeModule } from "../read-code.ts";
import type { ReadDocuments } from "../read-documents.ts";

/** An expression in a module: a document, or a use of it. */
export type Reference = { readonly module: CodeModule; readonly node: ts.Expression };

/** A document in code, or a file of operations that code imports, with its uses. */
export type FoundDocument = {
  /** The expression that holds the document; null for a file. */
  readonly holder: Reference | null;
  /** The uses of its constant; the document itself if it has none. */
  readonly references: readonly Reference[];
  /** Whether another statement exports the constant or its whole module, so that the constant must be kept. */
  readonly isExportedAgain: boolean;
  /** Whether the code uses keys of cached queries, which must then be kept. */
  readonly hasQueryKeys: boolean;
};

/** Finds the uses of an operation's document; null for a file that no code imports. */
export type ReferenceFinder = (operation: FoundOperation) => FoundDocument | null;

/** Creates a finder for the uses of documents in the files that were read. Files that cannot be parsed are skipped. */
export function createReferenceFinder({ paths, modules }: ReadDocuments): ReferenceFinder {
  const compiler = loadCompiler();
  const all = paths.flatMap((path) => modules.load(path) ?? []);
  const imports = all.flatMap((module) =>
    [...module.imports].flatMap(([local, { module: specifier, name }]) => {
      const target = modules.find(module.path, specifier);
      const declared = target === null ? null : modules.trace(target, name);
      return declared === null ? [] : [{ module, local, ...declared }];
    }),
  );
  const hasQueryKeys = all.some(({ text }) => USES_KEYS.test(text));
  return ({ name, document: { file, literal }, siblings }) => {
    const importsOf = (declared: string) =>
      imports
        .filter((one) => one.path === file && one.name === declared)
        .flatMap(({ module, local }) => findUses(module, local));
    if (literal === null) {
      const references = [...importsOf(name), ...(siblings === 1 ? importsOf("default") : [])];
      return references.length === 0
        ? null
        : { holder: null, references, isExportedAgain: false, hasQueryKeys };
    }
    const module = modules.load(file);
    const node = module?.holders.find((one) => one.node.getStart(module.file) === literal.start)?.node;
    if (!module || node === undefined) return null;
    const holder = { module, node };
    const { constant } = literal;
    // A member of an object is not followed.
    const isConstant = constant !== null && module.constants.get(constant) != null;
    return {
      ...{ holder, hasQueryKeys },
      references: isConstant ? [...findUses(module, constant), ...importsOf(constant)] : [holder],
      isExportedAgain: isConstant && isExportedAgain(holder, constant),
    };
  };

  /** Finds the uses of a name, without its declaration, imports and exports. */
  function findUses(module: CodeModule, name: string): Reference[] {
    const found: Reference[] = [];
    visitNodes(compiler, module.file, (node) => {
      if (compiler.isIdentifier(node) && node.text === name && isUse(node)) found.push({ module, node });
    });
    return found.sort((a, b) => a.node.pos - b.node.pos);
  }

  function isUse(node: ts.Identifier): boolean {
    const { parent } = node;
    const isNamed =
      compiler.isVariableDeclaration(parent) ||
      compiler.isPropertyAccessExpression(parent) ||
      compiler.isPropertyAssignment(parent);
    if (isNamed) return parent.name !== node;
    return !(
      compiler.isImportSpecifier(parent) ||
      compiler.isImportClause(parent) ||
      compiler.isExportSpecifier(parent) ||
      compiler.isExportAssignment(parent)
    );
  }

  function isExportedAgain({ module: { path, exports }, node }: Reference, constant: string): boolean {
    const names = [...exports].flatMap(([name, one]) =>
      one.module === null && one.name === constant ? [name] : [],
    );
    const statement = compiler.findAncestor(node, compiler.isVariableStatement);
    const isByStatement = statement?.modifiers?.some(
      ({ kind }) => kind === compiler.SyntaxKind.ExportKeyword,
    );
    if (names.length === 0 || !isByStatement) return names.length > 0;
    return all.some((other) => {
      const named = [...other.exports.values()].filter(({ name }) => names.includes(name) || name === "*");
      const whole = [...other.imports.values()].filter(({ name }) => name === "*");
      const specifiers = [...other.starExports, ...[...named, ...whole].flatMap((one) => one.module ?? [])];
      return specifiers.some((specifier) => modules.find(other.path, specifier) === path);
    });
  }
}

/** Functions of caches with the key of a query as argument. */
const USES_KEYS =
  /\b(?:invalidate|refetch|remove|reset|cancel)Queries\b|\b[gs]etQuer(?:y|ies)Data\b|\b(?:prefetch|fetch|ensure)Query/;
