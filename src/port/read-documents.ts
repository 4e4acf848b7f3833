import { posix } from "node:path";
import type { ts } from "ts-morph";
import { once } from "../base/collections.ts";
import { createLocate, locateSegments, type Segment, segmentsOf } from "../operations/code-document.ts";
import { type Compiler, isTextLiteral, loadCompiler, unwrap } from "../operations/code-syntax.ts";
import type { Project } from "../project/project.ts";
import { listGivenSources } from "../workspace/given-sources.ts";
import { type CodeModules, createCodeModules, type Value } from "./code-modules.ts";
import { type CodeModule, isSum, mayHoldDocuments } from "./read-code.ts";
import { type Hole, readHole } from "./read-hole.ts";
import {
  createSourceReader,
  MARK,
  type SourceDocument,
  type SourceReader,
  type UnreadDocument,
} from "./source-document.ts";

/** The documents of the files that patterns match. */
export type ReadDocuments = FoundInCode & {
  /** The patterns that match no file. */
  readonly unmatched: readonly string[];
  /** The files that were read, in code-unit order. */
  readonly paths: readonly string[];
  /** The number of files of code that were not read, by the reason. */
  readonly skipped: ReadonlyMap<string, number>;
};

type FoundInCode = {
  /** In order of file and position. */
  readonly documents: readonly SourceDocument[];
  /** A document whose text is not known, with the part that is; null for one that is marked. */
  readonly unread: readonly (UnreadDocument & { readonly text?: string | null })[];
  /** Objects of query builders. */
  readonly built: readonly { readonly file: string; readonly line: number; readonly name: string }[];
};

