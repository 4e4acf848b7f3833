import type { ts } from "ts-morph";
import { buildFileFinding } from "../report/codes/files.ts";
import type { Finding } from "../report/finding.ts";
import {
  type CodeDocument,
  createLocate,
  type Locate,
  locateSegments,
  type Segment,
  segmentsOf,
} from "./code-document.ts";
import {
  type Compiler,
  type Imports,
  isTextLiteral,
  loadTsMorph,
  readBinding,
  readImport,
  type TextLiteral,
  unwrap,
  visitNodes,
} from "./code-syntax.ts";
import type { CodeFile } from "./operation-set.ts";

/** A call or a tagged template. */
type Use = ts.CallExpression | ts.TaggedTemplateExpression;

/** A file, the names that it binds, and the calls and templates in it that hold documents. */
type Module = {
  readonly code: CodeFile;
  readonly file: ts.SourceFile;
  readonly locate: Locate;
  readonly imports: Imports;
  /** Names that the file declares, with their initializer; null for all but constants that are declared once. */
  readonly declared: ReadonlyMap<string, ts.Expression | null>;
  readonly holders: readonly Use[];
};

/**
 * Finds the documents in code: texts in calls and tagged templates of the configured names.
 *
 * Nothing is evaluated. A name may stand for a text or a document of the same file. An imported name may be interpolated
 * behind an operation: its document is read in its own file, and shares its fragments by name.
 *
 * @returns the documents in order of path and place, and findings for those that cannot be read.
 */
export function pluckDocuments(files: readonly CodeFile[]): {
  readonly documents: readonly CodeDocument[];
  readonly findings: readonly Finding[];
} {
  const { Project, ts: compiler } = loadTsMorph();
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    compilerOptions: {
      allowJs: true,
      noLib: true,
      noResolve: true,
      types: [],
      jsx: compiler.JsxEmit.Preserve,
    },
  });
  const findings: Finding[] = [];
  const modules = files.flatMap((code): Module[] => {
    try {
      return [readModule(compiler, code, project.createSourceFile(`/${code.path}`, code.text).compilerNode)];
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const place = { file: code.path, line: null, column: null };
      const message = "The file is nested too deeply to be parsed.";
      findings.push(buildFileFinding("operation/unreadable", [message], { place }));
      return [];
    }
  });
  const program = project.getProgram().compilerObject;
  const documents = modules.flatMap((module) => {
    const fault = program.getSyntacticDiagnostics(module.file).find(({ code }) => !isTypeInScript(code));
    if (fault) {
      const reason = compiler.flattenDiagnosticMessageText(fault.messageText, " ").replace(/\.$/, "");
      findings.push(unreadable(module, fault.start ?? 0, `The file cannot be parsed: ${reason}.`));
    }
    return module.holders.flatMap((use) => pluck(use, module) ?? []);
  });
  return { documents, findings };

  /** Returns the document of a call or a template; null if it has none, or one that is found elsewhere. */
  function pluck(use: Use, module: Module): CodeDocument | null {
    const importedFrom = importOf(compiler, use, module.imports)?.module ?? null;
    const argument = compiler.isCallExpression(use) ? use.arguments[0] : use.template;
    if (argument === undefined || isNeverText(compiler, unwrap(compiler, argument))) return null;
    const value = resolve(compiler, argument, module);
    if (value !== null && isTextLiteral(compiler, value)) return build(value, importedFrom, module);
    if (value === null || !module.holders.some((use) => use === value)) {
      const start = unwrap(compiler, argument).getStart(module.file);
      const text = excerpt(module, unwrap(compiler, argument));
      findings.push(unreadable(module, start, `\`${text}\` is used as a document, but cannot be read.`));
    }
    return null;
  }

  function build(literal: TextLiteral, importedFrom: string | null, module: Module): CodeDocument | null {
    const { path, text: source, surfaces } = module.code;
    const spans = compiler.isTemplateExpression(literal) ? [...literal.templateSpans] : [];
    const parts = compiler.isTemplateExpression(literal)
      ? [literal.head, ...spans.map((span) => span.literal)]
      : [literal];
    let text = "";
    const segments: Segment[] = [];
    const interpolations: number[] = [];
    let isReadable = true;
    parts.forEach((part, index) => {
      const span = spans[index - 1];
      if (span !== undefined) {
        const opened = (parts[index - 1]?.end ?? 2) - 2;
        if (!mayBeDocument(compiler, span.expression, module)) {
          isReadable = false;
          const said = `\`\${${excerpt(module, span.expression)}}\` cannot be read, so that the document is not checked.`;
          findings.push(unreadable(module, opened, said));
        }
        // A blank stands for the interpolated document, which is read in its own place.
        segments.push({ at: text.length, from: opened });
        interpolations.push(text.length);
        text += " ";
      }
      const start = part.getStart(module.file) + 1;
      const opens = compiler.isTemplateHead(part) || compiler.isTemplateMiddle(part);
      segments.push(...segmentsOf(source.slice(start, part.end - (opens ? 2 : 1)), text.length, start));
      text += part.text;
    });
    // A document of nothing but other documents has nothing to check.
    if (!isReadable || (spans.length > 0 && text.trim() === "")) return null;
    const locate = locateSegments(segments, module.locate);
    return { path, text, surfaces, locate, interpolations, importedFrom };
  }
}

