import type { ts } from "ts-morph";

/** The compiler, handed around because it is loaded late. */
export type Compiler = typeof ts;

/** What a file of code binds, takes from others and gives to them, as far as constants go. */
export type CodeModule = {
  readonly path: string;
  readonly file: ts.SourceFile;
  /** By local name. */
  readonly imports: ReadonlyMap<string, Elsewhere>;
  /** By exported name. */
  readonly exports: ReadonlyMap<string, Elsewhere | ts.Expression>;
  /** The modules of which everything is exported. */
  readonly stars: readonly string[];
  /** The values of constants whose name nothing else in the file has. */
  readonly constants: ReadonlyMap<string, ts.Expression>;
  /** Every call and every template with a tag, in order of place. */
  readonly uses: readonly (ts.CallExpression | ts.TaggedTemplateExpression)[];
};

/** An export of another module; `*` is all of them. */
export type Elsewhere = { readonly module: string; readonly name: string };

/** Reads what a file binds, without following anything. */
export function readCodeModule(compiler: Compiler, path: string, file: ts.SourceFile): CodeModule {
  const imports = new Map<string, Elsewhere>();
  const exports = new Map<string, Elsewhere | ts.Expression>();
  const stars: string[] = [];
  /** Null for what is no constant, or has its name not for itself. */
  const values = new Map<string, ts.Expression | null>();
  const uses: (ts.CallExpression | ts.TaggedTemplateExpression)[] = [];
  const bind = (name: string, value: ts.Expression | null) =>
    values.set(name, values.has(name) ? null : value);
  // Code may be nested more deeply than a stack is deep.
  const pending: ts.Node[] = [file];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    visit(node);
    compiler.forEachChild(node, (child) => {
      pending.push(child);
    });
  }
  const constants = new Map<string, ts.Expression>();
  for (const [name, value] of values) if (value && !imports.has(name)) constants.set(name, value);
  uses.sort((a, b) => a.getStart(file) - b.getStart(file) || a.end - b.end);
  return { path, file, imports, exports, stars, constants, uses };

  function visit(node: ts.Node): void {
    if (compiler.isCallExpression(node) || compiler.isTaggedTemplateExpression(node)) uses.push(node);
    else if (compiler.isImportDeclaration(node)) readImport(node);
    else if (compiler.isExportDeclaration(node)) readExport(node);
    else if (compiler.isExportAssignment(node)) exports.set("default", node.expression);
    else if (compiler.isVariableStatement(node)) {
      const isExported = node.modifiers?.some(({ kind }) => kind === compiler.SyntaxKind.ExportKeyword);
      for (const { name } of node.declarationList.declarations) {
        if (isExported && compiler.isIdentifier(name)) exports.set(name.text, name);
      }
    } else if (compiler.isVariableDeclaration(node)) {
      if (!compiler.isIdentifier(node.name)) return;
      const isConstant = (node.parent.flags & compiler.NodeFlags.Const) !== 0;
      bind(node.name.text, (isConstant && node.initializer) || null);
    } else if (isOtherBinding(node) && node.name && compiler.isIdentifier(node.name)) {
      bind(node.name.text, null);
    }
  }

  function isOtherBinding(node: ts.Node): node is ts.NamedDeclaration {
    return (
      compiler.isParameter(node) ||
      compiler.isBindingElement(node) ||
      compiler.isFunctionDeclaration(node) ||
      compiler.isClassDeclaration(node) ||
      compiler.isEnumDeclaration(node)
    );
  }

  function readImport({ importClause, moduleSpecifier }: ts.ImportDeclaration): void {
    if (!importClause || !compiler.isStringLiteral(moduleSpecifier)) return;
    const module = moduleSpecifier.text;
    if (importClause.name) imports.set(importClause.name.text, { module, name: "default" });
    const { namedBindings } = importClause;
    if (!namedBindings) return;
    if (compiler.isNamespaceImport(namedBindings))
      imports.set(namedBindings.name.text, { module, name: "*" });
    else {
      for (const { name, propertyName } of namedBindings.elements) {
        imports.set(name.text, { module, name: (propertyName ?? name).text });
      }
    }
  }

  function readExport({ exportClause, moduleSpecifier }: ts.ExportDeclaration): void {
    const module =
      moduleSpecifier && compiler.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : undefined;
    if (!exportClause) {
      if (module !== undefined) stars.push(module);
    } else if (compiler.isNamespaceExport(exportClause)) {
      if (module !== undefined) exports.set(exportClause.name.text, { module, name: "*" });
    } else {
      for (const { name, propertyName = name } of exportClause.elements) {
        if (module !== undefined) exports.set(name.text, { module, name: propertyName.text });
        else if (compiler.isIdentifier(propertyName)) exports.set(name.text, propertyName);
      }
    }
  }
}
