import { createRequire } from "node:module";
import type * as TsMorph from "ts-morph";
import type { ts } from "ts-morph";
import { once } from "../base/collections.ts";

/** The TypeScript compiler. */
export type Compiler = typeof ts;

/** The names that a module imports, by local name; the export `*` is a whole module. */
export type Imports = Map<string, { readonly module: string; readonly name: string }>;

/** Loads ts-morph on first use. An import would first search the nine megabytes of the compiler for export names. */
export const loadTsMorph = once((): typeof TsMorph => createRequire(import.meta.url)("ts-morph"));

/** Loads the TypeScript compiler in ts-morph on first use. */
export const loadCompiler = (): Compiler => loadTsMorph().ts;

/** Calls a function with a node and each node below it. It does not recurse: code may be nested more deeply than the stack. */
export function visitNodes(compiler: Compiler, top: ts.Node, visit: (node: ts.Node) => void): void {
  const pending: ts.Node[] = [top];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    visit(node);
    compiler.forEachChild(node, (child) => {
      pending.push(child);
    });
  }
}

/** Adds the names of an import declaration. */
export function readImport(
  compiler: Compiler,
  { importClause, moduleSpecifier }: ts.ImportDeclaration,
  imports: Imports,
): void {
  if (!importClause || !compiler.isStringLiteral(moduleSpecifier)) return;
  const module = moduleSpecifier.text;
  if (importClause.name) imports.set(importClause.name.text, { module, name: "default" });
  const { namedBindings } = importClause;
  if (!namedBindings) return;
  if (compiler.isNamespaceImport(namedBindings)) {
    imports.set(namedBindings.name.text, { module, name: "*" });
    return;
  }
  for (const { name, propertyName } of namedBindings.elements) {
    imports.set(name.text, { module, name: (propertyName ?? name).text });
  }
}

/** Calls a function with each name that a node binds: with the value of a constant, and null for others. */
export function readBinding(
  compiler: Compiler,
  node: ts.Node,
  bind: (name: string, value: ts.Expression | null) => void,
): void {
  if (compiler.isVariableDeclaration(node)) {
    if (!compiler.isIdentifier(node.name)) return;
    const isConstant = (node.parent.flags & compiler.NodeFlags.Const) !== 0;
    bind(node.name.text, (isConstant && node.initializer) || null);
  } else if (
    compiler.isParameter(node) ||
    compiler.isBindingElement(node) ||
    compiler.isFunctionDeclaration(node) ||
    compiler.isClassDeclaration(node) ||
    compiler.isEnumDeclaration(node)
  ) {
    if (node.name && compiler.isIdentifier(node.name)) bind(node.name.text, null);
  }
}

/** Removes parentheses and types around an expression. */
export function unwrap(compiler: Compiler, expression: ts.Expression): ts.Expression {
  let node = expression;
  while (
    compiler.isParenthesizedExpression(node) ||
    compiler.isAsExpression(node) ||
    compiler.isSatisfiesExpression(node) ||
    compiler.isNonNullExpression(node) ||
    compiler.isTypeAssertionExpression(node)
  ) {
    node = node.expression;
  }
  return node;
}

/** A literal of text. */
export type TextLiteral = ts.StringLiteral | ts.NoSubstitutionTemplateLiteral | ts.TemplateExpression;

/** Whether a node is a literal of text. */
export function isTextLiteral(compiler: Compiler, node: ts.Node): node is TextLiteral {
  return (
    compiler.isStringLiteral(node) ||
    compiler.isNoSubstitutionTemplateLiteral(node) ||
    compiler.isTemplateExpression(node)
  );
}
