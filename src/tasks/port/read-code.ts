import type { ts } from "ts-morph";
import {
  type Compiler,
  type Imports,
  isTextLiteral,
  loadCompiler,
  readImport,
  unwrap,
  visitNodes,
} from "../../operations/code-syntax.ts";
import type { SourceFile } from "./source-document.ts";

/** An expression that holds a document: a tagged template, a call, or a literal behind `/* GraphQL *\/`. */
export type Holder = {
  readonly node: ts.Expression;
  /** The text of the document. */
  readonly value: ts.Expression;
  /** The constant that is declared with it; null for a document that is used in place. */
  readonly constant: string | null;
};

/** A module of code: what it binds, what it exports, and its documents. */
export type CodeModule = {
  readonly path: string;
  readonly text: string;
  readonly file: ts.SourceFile;
  readonly imports: Imports;
  /** Constants by name; null for names that are bound more than once or are not constant. */
  readonly constants: ReadonlyMap<string, ts.Expression | null>;
  /** By exported name: a local name, or a name of another module. */
  readonly exports: ReadonlyMap<string, { readonly module: string | null; readonly name: string }>;
  /** Modules whose exports are all exported. */
  readonly starExports: readonly string[];
  /** In order of position. */
  readonly holders: readonly Holder[];
};

/** Whether a text may contain a document. */
export function mayHoldDocuments(text: string): boolean {
  return /\bgql\b|\bgraphql\b|GraphQL\s*\*\//.test(text);
}

/** Parses a module of code. Throws a RangeError for code that is nested too deeply. */
export function readModule({ path, text }: Pick<SourceFile, "path" | "text">): CodeModule {
  const compiler = loadCompiler();
  const file = compiler.createSourceFile(
    path,
    text,
    compiler.ScriptTarget.Latest,
    true,
    scriptKind(compiler, path),
  );
  const imports: Imports = new Map();
  const constants = new Map<string, ts.Expression | null>();
  const exports = new Map<string, { module: string | null; name: string }>();
  const starExports: string[] = [];
  const candidates: ts.Expression[] = [];
  const bind = (name: string, value: ts.Expression | null) =>
    constants.set(name, constants.has(name) ? null : value);
  visitNodes(compiler, file, visit);
  const holders = candidates
    .flatMap((node) => toHolder(compiler, node, { imports, text }) ?? [])
    .sort((a, b) => a.node.getStart(file) - b.node.getStart(file));
  return { path, text, file, imports, constants, exports, starExports, holders };

  function visit(node: ts.Node): void {
    if (
      compiler.isTaggedTemplateExpression(node) ||
      compiler.isCallExpression(node) ||
      isTextLiteral(compiler, node)
    ) {
      candidates.push(node);
    } else if (compiler.isImportDeclaration(node)) readImport(compiler, node, imports);
    else if (compiler.isExportDeclaration(node)) readExport(node);
    else if (compiler.isExportAssignment(node)) {
      if (compiler.isIdentifier(node.expression))
        exports.set("default", { module: null, name: node.expression.text });
      else {
        bind("default export", node.expression);
        exports.set("default", { module: null, name: "default export" });
      }
    } else if (compiler.isVariableDeclaration(node)) {
      if (!compiler.isIdentifier(node.name)) return;
      const isConstant = (node.parent.flags & compiler.NodeFlags.Const) !== 0;
      bind(node.name.text, (isConstant && node.initializer) || null);
      const statement = node.parent.parent;
      if (compiler.isVariableStatement(statement) && isExported(statement)) {
        exports.set(node.name.text, { module: null, name: node.name.text });
      }
    } else if (
      compiler.isParameter(node) ||
      compiler.isBindingElement(node) ||
      compiler.isFunctionDeclaration(node) ||
      compiler.isClassDeclaration(node)
    ) {
      if (node.name && compiler.isIdentifier(node.name)) bind(node.name.text, null);
    }
  }

  function isExported(statement: ts.VariableStatement): boolean {
    return statement.modifiers?.some(({ kind }) => kind === compiler.SyntaxKind.ExportKeyword) ?? false;
  }

  function readExport({ exportClause, moduleSpecifier }: ts.ExportDeclaration): void {
    const module = moduleSpecifier && compiler.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : null;
    if (!exportClause) {
      if (module !== null) starExports.push(module);
    } else if (compiler.isNamedExports(exportClause)) {
      for (const { name, propertyName } of exportClause.elements) {
        exports.set(name.text, { module, name: (propertyName ?? name).text });
      }
    } else if (module !== null) exports.set(exportClause.name.text, { module, name: "*" });
  }
}

function scriptKind(compiler: Compiler, path: string): ts.ScriptKind {
  if (/\.[cm]?ts$/.test(path)) return compiler.ScriptKind.TS;
  return path.endsWith(".tsx") ? compiler.ScriptKind.TSX : compiler.ScriptKind.JSX;
}

/** The names of tags and functions with a document as argument. */
const NAMES: ReadonlySet<string> = new Set(["gql", "graphql"]);

function toHolder(
  compiler: Compiler,
  node: ts.Expression,
  { imports, text }: { readonly imports: CodeModule["imports"]; readonly text: string },
): Holder | null {
  const value = findValue();
  if (value === null) return null;
  return { node, value, constant: constantOf(compiler, node) };

  function findValue(): ts.Expression | null {
    if (compiler.isTaggedTemplateExpression(node)) return isNamed(node.tag) ? node.template : null;
    if (compiler.isCallExpression(node)) {
      const [given] = node.arguments;
      if (given === undefined || !isNamed(node.expression)) return null;
      const plain = unwrap(compiler, given);
      const isText = isTextLiteral(compiler, plain) || compiler.isIdentifier(plain);
      return isText ? given : null;
    }
    const isTag = compiler.isTaggedTemplateExpression(node.parent) || holdsAlready(node.parent);
    return !isTag && hasComment(node) ? node : null;
  }

  function holdsAlready(parent: ts.Node): boolean {
    return compiler.isCallExpression(parent) && parent.arguments[0] === node && isNamed(parent.expression);
  }

  function isNamed(callee: ts.Expression): boolean {
    const plain = unwrap(compiler, callee);
    if (compiler.isPropertyAccessExpression(plain)) return plain.name.text === "gql";
    if (!compiler.isIdentifier(plain)) return false;
    const imported = imports.get(plain.text);
    // The function `graphql` of the package graphql executes a document and holds none.
    if (imported?.module === "graphql") return false;
    return NAMES.has(plain.text) || (imported !== undefined && NAMES.has(imported.name));
  }

  function hasComment(literal: ts.Node): boolean {
    const start = literal.getFullStart();
    // A comment on the line of the token before it counts as trailing.
    const comments = [
      ...(compiler.getTrailingCommentRanges(text, start) ?? []),
      ...(compiler.getLeadingCommentRanges(text, start) ?? []),
    ];
    return comments.some(({ pos, end }) => /^\/\*\s*GraphQL\s*\*\/$/i.test(text.slice(pos, end)));
  }
}

/** Returns the constant whose value is a document. */
function constantOf(compiler: Compiler, node: ts.Expression): string | null {
  let value: ts.Node = node;
  while (
    compiler.isParenthesizedExpression(value.parent) ||
    compiler.isAsExpression(value.parent) ||
    compiler.isSatisfiesExpression(value.parent)
  ) {
    value = value.parent;
  }
  const { parent } = value;
  if (compiler.isVariableDeclaration(parent) && compiler.isIdentifier(parent.name)) return parent.name.text;
  if (compiler.isPropertyAssignment(parent) && compiler.isIdentifier(parent.name)) return parent.name.text;
  return null;
}