/** Reads the documents of the files that patterns match. A file that cannot be read is listed, and others are read. */
export function readDocuments(
  project: Project,
  given: {
    readonly cwd: string;
    readonly patterns: readonly string[];
    /** Whether a text names a root field before a bracket. Only called for files of code. */
    readonly isQueried: (text: string) => boolean;
  },
): ReadDocuments {
  const { paths, unmatched } = listGivenSources(
    project,
    given,
    (path) => SOURCE.test(path) && !TYPES.test(path),
  );
  const read = createSourceReader(project.root);
  const readCode = once(() => createCodeReader(read, createCodeModules(project.root, read), given.isQueried));
  const files: FoundInCode[] = [];
  const skipped = new Map<string, number>();
  for (const path of paths) {
    const file = read(path);
    const name = posix.basename(path).replace(/\.[^.]*$/, "");
    if (!GRAPHQL.test(path)) {
      const reason = skipReason(file);
      if (reason === null) files.push(readCode()(path));
      else skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
    } else if (!("text" in file)) {
      const message = `The file is ${file.problem === "not text" ? "not UTF-8 text" : file.problem}.`;
      const reason = { code: "port/unreadable", message };
      files.push({ ...NOTHING, unread: [{ file: path, line: 1, name, reason }] });
    } else if (/[^\s,\uFEFF]/.test(file.text.replaceAll(/#.*/g, ""))) {
      // Without a token, GraphQL would report a syntax error.
      const { text, locate } = file;
      const isMarked = { isMarked: true, isInCode: false, holes: [], foreign: [] };
      files.push({ ...NOTHING, documents: [{ file: path, text, name, locate, ...isMarked }] });
    }
  }
  return {
    documents: files.flatMap((file) => file.documents),
    unread: files.flatMap((file) => file.unread),
    built: files.flatMap((file) => file.built),
    unmatched,
    paths,
    skipped,
  };
}

const SOURCE = /\.(?:graphql|gql|[cm]?[jt]sx?)$/;
const GRAPHQL = /\.(?:graphql|gql)$/;
const TYPES = /\.d\.[cm]?ts$/;
const NOTHING: FoundInCode = { documents: [], unread: [], built: [] };

/** Returns why a file of code is not read: it was not written by hand. Null for a file to read. */
function skipReason(file: ReturnType<SourceReader>): string | null {
  if (!("text" in file)) return file.problem === "too large" ? "larger than 1 MB" : file.problem;
  const head = file.text.slice(0, 4000);
  const comments = /^(?:\s*(?:\/\/.*|\/\*[\s\S]*?\*\/))*/.exec(head)?.[0] ?? "";
  if (GENERATED_PATH.test(file.path) || GENERATED_HEAD.test(comments) || OF_CODEGEN.test(head))
    return "generated";
  if (/\.min\.[cm]?js$/.test(file.path)) return "minified";
  const lines = file.text.split("\n").length;
  return file.text.length > 10_000 && file.text.length / lines > 500 ? "minified" : null;
}

const GENERATED_PATH =
  /(?:^|\/)(?:dist|build|out|coverage|generated|__generated__)\/|\.(?:generated|gen)\.[cm]?[jt]sx?$/;
const GENERATED_HEAD = /(?:\b|auto)generated\b|\bdo not edit\b/i;

/** GraphQL Code Generator does not say in its files that they are generated. */
const OF_CODEGEN = /^export type Exact<T extends |^import \* as types from ["']\.\/graphql/m;

/** The text of a value, with where each part of it is written in the first file. */
type Text = {
  readonly text: string;
  readonly segments: readonly Segment[];
  readonly foreign: readonly (readonly [start: number, end: number])[];
  /** The values of its marks. */
  readonly holes: readonly Hole[];
};

/** A literal, or a part of a template between two values. */
type TextPart = ts.StringLiteral | ts.NoSubstitutionTemplateLiteral | ts.TemplateLiteralLikeNode;

function isTextPart(compiler: Compiler, node: ts.Node): node is TextPart {
  return (
    compiler.isTemplateHead(node) ||
    compiler.isTemplateMiddleOrTemplateTail(node) ||
    compiler.isStringLiteral(node) ||
    compiler.isNoSubstitutionTemplateLiteral(node)
  );
}

/** A value whose text is not constant. */
class NotConstant extends Error {}

/** Creates a function that reads the documents of a file of code. Nothing is evaluated: names lead to literals. */
function createCodeReader(
  read: SourceReader,
  { load, find }: CodeModules,
  isQueried: (text: string) => boolean,
): (path: string) => FoundInCode {
  const compiler = loadCompiler();
  const texts = new Map<ts.Node, Text>();

  return (path) => {
    const source = read(path);
    if (!("text" in source) || !mayHoldDocuments(source.text, isQueried)) return NOTHING;
    const fileName = posix.basename(path).replace(/\..*$/, "");
    const module = load(path);
    if (module === null) {
      const reason = { code: "port/unreadable", message: "The file is nested too deeply to be parsed." };
      return { ...NOTHING, unread: [{ file: path, line: 1, name: fileName, reason }] };
    }
    const documents: SourceDocument[] = [];
    const unread: FoundInCode["unread"][number][] = [];
    const locate = createLocate(module.text);
    for (const { node, value, name: ownName, isMarked } of module.holders) {
      const name = ownName ?? fileName;
      try {
        const { text, segments, foreign, holes } = textOf({ node: value, module }, []);
        // A document that only interpolates others is skipped: those are read at their own places.
        const rest = foreign.reduceRight((kept, [from, to]) => kept.slice(0, from) + kept.slice(to), text);
        if (rest.trim() === "" && foreign.length > 0) continue;
        documents.push({
          file: path,
          text,
          name,
          foreign,
          holes,
          isInCode: true,
          isMarked,
          locate: locateSegments(segments, locate),
        });
      } catch (error) {
        if (!(error instanceof NotConstant)) throw error;
        const { line } = locate(node.getStart(module.file));
        const reason = { code: "port/interpolation", message: error.message };
        const text = isMarked ? null : value.getText(module.file);
        unread.push({ file: path, line, name, reason, text });
      }
    }
    const { builtFields } = module;
    const built = builtFields.map(({ name, start }) => ({ file: path, name, line: locate(start).line }));
    return { documents, unread, built };
  };

  /** Returns the text of a value, with interpolated documents inserted as the tag does, and marks for other values. */
  function textOf(value: Value, within: readonly ts.Node[]): Text {
    const { node, module } = resolve(value, within);
    const cachedText = texts.get(node);
    if (cachedText !== undefined) return cachedText;
    if (within.includes(node) || within.length > MOST_STEPS) throw notConstant(value);
    const trail = [...within, node];
    const holder = module.holders.find((candidate) => candidate.node === node);
    if (holder !== undefined && holder.value !== node) return textOf({ node: holder.value, module }, trail);
    let text = "";
    const segments: Segment[] = [];
    const foreign: [number, number][] = [];
    const holes: Hole[] = [];
    for (const part of partsOf(node) ?? []) {
      if (isTextPart(compiler, part)) addText(part);
      else addValue(part);
      // Texts that contain each other twice would double endlessly.
      if (text.length > MOST_CHARACTERS) throw notConstant(value);
    }
    if (partsOf(node) === null) {
      const constant = constantText(node);
      if (constant === null) throw notConstant(value);
      text = constant;
      segments.push({ at: 0, from: node.getStart(module.file) });
    }
    const result = { text, segments, foreign, holes };
    texts.set(node, result);
    return result;

    function addText(part: TextPart): void {
      const start = part.getStart(module.file) + 1;
      const opens = compiler.isTemplateHead(part) || compiler.isTemplateMiddle(part);
      segments.push(...segmentsOf(module.text.slice(start, part.end - (opens ? 2 : 1)), text.length, start));
      text += part.text.replaceAll(MARK, "?");
    }

    function addValue(part: ts.Expression): void {
      segments.push({ at: text.length, from: part.getStart(module.file) });
      const inner = innerText(part);
      // A plain text is part of the document; a nested document keeps its place.
      if (inner !== null && isDocument({ node: part, module })) {
        foreign.push([text.length, text.length + inner.text.length]);
      }
      if (inner === null) holes.push(readHole(compiler, part));
      else holes.push(...inner.holes);
      text += inner === null ? MARK : inner.text;
    }

    /** The text of a constant; null for a value. */
    function innerText(part: ts.Expression): Text | null {
      const target = resolve({ node: part, module }, trail);
      const isText = partsOf(target.node) !== null || constantText(target.node) !== null;
      if (!isText && !isDocument(target)) return null;
      const inner = textOf({ node: part, module }, trail);
      // The names of its values may mean something else in another function.
      const isNear = functionOf(target.node) === functionOf(part) && !isDocument(target);
      return inner.holes.length === 0 || isNear ? inner : null;
    }
  }

  /** The texts and values that a text consists of; null for another expression. */
  function partsOf(top: ts.Expression): readonly (TextPart | ts.Expression)[] | null {
    if (compiler.isTemplateExpression(top)) {
      return [top.head, ...top.templateSpans.flatMap(({ expression, literal }) => [expression, literal])];
    }
    if (isTextLiteral(compiler, top)) return [top];
    if (!isSum(compiler, top)) return null;
    const parts: ts.Expression[] = [];
    let node: ts.Expression = top;
    for (; isSum(compiler, node); node = unwrap(compiler, node.left))
      parts.unshift(unwrap(compiler, node.right));
    parts.unshift(node);
    // Numbers are added.
    return parts.some((part) => isTextLiteral(compiler, part))
      ? parts.flatMap((part) => (isTextLiteral(compiler, part) ? (partsOf(part) ?? []) : [part]))
      : null;
  }

  function functionOf(node: ts.Node): ts.Node | undefined {
    return compiler.findAncestor(node.parent, (ancestor) => compiler.isFunctionLike(ancestor));
  }

  /** The text that a template writes for a number or a boolean; null for other values. */
  function constantText(node: ts.Expression): string | null {
    const { MinusToken, TrueKeyword, FalseKeyword } = compiler.SyntaxKind;
    if (compiler.isNumericLiteral(node)) return node.text;
    if (compiler.isPrefixUnaryExpression(node) && node.operator === MinusToken) {
      return compiler.isNumericLiteral(node.operand) ? `-${node.operand.text}` : null;
    }
    return node.kind === TrueKeyword ? "true" : node.kind === FalseKeyword ? "false" : null;
  }

  function isDocument(value: Value): boolean {
    const { node, module } = resolve(value, []);
    const holder = module.holders.find((candidate) => candidate.node === node);
    return holder !== undefined && (holder.isMarked || /^[^{]*\bfragment\b/.test(node.getText(module.file)));
  }

  /** Follows names to the expression that they are bound to. */
  function resolve({ node, module }: Value, within: readonly ts.Node[]): Value {
    let value: Value = { node: unwrap(compiler, node), module };
    for (let steps = within.length; steps < MOST_STEPS; steps++) {
      const next = step(value);
      if (next === null) return value;
      value = { ...next, node: unwrap(compiler, next.node) };
    }
    return value;
  }

  function step({ node, module }: Value): Value | null {
    if (compiler.isIdentifier(node)) return lookUp(node.text, module);
    if (!compiler.isPropertyAccessExpression(node)) return null;
    const owner = node.expression;
    if (compiler.isIdentifier(owner) && !module.constants.has(owner.text)) {
      const imported = module.imports.get(owner.text);
      if (imported?.name === "*") return find(module, { ...imported, name: node.name.text });
    }
    const object = resolve({ node: owner, module }, []);
    if (!compiler.isObjectLiteralExpression(object.node)) return null;
    const property = object.node.properties.find(
      (like) => like.name && compiler.isIdentifier(like.name) && like.name.text === node.name.text,
    );
    if (property && compiler.isPropertyAssignment(property))
      return { node: property.initializer, module: object.module };
    return property && compiler.isShorthandPropertyAssignment(property)
      ? lookUp(property.name.text, object.module)
      : null;
  }

  function lookUp(name: string, module: CodeModule): Value | null {
    const constant = module.constants.get(name);
    if (constant !== undefined) return constant === null ? null : { node: constant, module };
    const imported = module.imports.get(name);
    return imported === undefined ? null : find(module, imported);
  }

  function notConstant({ node, module }: Value): NotConstant {
    const text = module.text.slice(node.getStart(module.file), node.end).replaceAll(/\s+/g, " ");
    const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
    return new NotConstant(`\`${shown}\` is not a constant document of this project.`);
  }
}

/** More names would be circular. */
const MOST_STEPS = 50;

/** No document is longer. */
const MOST_CHARACTERS = 1_000_000;
