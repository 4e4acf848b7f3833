import { posix } from "node:path";
import ts from "typescript";
import { cached } from "../../src/base/collections.ts";
import { readRepositoryTree } from "./repository.ts";

/** One source file as the rules of the house look at it. */
export type Source = {
  /** From the folder of the repository. */
  readonly path: string;
  readonly text: string;
};

/** Parses a file. Few files need it: each rule first looks for its words in the text. */
function treeOf(source: Source): ts.SourceFile {
  return cached(trees, source, ({ path, text }) => {
    const options = {
      languageVersion: ts.ScriptTarget.ES2023,
      jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
    };
    return ts.createSourceFile(path, text, options, true);
  });
}

const trees = new WeakMap<Source, ts.SourceFile>();

/** The files of the source trees, without the files that others are made from. */
export function readSources(): Source[] {
  return ["emulator", "packages/client/src", "src"].flatMap((tree) =>
    Object.entries(readRepositoryTree(tree))
      .filter(([path]) => isFile(path) && !path.includes("/templates/"))
      .map(([path, text]) => ({ path: `${tree}/${path}`, text })),
  );
}

/** Whether a specifier is a file of ours, and no package. */
export function isFile(specifier: string): boolean {
  return specifier.endsWith(".ts");
}

/** What a file imports: files by their path, packages by their specifier. Type-only imports count. */
export function importsOf(source: Source): string[] {
  return cached(imports, source, ({ path, text }) =>
    resolveSpecifiers(
      path,
      ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName),
    ),
  );
}

const imports = new WeakMap<Source, string[]>();

/** What loading a file loads: its imports without those of types, which leave nothing behind. */
export function loadsOf(source: Source): string[] {
  const specifiers = nodesOf(source, ...IMPORTS)
    .map((node) => (isTypeOnly(node) ? undefined : importSpecifier(node)))
    .flatMap((node) => (node && ts.isStringLiteralLike(node) ? [node.text] : []));
  return resolveSpecifiers(source.path, specifiers);
}

/** Lines that use a global by its name; a file's own declaration of the name is another thing. */
export function usesOfGlobal(source: Source, name: string): string[] {
  if (!source.text.includes(name)) return [];
  const named = nodesOf(source, ts.SyntaxKind.Identifier).filter(
    (node): node is ts.Identifier => ts.isIdentifier(node) && node.text === name,
  );
  if (named.some(isDeclaration)) return [];
  return named.filter((node) => !isMember(node)).map((node) => lineOf(source, node));
}

/** Lines that ask which style it is by comparing with a style's name. */
export function styleComparisons(source: Source, styleNames: readonly string[]): string[] {
  if (!styleNames.some((name) => new RegExp(`["'\`]${name}["'\`]`).test(source.text))) return [];
  const isName = (node: ts.Node) => ts.isStringLiteralLike(node) && styleNames.includes(node.text);
  return nodesOf(source, ts.SyntaxKind.BinaryExpression, ts.SyntaxKind.CaseClause)
    .filter(
      (node) =>
        (ts.isBinaryExpression(node) &&
          EQUALITY.has(node.operatorToken.kind) &&
          (isName(node.left) || isName(node.right))) ||
        (ts.isCaseClause(node) && isName(node.expression)),
    )
    .map((node) => lineOf(source, node));
}

/** Lines that write the type `any`. */
export function anyTypes(source: Source): string[] {
  if (!/\bany\b(?! \w)/.test(source.text)) return [];
  return nodesOf(source, ts.SyntaxKind.AnyKeyword).map((node) => lineOf(source, node));
}

/** Lines that claim with `!` that something is there. */
export function nonNullAssertions(source: Source): string[] {
  if (!/[\w)\]}>"'`]!(?!=)/.test(source.text)) return [];
  const isAssertion = (node: ts.Node) => !ts.isPropertyDeclaration(node) || node.exclamationToken;
  return nodesOf(source, ts.SyntaxKind.NonNullExpression, ts.SyntaxKind.PropertyDeclaration)
    .filter(isAssertion)
    .map((node) => lineOf(source, node));
}

/**
 * The parts of a graph that lie on a common cycle, each in code-unit order.
 *
 * @param edges by node, the nodes it points to; a node without an entry points to none.
 */
export function findCycles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const reached = new Map([...edges.keys()].map((node) => [node, reachableFrom(node, edges)]));
  const parts = [...reached]
    .filter(([node, nodes]) => nodes.has(node))
    .map(([node, nodes]) => [...nodes].filter((other) => reached.get(other)?.has(node)).sort());
  return [...new Map(parts.map((part) => [part.join(), part])).values()];
}

/** The nodes that a node leads to, directly or not. */
export function reachableFrom(start: string, edges: ReadonlyMap<string, readonly string[]>): Set<string> {
  const seen = new Set<string>();
  const open = [...(edges.get(start) ?? [])];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    open.push(...(edges.get(node) ?? []));
  }
  return seen;
}

const EQUALITY: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]);

/** The nodes of each tree by kind: a tree is walked once for all rules. */
const walked = new WeakMap<ts.SourceFile, ReadonlyMap<ts.SyntaxKind, readonly ts.Node[]>>();

function nodesOf(source: Source, ...kinds: readonly ts.SyntaxKind[]): ts.Node[] {
  const known = cached(walked, treeOf(source), walk);
  return kinds.flatMap((kind) => known.get(kind) ?? []);
}

function walk(tree: ts.SourceFile): Map<ts.SyntaxKind, ts.Node[]> {
  const nodes = new Map<ts.SyntaxKind, ts.Node[]>();
  const visit = (node: ts.Node): void => {
    cached(nodes, node.kind, () => [] as ts.Node[]).push(node);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return nodes;
}

const IMPORTS = [
  ts.SyntaxKind.ImportDeclaration,
  ts.SyntaxKind.ExportDeclaration,
  ts.SyntaxKind.CallExpression,
  ts.SyntaxKind.ImportType,
];

function resolveSpecifiers(path: string, specifiers: readonly string[]): string[] {
  const folder = posix.dirname(path);
  return [...new Set(specifiers)].map((specifier) =>
    specifier.startsWith(".") ? posix.join(folder, specifier) : specifier,
  );
}

function importSpecifier(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return node.arguments[0];
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return node.argument.literal;
  return undefined;
}

function isTypeOnly(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node)) {
    return node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
  }
  return ts.isImportTypeNode(node) || (ts.isExportDeclaration(node) && node.isTypeOnly);
}

function isDeclaration(node: ts.Identifier): boolean {
  return DECLARATIONS.has(node.parent.kind) && (node.parent as ts.NamedDeclaration).name === node;
}

const DECLARATIONS: ReadonlySet<ts.SyntaxKind> = new Set([
  ...[ts.SyntaxKind.VariableDeclaration, ts.SyntaxKind.Parameter, ts.SyntaxKind.FunctionDeclaration],
  ...[ts.SyntaxKind.BindingElement, ts.SyntaxKind.ImportSpecifier],
]);

/** `response.process`, `{ process: 1 }` and the member of a type have the name and nothing else of the global. */
function isMember(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node && !isGlobalThis(parent.expression)) ||
    ((ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent) || ts.isMethodSignature(parent)) &&
      parent.name === node)
  );
}

function isGlobalThis(node: ts.Expression): boolean {
  return ts.isIdentifier(node) && node.text === "globalThis";
}

function lineOf(source: Source, node: ts.Node): string {
  const tree = treeOf(source);
  const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line;
  return `${source.path}:${line + 1} ${tree.text.split("\n")[line]?.trim()}`;
}
