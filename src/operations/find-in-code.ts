import { createRequire } from "node:module";
import type { DocumentNode } from "graphql";
import type * as TsMorph from "ts-morph";
import type { ts } from "ts-morph";
import type { Place } from "../dialects/locate.ts";
import { buildFileFinding } from "../report/codes/files.ts";
import type { Finding } from "../report/finding.ts";
import { type CodeModule, readCodeModule } from "./code-module.ts";
import type { CodeFile, OperationFile, OperationSource } from "./operation-set.ts";
import { parseFile } from "./parse-operations.ts";
import { resolveModule } from "./resolve-module.ts";

/** The documents of files of code, and what of them cannot be read. */
export type PluckedDocuments = {
  /** In order of path and place. */
  readonly documents: readonly CodeDocument[];
  readonly findings: readonly Finding[];
};

/** A file with what it binds, and the calls and templates in it that hold documents. */
type ReadFile = CodeModule & {
  readonly code: CodeFile;
  readonly locate: Locate;
  readonly held: ReadonlySet<ts.Node>;
};

/** What an expression is, without running it. */
type Known = { readonly file: ReadFile; readonly node: ts.Expression | "all exports" };

/** How often one name may lead to another. */
const MOST_HOPS = 20;

/** Plucks the documents out of code: what is given to the functions and tags of the configured names. */
export function pluckDocuments(files: readonly CodeFile[]): PluckedDocuments {
  // Imported, the nine megabytes of a compiler would first be searched for export names.
  const { Project, ts: compiler }: typeof TsMorph = createRequire(import.meta.url)("ts-morph");
  const findings: Finding[] = [];
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
  const read = new Map<string, ReadFile>();
  for (const code of files) {
    try {
      const { compilerNode } = project.createSourceFile(`/${code.path}`, code.text);
      const module = readCodeModule(compiler, code.path, compilerNode);
      const held = new Set<ts.Node>(module.uses.filter((use) => isHolder(use, module, code)));
      read.set(code.path, { ...module, code, held, locate: createLocate(code.text) });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      findings.push(unreadable("The file is nested too deeply to be parsed.", code.path, null));
    }
  }
  const program = project.getProgram().compilerObject;
  const documents: CodeDocument[] = [];
  /** What exports are, by file and name. */
  const evaluated = new Map<string, Known | null>();
  for (const file of read.values()) {
    if (!file.code.mayHold) continue;
    const fault = program.getSyntacticDiagnostics(file.file).find(({ code }) => !isTypeInScript(code));
    if (fault) {
      const said = compiler.flattenDiagnosticMessageText(fault.messageText, " ").replace(/\.$/, "");
      findings.push(unreadable(`The file cannot be parsed: ${said}.`, file.path, [file, fault.start ?? 0]));
    }
    for (const use of file.held) documents.push(...pluck(use, file));
  }
  return { documents, findings };

  /** The document of a call or a template; none where it is one that is plucked elsewhere, or cannot be read. */
  function pluck(use: ts.Node, file: ReadFile): CodeDocument[] {
    const importedFrom = importOf(use, file)?.module ?? null;
    if (compiler.isTaggedTemplateExpression(use)) return build(use.template, file, importedFrom);
    if (!compiler.isCallExpression(use) || use.arguments[0] === undefined) return [];
    const given = unwrap(use.arguments[0]);
    if (isText(given)) return build(given, file, importedFrom);
    if (neverText(given)) return [];
    const known = evaluate(given, file, 0);
    if (known !== null && known.node !== "all exports") {
      if (known.file.held.has(known.node)) return [];
      if (isText(known.node)) return build(known.node, known.file, importedFrom);
    }
    findings.push(
      unreadable(`\`${excerpt(given, file)}\` is given as a document, and cannot be read.`, file.path, [
        file,
        given.getStart(file.file),
      ]),
    );
    return [];
  }

  function build(literal: Text, file: ReadFile, importedFrom: string | null): CodeDocument[] {
    const parts = compiler.isTemplateExpression(literal)
      ? [literal.head, ...literal.templateSpans.map((span) => span.literal)]
      : [literal];
    const spans = compiler.isTemplateExpression(literal) ? [...literal.templateSpans] : [];
    /** Where the `${` before a part stands. */
    const openedBefore = (index: number) => (parts[index - 1]?.end ?? 2) - 2;
    let text = "";
    const segments: Segment[] = [];
    const interpolations: number[] = [];
    parts.forEach((part, index) => {
      if (index > 0) {
        // A blank in place of the document that is put in here, which is read where it stands.
        segments.push({ at: text.length, from: openedBefore(index) });
        interpolations.push(text.length);
        text += " ";
      }
      const start = part.getStart(file.file) + 1;
      const opens = compiler.isTemplateHead(part) || compiler.isTemplateMiddle(part);
      const raw = file.code.text.slice(start, part.end - (opens ? 2 : 1));
      for (const segment of segmentsOf(raw, text.length, start)) segments.push(segment);
      text += part.text;
    });
    let isRead = true;
    spans.forEach(({ expression }, index) => {
      if (isDocument(evaluate(expression, file, 0))) return;
      isRead = false;
      const said = `\`\${${excerpt(expression, file)}}\` cannot be read, so that the document is not checked.`;
      findings.push(unreadable(said, file.path, [file, openedBefore(index + 1)]));
    });
    // Documents that are only put together are read one by one.
    if (!isRead || (spans.length > 0 && text.trim() === "")) return [];
    const { path, surfaces } = file.code;
    const locate = locateSegments(segments, file.locate);
    return [{ path, text, surfaces, locate, interpolations, importedFrom }];
  }

  function isDocument(known: Known | null): boolean {
    return known !== null && known.node !== "all exports" && known.file.held.has(known.node);
  }

  /** Follows names to what they stand for; null where that is not known without running the program. */
  function evaluate(expression: ts.Expression, file: ReadFile, hops: number): Known | null {
    const node = unwrap(expression);
    if (hops > MOST_HOPS) return null;
    if (compiler.isIdentifier(node)) {
      const elsewhere = file.imports.get(node.text);
      if (elsewhere) return evaluateImport(elsewhere, file, hops + 1);
      const value = file.constants.get(node.text);
      return value === undefined ? null : evaluate(value, file, hops + 1);
    }
    if (!compiler.isPropertyAccessExpression(node)) return { file, node };
    const owner = evaluate(node.expression, file, hops + 1);
    if (owner === null) return null;
    if (owner.node === "all exports") return evaluateExport(node.name.text, owner.file, hops + 1);
    if (!compiler.isObjectLiteralExpression(owner.node)) return null;
    const members = owner.node.properties.filter(
      ({ name }) =>
        name &&
        (compiler.isIdentifier(name) || compiler.isStringLiteral(name)) &&
        name.text === node.name.text,
    );
    const [member] = members;
    if (members.length !== 1 || member === undefined) return null;
    if (compiler.isPropertyAssignment(member)) return evaluate(member.initializer, owner.file, hops + 1);
    return compiler.isShorthandPropertyAssignment(member)
      ? evaluate(member.name, owner.file, hops + 1)
      : null;
  }

  function evaluateImport({ module, name }: { module: string; name: string }, from: ReadFile, hops: number) {
    const file = read.get(resolveModule(from.path, module, read) ?? "");
    if (file === undefined) return null;
    return name === "*" ? ({ file, node: "all exports" } as const) : evaluateExport(name, file, hops);
  }

  function evaluateExport(name: string, file: ReadFile, hops: number): Known | null {
    const key = `${file.path}\0${name}`;
    const known = evaluated.get(key);
    if (known !== undefined) return known;
    // Whoever asks for it again meanwhile goes round in a circle.
    evaluated.set(key, null);
    const exported = file.exports.get(name);
    let value: Known | null = null;
    if (exported === undefined) {
      for (const module of file.stars) value ??= evaluateImport({ module, name }, file, hops + 1);
    } else if ("kind" in exported) value = evaluate(exported, file, hops + 1);
    else value = evaluateImport(exported, file, hops + 1);
    evaluated.set(key, value);
    return value;
  }

  /** Without parentheses and types around it. */
  function unwrap(expression: ts.Expression): ts.Expression {
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

  /** Whether a call or a template is of one of the names, under which it may have been imported. */
  function isHolder(
    use: ts.CallExpression | ts.TaggedTemplateExpression,
    module: CodeModule,
    { names }: CodeFile,
  ): boolean {
    const callee = unwrap(compiler.isCallExpression(use) ? use.expression : use.tag);
    if (compiler.isPropertyAccessExpression(callee)) {
      const owner = unwrap(callee.expression);
      const isModule = compiler.isIdentifier(owner) && module.imports.get(owner.text)?.name === "*";
      return isModule && names.includes(callee.name.text);
    }
    if (!compiler.isIdentifier(callee)) return false;
    const imported = module.imports.get(callee.text);
    // What executes a document in this process is called like what holds one.
    if (imported?.module === "graphql") return false;
    return names.includes(callee.text) || (imported !== undefined && names.includes(imported.name));
  }

  function importOf(use: ts.Node, { imports }: CodeModule) {
    const callee = compiler.isCallExpression(use)
      ? use.expression
      : compiler.isTaggedTemplateExpression(use)
        ? use.tag
        : undefined;
    const owner = callee && compiler.isPropertyAccessExpression(callee) ? callee.expression : callee;
    return owner && compiler.isIdentifier(owner) ? imports.get(owner.text) : undefined;
  }

  function isText(node: ts.Node): node is Text {
    return (
      compiler.isStringLiteral(node) ||
      compiler.isNoSubstitutionTemplateLiteral(node) ||
      compiler.isTemplateExpression(node)
    );
  }

  /** What another function of the same name is given. */
  function neverText(node: ts.Node): boolean {
    return (
      compiler.isObjectLiteralExpression(node) ||
      compiler.isArrayLiteralExpression(node) ||
      compiler.isFunctionExpression(node) ||
      compiler.isArrowFunction(node) ||
      compiler.isNumericLiteral(node)
    );
  }
}

type Text = ts.StringLiteral | ts.NoSubstitutionTemplateLiteral | ts.TemplateExpression;

/** Types in a file of JavaScript: its own tools know what to make of them. */
function isTypeInScript(code: number): boolean {
  return code >= 8000 && code < 9000;
}

function excerpt(node: ts.Node, { file, code }: ReadFile): string {
  const text = code.text.slice(node.getStart(file), node.end).replaceAll(/\s+/g, " ");
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function unreadable(message: string, path: string, at: readonly [ReadFile, number] | null): Finding {
  const place = at ? placeAt(path, at[0].locate, at[1]) : { file: path, line: null, column: null };
  return buildFileFinding("operation/unreadable", [message], { place });
}

/** A document in code, as the program has it when it runs. */
export type CodeDocument = OperationSource &
  Pick<CodeFile, "surfaces"> & {
    /** Where a character of the text stands in the file. */
    readonly locate: Locate;
    /** Where in the text other documents are put in, which are documents of their own. */
    readonly interpolations: readonly number[];
    /** What the function or tag is imported from; null where it is not. */
    readonly importedFrom: string | null;
  };

/** Where something at an offset is, both from 1. */
export type Locate = (offset: number) => { readonly line: number; readonly column: number };

/** A part of a text that stands elsewhere as it is, from its first character on. */
export type Segment = { readonly at: number; readonly from: number };

/** Creates what tells lines and columns of a text. */
export function createLocate(text: string): Locate {
  const starts = [0, ...[...text.matchAll(/\r\n|[\n\r]/g)].map(({ index, 0: { length } }) => index + length)];
  return (offset) => {
    const line = lastAtMost(starts, offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}

/** Creates what tells where the characters of a text stand that is made of parts of a file. */
export function locateSegments(segments: readonly Segment[], locate: Locate): Locate {
  const starts = segments.map(({ at }) => at);
  return (offset) => {
    const { at, from } = segments[lastAtMost(starts, offset)] ?? { at: 0, from: 0 };
    return locate(from + offset - at);
  };
}

/** The index of the last number, of some in order, that is at most another. */
function lastAtMost(sorted: readonly number[], wanted: number): number {
  let low = 0;
  for (let high = sorted.length - 1; low < high; ) {
    const middle = Math.ceil((low + high) / 2);
    if ((sorted[middle] ?? 0) <= wanted) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The segments of the text of a literal: an escape is one character, or none, and several in the file.
 *
 * @param raw what stands between the quotes.
 * @param at where the text begins in the document.
 * @param from where it begins in the file.
 */
export function segmentsOf(raw: string, at: number, from: number): Segment[] {
  const segments: Segment[] = [{ at, from }];
  let shorter = 0;
  for (const { index, 0: sequence } of raw.matchAll(ESCAPE)) {
    shorter += sequence.length - lengthOf(sequence);
    const end = index + sequence.length;
    segments.push({ at: at + end - shorter, from: from + end });
  }
  return segments;
}

const ESCAPE = /\\(?:u\{[0-9A-Fa-f]+\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|\r\n|[\s\S])/gu;

/** How many characters an escape stands for. */
function lengthOf(sequence: string): number {
  if (/^\\[\r\n\u2028\u2029]/.test(sequence)) return 0;
  const point = sequence.match(/^\\u\{(.*)\}$/)?.[1];
  if (point !== undefined) return Number.parseInt(point, 16) > 0xffff ? 2 : 1;
  return /^\\[ux]/.test(sequence) ? 1 : sequence.length - 1;
}

/** The place of what stands at an offset of a file's text. */
export function placeAt(file: string, locate: Locate, offset: number): Place {
  return { file, ...locate(offset) };
}

/** Parses a document in code, as if all of its file were GraphQL: whatever it has is at its line and column there. */
export function parseCodeDocument(code: CodeDocument, findings: Finding[]): OperationFile | null {
  const { path, text, locate, interpolations } = code;
  const found: Finding[] = [];
  const parsed = parseFile({ path, text }, found);
  for (const { place, fix, ...finding } of found) {
    const offset = offsetOf(text, place?.line ?? 1, place?.column ?? 1);
    const isEmpty = text.trim() === "";
    findings.push({
      ...finding,
      place: placeAt(path, locate, offset),
      fix: isEmpty ? "the document is empty: write an operation, or delete it." : fix,
    });
  }
  if (parsed === null) return null;
  relocate(parsed.document, locate);
  const inside = interpolations.find((offset) =>
    parsed.document.definitions.some(({ loc }) => loc && loc.start < offset && offset < loc.end),
  );
  if (inside === undefined) return parsed;
  findings.push(
    buildFileFinding(
      "operation/unreadable",
      ["A document is interpolated inside of another's operation or fragment."],
      {
        place: placeAt(path, locate, inside),
        fix: "put it behind them, and spread its fragment by name.",
      },
    ),
  );
  return null;
}

function offsetOf(text: string, line: number, column: number): number {
  const starts = [0, ...[...text.matchAll(/\r\n|[\n\r]/g)].map(({ index, 0: end }) => index + end.length)];
  return (starts[line - 1] ?? 0) + column - 1;
}

/** Every place is read off a token, so that these say where they stand in the file. */
function relocate({ loc }: DocumentNode, locate: Locate): void {
  for (let token = loc?.startToken ?? null; token !== null; token = token.next) {
    Object.assign(token, locate(token.start));
  }
}
