import { posix } from "node:path";
import type { ts } from "ts-morph";
import { groupBy } from "../../../base/collections.ts";
import { loadCompiler, visitNodes } from "../../../operations/code-syntax.ts";
import type { Project } from "../../../project/project.ts";
import type { SourceReader } from "../source-document.ts";
import { type DocumentEdits, type Edit, localName, type NeededImport } from "./target.ts";

/** Applies edits to files, adds imports, and removes those without a use. Returns the new contents by path. */
export function applyEdits(
  all: readonly DocumentEdits[],
  read: SourceReader,
  project: Pick<Project, "output" | "importExtension">,
): ReadonlyMap<string, string> {
  const contents = new Map<string, string>();
  const edits = groupBy(
    all.flatMap((one) => one.edits),
    ({ path }) => path,
  );
  const imports = groupBy(
    all.flatMap((one) => one.imports),
    ({ path }) => path,
  );
  for (const [path, own] of edits) {
    const source = read(path);
    if (!("text" in source)) continue;
    const before = importedNames(path, source.text);
    const declared = findDeclared(parseCode(source)).filter(({ isUsed }) => isUsed);
    let text = replaceParts(source.text, own);
    const client = localName("indexers", source);
    text = addImports({ path, text }, { needed: imports.get(path) ?? [], client }, project);
    text = removeDeclared({ path, text }, new Set(declared.map(({ name }) => name)));
    contents.set(path, removeUnused({ path, text }, before));
  }
  return contents;
}

function replaceParts(text: string, edits: readonly Edit[]): string {
  const sorted = [...edits].sort((a, b) => b.start - a.start || b.end - a.end);
  let result = text;
  let end = Number.POSITIVE_INFINITY;
  for (const edit of sorted) {
    // Of edits that overlap, the last one counts.
    if (edit.end > end) continue;
    end = edit.start;
    result = result.slice(0, edit.start) + edit.text + result.slice(edit.end);
  }
  return result;
}

type CodeText = { readonly path: string; readonly text: string };

function parseCode({ path, text }: CodeText): ts.SourceFile {
  const compiler = loadCompiler();
  const kind = /\.[jt]sx$|\.[cm]?js$/.test(path) ? compiler.ScriptKind.TSX : compiler.ScriptKind.TS;
  return compiler.createSourceFile(path, text, compiler.ScriptTarget.Latest, true, kind);
}

function addImports(
  { path, text }: CodeText,
  { needed, client: clientName }: { readonly needed: readonly NeededImport[]; readonly client: string },
  { output, importExtension }: Pick<Project, "output" | "importExtension">,
): string {
  if (needed.length === 0) return text;
  const compiler = loadCompiler();
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = [...groupBy(needed, ({ module }) => module)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([module, names]) => {
      const own = new Map(
        names.map(({ name, local, isType }) => {
          const shown = local === name ? name : `${name} as ${local}`;
          return [name, isType ? `type ${shown}` : shown];
        }),
      );
      const list = [...own].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, shown]) => shown);
      const relative = posix.relative(posix.dirname(path), `${output}/${module}`);
      const from = relative.startsWith(".") ? relative : `./${relative}`;
      return `import { ${list.join(", ")} } from "${from}${importExtension}";`;
    });
  const file = parseCode({ path, text });
  const last = file.statements.filter((one) => compiler.isImportDeclaration(one)).at(-1);
  const create = needed.find(({ name }) => name === "createClient")?.local;
  const client = create ? ["", `const ${clientName} = ${create}();`] : [];
  const block = [...lines, ...client].join(eol);
  if (last !== undefined) return `${text.slice(0, last.end)}${eol}${block}${text.slice(last.end)}`;
  // A directive such as "use client" must be first.
  const first = file.statements.find(
    (one) => !compiler.isExpressionStatement(one) || !compiler.isStringLiteral(one.expression),
  );
  const start = first?.getStart(file) ?? text.length;
  return `${text.slice(0, start)}${block}${eol}${text.slice(start)}`;
}

/** A constant, function or type of a file that is not exported. */
type Declared = {
  readonly name: string;
  readonly statement: ts.Statement;
  /** Whether another statement mentions it. */
  readonly isUsed: boolean;
};

