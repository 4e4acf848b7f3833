import { posix } from "node:path";
import type { ts } from "ts-morph";
import { once } from "../../base/collections.ts";
import { createLocate, locateSegments, type Segment, segmentsOf } from "../../operations/code-document.ts";
import { isTextLiteral, loadCompiler, unwrap } from "../../operations/code-syntax.ts";
import type { Project } from "../../project/project.ts";
import { listGivenSources } from "../../workspace/given-sources.ts";
import { type CodeModules, createCodeModules } from "./code-modules.ts";
import { type CodeModule, mayHoldDocuments } from "./read-code.ts";
import {
  createSourceReader,
  type SourceDocument,
  type SourceReader,
  type UnreadDocument,
} from "./source-document.ts";

/** The documents of the files that patterns match. */
export type ReadDocuments = {
  /** In order of file and position. */
  readonly documents: readonly SourceDocument[];
  readonly unread: readonly UnreadDocument[];
  /** The patterns that match no file. */
  readonly unmatched: readonly string[];
  /** The files that were read, in code-unit order. */
  readonly paths: readonly string[];
  readonly read: SourceReader;
};

/** Reads the documents of the files that patterns match. A file that cannot be read is listed, and others are read. */
export function readDocuments(
  project: Project,
  given: { readonly cwd: string; readonly patterns: readonly string[] },
): ReadDocuments {
  const { paths, unmatched } = listGivenSources(
    project,
    given,
    (path) => SOURCE.test(path) && !TYPES.test(path),
  );
  const read = createSourceReader(project.root);
  const readCode = once(() => createCodeReader(read, createCodeModules(project.root, read)));
  const documents: SourceDocument[] = [];
  const unread: UnreadDocument[] = [];
  for (const path of paths) {
    const file = read(path);
    const name = posix.basename(path).replace(/\.[^.]*$/, "");
    if (!("text" in file)) {
      // A large or binary file of code is not written by hand.
      if (!GRAPHQL.test(path)) continue;
      const message = `The file is ${file.problem === "not text" ? "not UTF-8 text" : file.problem}.`;
      unread.push({ file: path, line: 1, name, reason: { code: "port/unreadable", message } });
    } else if (GRAPHQL.test(path)) {
      // Without a token, GraphQL would report a syntax error.
      if (!/[^\s,\uFEFF]/.test(file.text.replaceAll(/#.*/g, ""))) continue;
      documents.push({ file: path, text: file.text, name, locate: file.locate, foreign: [], literal: null });
    } else {
      const found = readCode()(path);
      documents.push(...found.documents);
      unread.push(...found.unread);
    }
  }
  return { documents, unread, unmatched, paths, read };
}

const SOURCE = /\.(?:graphql|gql|[cm]?[jt]sx?)$/;
const GRAPHQL = /\.(?:graphql|gql)$/;
const TYPES = /\.d\.[cm]?ts$/;

/** The documents of files of code, with those that cannot be read. */
type CodeDocuments = {
  readonly documents: readonly SourceDocument[];
  readonly unread: readonly UnreadDocument[];
};

/** A value in a module. */
type Value = { readonly node: ts.Expression; readonly module: CodeModule };

/** The text of a value, with where each part of it is written in the first file. */
type Text = {
  readonly text: string;
  readonly segments: readonly Segment[];
  readonly foreign: readonly (readonly [start: number, end: number])[];
};

/** A value whose text is not constant. */
class NotConstant extends Error {}

/** Creates a function that reads the documents of a file of code. Nothing is evaluated: names lead to literals. */
function createCodeReader(
  read: SourceReader,
  { load, find, trace }: CodeModules,
): (path: string) => CodeDocuments {
  const compiler = loadCompiler();
  const texts = new Map<ts.Node, Text>();

  return (path) => {
    const source = read(path);
    if (!("text" in source) || !mayHoldDocuments(source.text)) return { documents: [], unread: [] };
    const name = posix.basename(path).replace(/\..*$/, "");
    const module = load(path);
    if (module === null) {
      const reason = { code: "port/unreadable", message: "The file is nested too deeply to be parsed." };
      return { documents: [], unread: [{ file: path, line: 1, name, reason }] };
    }
    const documents: SourceDocument[] = [];
    const unread: UnreadDocument[] = [];
    const locate = createLocate(module.text);
    for (const { node, value, constant } of module.holders) {
      const start = node.getStart(module.file);
      try {
        const { text, segments, foreign } = textOf({ node: value, module }, []);
        // A document that only interpolates others is skipped: those are read at their own places.
        const own = foreign.reduceRight((rest, [from, to]) => rest.slice(0, from) + rest.slice(to), text);
        if (own.trim() === "" && foreign.length > 0) continue;
        documents.push({
          ...{ file: path, text, foreign, name: constant ?? name },
          locate: locateSegments(segments, locate),
          literal: { start, end: node.end, constant },
        });
      } catch (error) {
        if (!(error instanceof NotConstant)) throw error;
        const reason = { code: "port/interpolation", message: error.message };
        unread.push({ file: path, line: locate(start).line, name: constant ?? name, reason });
      }
    }
    return { documents, unread };
  };

  /** Returns the text of a value, with interpolated documents inserted as the tag does. */
  function textOf(value: Value, within: readonly ts.Node[]): Text {
    const { node, module } = resolve(value, within);
    const known = texts.get(node);
    if (known !== undefined) return known;
    if (within.includes(node) || within.length > MOST_STEPS) throw notConstant(value);
    const trail = [...within, node];
    const holder = module.holders.find((one) => one.node === node);
    if (holder !== undefined && holder.value !== node) return textOf({ node: holder.value, module }, trail);
    if (!isTextLiteral(compiler, node)) throw notConstant(value);
    const spans = compiler.isTemplateExpression(node) ? [...node.templateSpans] : [];
    const parts = compiler.isTemplateExpression(node)
      ? [node.head, ...spans.map(({ literal }) => literal)]
      : [node];
    let text = "";
    const segments: Segment[] = [];
    const foreign: [number, number][] = [];
    parts.forEach((part, index) => {
      const span = spans[index - 1];
      if (span !== undefined) {
        const inner = textOf({ node: span.expression, module }, trail);
        segments.push({ at: text.length, from: span.expression.getStart(module.file) });
        // A plain text is part of the document; a nested document keeps its place.
        if (isDocument({ node: span.expression, module }))
          foreign.push([text.length, text.length + inner.text.length]);
        text += inner.text;
        // Texts that contain each other twice would double endlessly.
        if (text.length > MOST_CHARACTERS) throw notConstant(value);
      }
      const start = part.getStart(module.file) + 1;
      const opens = compiler.isTemplateHead(part) || compiler.isTemplateMiddle(part);
      segments.push(...segmentsOf(module.text.slice(start, part.end - (opens ? 2 : 1)), text.length, start));
      text += part.text;
    });
    const own = { text, segments, foreign };
    texts.set(node, own);
    return own;
  }

  function isDocument(value: Value): boolean {
    const { node, module } = resolve(value, []);
    return module.holders.some((one) => one.node === node);
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
      if (imported?.name === "*") return lookUpExport(module, imported.module, node.name.text);
    }
    const object = resolve({ node: owner, module }, []);
    if (!compiler.isObjectLiteralExpression(object.node)) return null;
    const property = object.node.properties.find(
      (one) => one.name && compiler.isIdentifier(one.name) && one.name.text === node.name.text,
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
    return imported === undefined ? null : lookUpExport(module, imported.module, imported.name);
  }

  function lookUpExport(from: CodeModule, specifier: string, name: string): Value | null {
    const target = find(from.path, specifier);
    const declared = target === null ? null : trace(target, name);
    const module = declared === null ? null : load(declared.path);
    const node = module?.constants.get(declared?.name ?? "");
    return module && node ? { node, module } : null;
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