/** Reads the names that a file binds, and its calls and templates of the configured names. */
function readModule(compiler: Compiler, code: CodeFile, file: ts.SourceFile): Module {
  const imports: Imports = new Map();
  const declared = new Map<string, ts.Expression | null>();
  const uses: Use[] = [];
  const declare = (name: string, value: ts.Expression | null) =>
    declared.set(name, declared.has(name) ? null : value);
  visitNodes(compiler, file, visit);
  const holders = uses
    .filter((use) => isNamed(use))
    .sort((a, b) => a.getStart(file) - b.getStart(file) || a.end - b.end);
  return { code, file, locate: createLocate(code.text), imports, declared, holders };

  function visit(node: ts.Node): void {
    if (compiler.isCallExpression(node) || compiler.isTaggedTemplateExpression(node)) uses.push(node);
    else if (compiler.isImportDeclaration(node)) readImport(compiler, node, imports);
    else readBinding(compiler, node, declare);
  }

  /** Whether a call or a template is of a configured name, also under the name of its import. */
  function isNamed(use: Use): boolean {
    const { names } = code;
    const callee = unwrap(compiler, compiler.isCallExpression(use) ? use.expression : use.tag);
    const imported = importOf(compiler, use, imports);
    if (compiler.isPropertyAccessExpression(callee))
      return imported?.name === "*" && names.includes(callee.name.text);
    if (!compiler.isIdentifier(callee)) return false;
    // The function `graphql` of the package graphql executes a document and holds none.
    if (imported?.module === "graphql") return false;
    return names.includes(callee.text) || (imported !== undefined && names.includes(imported.name));
  }
}

/** Follows names of the file to their value; null where the value is not known. */
function resolve(compiler: Compiler, expression: ts.Expression, { declared }: Module): ts.Expression | null {
  const seen = new Set<string>();
  let node = unwrap(compiler, expression);
  while (compiler.isIdentifier(node)) {
    const value = seen.has(node.text) ? null : declared.get(node.text);
    if (!value) return null;
    seen.add(node.text);
    node = unwrap(compiler, value);
  }
  return node;
}

/** Whether an interpolation may be a document: one of this file, or a name of another file. */
function mayBeDocument(compiler: Compiler, expression: ts.Expression, module: Module): boolean {
  const node = unwrap(compiler, expression);
  if (compiler.isPropertyAccessExpression(node)) return mayBeDocument(compiler, node.expression, module);
  if (compiler.isIdentifier(node) && module.imports.has(node.text) && !module.declared.has(node.text))
    return true;
  const value = resolve(compiler, node, module);
  return (
    value !== null &&
    (module.holders.some((use) => use === value) || compiler.isObjectLiteralExpression(value))
  );
}

function importOf(compiler: Compiler, use: Use, imports: Module["imports"]) {
  const callee = unwrap(compiler, compiler.isCallExpression(use) ? use.expression : use.tag);
  const owner = compiler.isPropertyAccessExpression(callee) ? unwrap(compiler, callee.expression) : callee;
  return compiler.isIdentifier(owner) ? imports.get(owner.text) : undefined;
}

/** Whether an argument shows that the call is of another function with the same name. */
function isNeverText(compiler: Compiler, node: ts.Node): boolean {
  return (
    compiler.isObjectLiteralExpression(node) ||
    compiler.isArrayLiteralExpression(node) ||
    compiler.isFunctionExpression(node) ||
    compiler.isArrowFunction(node) ||
    compiler.isNumericLiteral(node)
  );
}

/** Types in a file of JavaScript are left to the tools of the project. */
function isTypeInScript(code: number): boolean {
  return code >= 8000 && code < 9000;
}

function excerpt({ file, code }: Module, node: ts.Node): string {
  const text = code.text.slice(node.getStart(file), node.end).replaceAll(/\s+/g, " ");
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function unreadable({ code, locate }: Module, offset: number, message: string): Finding {
  const place = { file: code.path, ...locate(offset) };
  return buildFileFinding("operation/unreadable", [message], { place });
}