function findDeclared(file: ts.SourceFile): Declared[] {
  const compiler = loadCompiler();
  const all = file.statements.map((statement) => ({ statement, names: namesIn(statement) }));
  return all.flatMap(({ statement }): Declared[] => {
    const isExported = compiler.canHaveModifiers(statement) && (statement.modifiers?.length ?? 0) > 0;
    const [only, ...more] = compiler.isVariableStatement(statement)
      ? statement.declarationList.declarations
      : compiler.isTypeAliasDeclaration(statement) || compiler.isInterfaceDeclaration(statement)
        ? [statement]
        : [];
    if (isExported || only === undefined || more.length > 0 || !compiler.isIdentifier(only.name)) return [];
    const name = only.name.text;
    const isUsed = all.some((other) => other.statement !== statement && other.names.has(name));
    return [{ name, statement, isUsed }];
  });
}

/** Removes the declarations, among names that were used before, that have no use any more. */
function removeDeclared({ path, text }: CodeText, names: ReadonlySet<string>): string {
  const unused = findDeclared(parseCode({ path, text })).filter(
    ({ name, isUsed }) => !isUsed && names.has(name),
  );
  if (unused.length === 0) return text;
  const edits = unused.map(({ statement }): Edit => {
    const start = statement.getStart();
    // Of two empty lines around it, one is kept.
    const gap = /\n\r?\n$/.test(text.slice(0, start)) ? /^[ \t]*\r?\n(?:\r?\n)?/ : /^[ \t]*\r?\n/;
    const end = statement.end + (text.slice(statement.end).match(gap)?.[0].length ?? 0);
    return { path, start, end, text: "" };
  });
  // A declaration may have been the last use of another one.
  return removeDeclared({ path, text: replaceParts(text, edits) }, names);
}

/** The names that a file imports and uses. */
function importedNames(path: string, text: string): ReadonlySet<string> {
  const compiler = loadCompiler();
  const file = parseCode({ path, text });
  const used = usedNames(file);
  const names = file.statements.flatMap((statement) => {
    if (!compiler.isImportDeclaration(statement)) return [];
    const { importClause } = statement;
    const bindings = importClause?.namedBindings;
    const named = bindings && compiler.isNamedImports(bindings) ? [...bindings.elements] : [];
    return [importClause?.name, ...named.map(({ name }) => name)].flatMap((name) => name?.text ?? []);
  });
  return new Set(names.filter((name) => used.has(name)));
}

function usedNames(file: ts.SourceFile): ReadonlySet<string> {
  const compiler = loadCompiler();
  const statements = file.statements.filter((one) => !compiler.isImportDeclaration(one));
  return new Set(statements.flatMap((one) => [...namesIn(one)]));
}

function namesIn(statement: ts.Node): ReadonlySet<string> {
  const compiler = loadCompiler();
  const used = new Set<string>();
  visitNodes(compiler, statement, (node) => {
    if (compiler.isIdentifier(node)) used.add(node.text);
  });
  return used;
}

/** Removes the imports, among the names of the file before, that have no use any more. */
function removeUnused({ path, text }: CodeText, names: ReadonlySet<string>): string {
  const compiler = loadCompiler();
  const file = parseCode({ path, text });
  const used = usedNames(file);
  const edits: Edit[] = [];
  for (const statement of file.statements) {
    if (!compiler.isImportDeclaration(statement) || !statement.importClause) continue;
    const { name, namedBindings } = statement.importClause;
    if (namedBindings && !compiler.isNamedImports(namedBindings)) continue;
    const elements = namedBindings ? [...namedBindings.elements] : [];
    const isUnused = (one: ts.Identifier) => names.has(one.text) && !used.has(one.text);
    const kept = elements.filter((one) => !isUnused(one.name));
    const isDefaultUnused = name !== undefined && isUnused(name);
    if (kept.length === elements.length && !isDefaultUnused) continue;
    // Some settings of JSX need React in scope.
    if (isDefaultUnused && name.text === "React") continue;
    const rest = name !== undefined && !isDefaultUnused ? name.text : "";
    const list = kept.length === 0 ? "" : `{ ${kept.map((one) => one.getText(file)).join(", ")} }`;
    const clause = [rest, list].filter((part) => part !== "").join(", ");
    const start = statement.getStart(file);
    if (clause === "") {
      const end = statement.end + (text.slice(statement.end).match(/^[ \t]*\r?\n/)?.[0].length ?? 0);
      edits.push({ path, start, end, text: "" });
    } else {
      const { importClause } = statement;
      const shown = importClause.isTypeOnly ? `type ${clause}` : clause;
      edits.push({ path, start: importClause.getStart(file), end: importClause.end, text: shown });
    }
  }
  return replaceParts(text, edits);
}
