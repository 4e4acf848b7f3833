import type { ts } from "ts-morph";
import {
  type Compiler,
  type Imports,
  isTextLiteral,
  loadCompiler,
  readBinding,
  readImport,
  unwrap,
  visitNodes,
} from "../operations/code-syntax.ts";
import type { SourceFile } from "./source-document.ts";

/** An expression that holds a document: a tagged template, a call, or a text. */
export type Holder = {
  readonly node: ts.Expression;
  readonly value: ts.Expression;
  /** The name for an operation without one; null for that of its file. */
  readonly name: string | null;
  /** Whether a tag, a call or a comment says that it is a document. Any other text only looks like one. */
  readonly isMarked: boolean;
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
  /** Fields with the key `__args`: builders make documents of such objects. */
  readonly builtFields: readonly { readonly name: string; readonly start: number }[];
};

/**
 * Whether a file of code may contain a document. Parsing takes long, and many texts begin with a bracket.
 *
 * @param isQueried whether a text names a root field before a bracket.
 */
export function mayHoldDocuments(text: string, isQueried: (text: string) => boolean): boolean {
  if (/\bgql\b|\bgraphql\b|GraphQL\s*\*\/|\b__args\b/.test(text) || QUOTED_KEYWORD.test(text)) return true;
  return QUOTED_BRACKET.test(text) && isQueried(text);
}

const IGNORED = String.raw`(?:[\s,\uFEFF]|\\[nrt]|#[^\n]*(?:\n|$))*`;
const KEYWORD = String.raw`(?:(?:query|mutation|subscription)\b\s*(?:[\w({@]|$)|fragment\s+\w+\s+on\b)`;
const DOCUMENT_START = new RegExp(`^${IGNORED}(?:${KEYWORD}|\\{)`);
const QUOTED_KEYWORD = new RegExp(`["'\`]${IGNORED}${KEYWORD}`);
const QUOTED_BRACKET = new RegExp(`["'\`]${IGNORED}\\$?\\{`);

/** Whether a text begins as a document does. */
export function looksLikeDocument(text: string): boolean {
  return DOCUMENT_START.test(text);
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
  const builtFields: { name: string; start: number }[] = [];
  const bind = (name: string, value: ts.Expression | null) =>
    constants.set(name, constants.has(name) ? null : value);
  visitNodes(compiler, file, visit);
  const holders = candidates
    .flatMap((node) => toHolder(compiler, node, { imports, text }) ?? [])
    .sort((a, b) => a.node.getStart(file) - b.node.getStart(file));
  return { path, text, file, imports, constants, exports, starExports, holders, builtFields };

  function visit(node: ts.Node): void {
    if (
      compiler.isTaggedTemplateExpression(node) ||
      compiler.isCallExpression(node) ||
      isSum(compiler, node) ||
      isTextLiteral(compiler, node)
    ) {
      candidates.push(node);
    } else if (compiler.isPropertyAssignment(node)) readProperty(node);
    else if (compiler.isImportDeclaration(node)) readImport(compiler, node, imports);
    else if (compiler.isExportDeclaration(node)) readExport(node);
    else if (compiler.isExportAssignment(node)) {
      bind("default export", node.expression);
      exports.set("default", { module: null, name: "default export" });
    } else {
      readBinding(compiler, node, bind);
      const statement = node.parent?.parent;
      if (!compiler.isVariableDeclaration(node) || !compiler.isIdentifier(node.name)) return;
      if (statement && compiler.isVariableStatement(statement) && isExported(statement)) {
        exports.set(node.name.text, { module: null, name: node.name.text });
      }
    }
  }

  function readProperty({ name, parent }: ts.PropertyAssignment): void {
    const field = parent.parent;
    if (!compiler.isIdentifier(name) || name.text !== "__args" || !compiler.isPropertyAssignment(field))
      return;
    if (compiler.isIdentifier(field.name))
      builtFields.push({ name: field.name.text, start: field.name.getStart(file) });
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
  const marked = findMarked();
  const value = marked ?? (isPlainText() ? node : null);
  return value === null ? null : { node, value, isMarked: marked !== null, name: nameOf(compiler, node) };

  function findMarked(): ts.Expression | null {
    if (compiler.isTaggedTemplateExpression(node)) return isNamed(node.tag) ? node.template : null;
    if (compiler.isCallExpression(node)) {
      const [argument] = node.arguments;
      if (argument === undefined || !isNamed(node.expression)) return null;
      const plain = unwrap(compiler, argument);
      const isText = isTextLiteral(compiler, plain) || isSum(compiler, plain) || compiler.isIdentifier(plain);
      return isText ? argument : null;
    }
    return !isPart() && hasComment(node) ? node : null;
  }

  /** Whether a text is a document by its first characters, or begins with a value. */
  function isPlainText(): boolean {
    if (compiler.isTaggedTemplateExpression(node) || compiler.isCallExpression(node) || isPart())
      return false;
    let first = node;
    while (compiler.isBinaryExpression(first)) first = unwrap(compiler, first.left);
    if (compiler.isTemplateExpression(first)) {
      const { head, templateSpans } = first;
      if (head.text.trim() !== "") return looksLikeDocument(head.text);
      return templateSpans.some(({ literal }) => literal.text.includes("{"));
    }
    return compiler.isStringLiteralLike(first) && looksLikeDocument(first.text);
  }

  /** Whether the node is the text of a tag, of a call, or of a longer text. */
  function isPart(): boolean {
    let { parent } = node;
    while (compiler.isParenthesizedExpression(parent)) parent = parent.parent;
    if (compiler.isTaggedTemplateExpression(parent) || isSum(compiler, parent)) return true;
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

/** Whether a node joins texts with `+`. */
export function isSum(compiler: Compiler, node: ts.Node): node is ts.BinaryExpression {
  return compiler.isBinaryExpression(node) && node.operatorToken.kind === compiler.SyntaxKind.PlusToken;
}

/** Returns the name of the constant, property or function around a document; null if none says what it is. */
function nameOf(compiler: Compiler, node: ts.Expression): string | null {
  let isValue = true;
  for (let child: ts.Node = node; child.parent; child = child.parent) {
    const { parent } = child;
    const isNaming =
      compiler.isVariableDeclaration(parent) ||
      compiler.isPropertyAssignment(parent) ||
      compiler.isPropertyDeclaration(parent);
    const isFunction =
      compiler.isFunctionDeclaration(parent) ||
      compiler.isFunctionExpression(parent) ||
      compiler.isMethodDeclaration(parent);
    if (((isValue && isNaming) || isFunction) && parent.name && compiler.isIdentifier(parent.name)) {
      if (!GENERAL.test(parent.name.text)) return parent.name.text;
    }
    // The name of a function is that of its constant or property, too.
    isValue =
      compiler.isFunctionLike(parent) || (isValue && unwrap(compiler, parent as ts.Expression) !== parent);
  }
  return null;
}

/** Names that say nothing about a document. */
const GENERAL =
  /^_*(?:gql|graphql|query|queries|doc|document|documentnode|body|data|payload|text|string|source|variables|operation|request|req|params|options|config|init|result|response|res|default|main|handler|run|fn|fetcher|queryfn)$/i;
