import { posix } from "node:path";
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  print,
} from "graphql";
import { cached } from "../../base/collections.ts";
import { offsetOf } from "../../operations/code-document.ts";
import { spreadsOf } from "../../operations/operation-set.ts";
import { parseFile } from "../../operations/parse-operations.ts";
import type { Finding } from "../../report/finding.ts";
import type { ReadDocuments } from "./read-documents.ts";
import { pascalCase, type SourceDocument, type UnreadDocument } from "./source-document.ts";

/** An operation of a document, with the fragments that it uses. */
export type FoundOperation = {
  /** Its name; for an operation without one, that of its constant or file. */
  readonly name: string;
  readonly isAnonymous: boolean;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly node: OperationDefinitionNode;
  /** The fragments that it uses, directly or not, in order of first use. */
  readonly fragments: readonly FragmentDefinitionNode[];
  /** The names of fragments with several texts in the project. */
  readonly ambiguous: readonly string[];
  readonly document: SourceDocument;
};

/** The operations of documents, and the documents that cannot be parsed. */
export type FoundOperations = {
  readonly operations: readonly FoundOperation[];
  readonly unread: readonly UnreadDocument[];
  /** The names of fragments that no operation uses, with their files. */
  readonly unused: readonly { readonly name: string; readonly file: string }[];
};

type Parsed = { readonly source: SourceDocument; readonly document: DocumentNode };

/** Parses documents and joins operations with their fragments: of their document, else of their file, else of any. */
export function findOperations({
  documents,
  read,
}: Pick<ReadDocuments, "documents" | "read">): FoundOperations {
  const unread: UnreadDocument[] = [];
  const parsed = documents.flatMap((source) => parseSource(source, unread) ?? []);
  const imported = findImported(parsed, read);
  const find = createFragmentFinder([...parsed, ...imported]);
  const used = new Set<FragmentDefinitionNode>();
  const operations = parsed.flatMap(({ source, document }) => {
    const own = document.definitions.flatMap((node) =>
      node.kind === Kind.OPERATION_DEFINITION && !isForeign(node, source) ? [node] : [],
    );
    return own.map((node, index): FoundOperation => {
      const { fragments, ambiguous } = collect(node, source, find);
      for (const fragment of fragments) used.add(fragment);
      const name = pascalCase(source.name);
      return {
        ...{ node, fragments, ambiguous, document: source, file: source.file },
        name: node.name?.value ?? (index === 0 ? name : `${name}${index + 1}`),
        isAnonymous: node.name === undefined,
        line: source.locate(node.loc?.start ?? 0).line,
      };
    });
  });
  const texts = new Set([...used].map((node) => print(node)));
  const unused = parsed.flatMap(({ source, document }) =>
    document.definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION && !isForeign(node, source) && !texts.has(print(node))
        ? [{ name: node.name.value, file: source.file }]
        : [],
    ),
  );
  return { operations, unread, unused };
}

function parseSource(source: SourceDocument, unread: UnreadDocument[]): Parsed | null {
  const findings: Finding[] = [];
  const file = parseFile({ path: source.file, text: source.text }, findings);
  if (file !== null) return { source, document: file.document };
  const [finding] = findings;
  const offset = offsetOf(source.text, finding?.place?.line ?? 1, finding?.place?.column ?? 1);
  const reason = {
    code: finding?.code ?? "operation/syntax",
    message: finding?.message ?? "It cannot be parsed.",
  };
  unread.push({ file: source.file, line: source.locate(offset).line, name: source.name, reason });
  return null;
}

/** Whether a definition comes from an interpolated document. */
function isForeign(
  { loc }: { readonly loc?: OperationDefinitionNode["loc"] },
  { foreign }: SourceDocument,
): boolean {
  return loc !== undefined && foreign.some(([start, end]) => start <= loc.start && loc.end <= end);
}

/** Reads the files that `#import "./fragment.graphql"` names and no pattern matches. */
function findImported(parsed: readonly Parsed[], read: ReadDocuments["read"]): Parsed[] {
  const known = new Set(parsed.map(({ source }) => source.file));
  const found: Parsed[] = [];
  const pending = parsed.filter(({ source }) => source.literal === null);
  for (const { source } of pending) {
    for (const [, path = ""] of source.text.matchAll(/^#\s*import\s+(?:.*\s)?["'](\.[^"'\n]+)["']/gm)) {
      const target = posix.join(posix.dirname(source.file), path);
      if (known.has(target) || !/\.(?:graphql|gql)$/.test(target)) continue;
      known.add(target);
      const file = read(target);
      if (!("text" in file)) continue;
      const own: SourceDocument = {
        ...{ file: target, text: file.text, name: target, locate: file.locate, foreign: [], literal: null },
      };
      const one = parseSource(own, []);
      if (one === null) continue;
      found.push(one);
      pending.push(one);
    }
  }
  return found;
}

type FoundFragment = { readonly node: FragmentDefinitionNode; readonly source: SourceDocument };

/** Finds the fragment of a name in a document; "several" if the project has it with different texts. */
type FragmentFinder = (name: string, source: SourceDocument) => FoundFragment | "several" | null;

function createFragmentFinder(parsed: readonly Parsed[]): FragmentFinder {
  const byName = new Map<string, FoundFragment[]>();
  for (const { source, document } of parsed) {
    for (const node of document.definitions) {
      if (node.kind !== Kind.FRAGMENT_DEFINITION) continue;
      cached(byName, node.name.value, (): FoundFragment[] => []).push({ node, source });
    }
  }
  return (name, source) => {
    const all = byName.get(name) ?? [];
    const own = all.find((one) => one.source === source);
    const near = own ?? all.find((one) => one.source.file === source.file);
    if (near !== undefined) return near;
    const texts = new Set(all.map(({ node }) => print(node)));
    return texts.size > 1 ? "several" : (all[0] ?? null);
  };
}

function collect(
  node: OperationDefinitionNode,
  source: SourceDocument,
  find: FragmentFinder,
): Pick<FoundOperation, "fragments" | "ambiguous"> {
  const found = new Map<string, FragmentDefinitionNode>();
  const ambiguous = new Set<string>();
  const pending = spreadsOf(node.selectionSet).map((name) => ({ name, from: source }));
  for (const { name, from } of pending) {
    if (found.has(name)) continue;
    const fragment = find(name, from);
    const other = fragment === null && from !== source ? find(name, source) : fragment;
    if (other === "several") ambiguous.add(name);
    if (other === null || other === "several") continue;
    found.set(name, other.node);
    pending.push(...spreadsOf(other.node.selectionSet).map((one) => ({ name: one, from: other.source })));
  }
  return { fragments: [...found.values()], ambiguous: [...ambiguous] };
}
