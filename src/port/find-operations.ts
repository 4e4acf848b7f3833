import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  print,
} from "graphql";
import { cached } from "../base/collections.ts";
import { offsetOf } from "../operations/code-document.ts";
import { spreadsOf } from "../operations/operation-set.ts";
import { parseFile } from "../operations/parse-operations.ts";
import { findUses } from "../operations/variable-types.ts";
import type { Finding } from "../report/finding.ts";
import { declareNames, explainError, type Filled, fillHoles, findSlots, nameSlots } from "./fill-holes.ts";
import type { KnownRoots } from "./known-roots.ts";
import type { Definitions, Reason, SurfaceSchema } from "./port-types.ts";
import type { ReadDocuments } from "./read-documents.ts";
import { pascalCase, type SourceDocument, type UnreadDocument } from "./source-document.ts";

/** An operation of a document, with the fragments that it uses, directly or not, in order of first use. */
export type FoundOperation = Definitions & {
  /** Its name; for an operation without one, that of its constant or file. */
  readonly name: string;
  readonly isAnonymous: boolean;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The names of fragments with several texts in the project. */
  readonly ambiguous: readonly string[];
  readonly document: SourceDocument;
  /** The values of its document that became variables; null for none. */
  readonly filled: Filled | null;
  /** Its index among the operations of its document. */
  readonly index: number;
};

type Parsed = {
  readonly source: SourceDocument;
  readonly document: DocumentNode;
  readonly filled: Filled | null;
};

/**
 * Parses documents, lists those that cannot be parsed and unused fragments, and joins operations with their fragments: of
 * their document, else of their file, else of any. Texts that only look like documents are left out if they do not parse,
 * unless they name a root field of a schema.
 */
export function findOperations(
  { documents, unread: unreadable }: Pick<ReadDocuments, "documents" | "unread">,
  { schemas, roots }: { readonly schemas: readonly SurfaceSchema[]; readonly roots: KnownRoots },
) {
  const unread: UnreadDocument[] = unreadable.filter(
    ({ text }) => typeof text !== "string" || roots.isQueried(text),
  );
  const parsed = documents.flatMap((source): Parsed[] => {
    const result = source.holes.length === 0 ? parseSource(source) : parseFilled(source, schemas);
    if (!("at" in result)) return [result];
    const isKeyword = /^[^{]*\w/.test(source.text) || result.reason.code === "port/interpolation";
    if (source.isMarked || (isKeyword && roots.isQueried(source.text))) unread.push(result);
    return [];
  });
  const find = createFragmentFinder(parsed);
  const used = new Set<FragmentDefinitionNode>();
  const operations = parsed.flatMap(({ source, document, filled }) => {
    const all = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
    return all
      .filter((node) => !isForeign(node, source))
      .flatMap((node, index): FoundOperation[] => {
        const { fragments, ambiguous } = collect(node, source, find);
        for (const fragment of fragments) used.add(fragment);
        if (fragments.length > MOST_FRAGMENTS) {
          const reason = { code: "port/too-deep", message: `It has more than ${MOST_FRAGMENTS} fragments.` };
          unread.push(refuse(source, node.loc?.start ?? 0, reason));
          return [];
        }
        const name = pascalCase(source.name);
        return [
          {
            node,
            fragments,
            ambiguous,
            document: source,
            filled,
            file: source.file,
            name: node.name?.value ?? (index === 0 ? name : `${name}${index + 1}`),
            isAnonymous: node.name === undefined,
            index: all.indexOf(node),
            line: source.locate(node.loc?.start ?? 0).line,
          },
        ];
      });
  });
  const texts = new Set([...used].map((node) => print(node)));
  const unused = parsed.flatMap(({ source, document }) =>
    document.definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION &&
      !isForeign(node, source) &&
      !texts.has(print(node)) &&
      schemas.some(({ schema }) => schema.getType(node.typeCondition.name.value))
        ? [{ name: node.name.value, file: source.file }]
        : [],
    ),
  );
  return { operations, unread, unused };
}

/** A chain of more fragments may be longer than the stack is deep. */
const MOST_FRAGMENTS = 1000;

/** A document with a syntax error, or with a value that cannot become a variable. */
type Unparsed = UnreadDocument & { readonly at: number };

function parseSource(source: SourceDocument, filled: Filled | null = null): Parsed | Unparsed {
  const findings: Finding[] = [];
  const file = parseFile({ path: source.file, text: source.text }, findings);
  if (file !== null) return { source, document: file.document, filled };
  const [{ place, code, message } = UNKNOWN] = findings;
  const at = offsetOf(source.text, place?.line ?? 1, place?.column ?? 1);
  return refuse(source, at, { code, message });
}

const UNKNOWN = { place: null, code: "operation/syntax", message: "It cannot be parsed." };

function refuse({ file, name, locate }: SourceDocument, at: number, reason: Reason): Unparsed {
  return { at, file, line: locate(at).line, name, reason };
}

/** Parses a document with a variable for each value. The types of the places decide which values share one. */
function parseFilled(source: SourceDocument, schemas: readonly SurfaceSchema[]): Parsed | Unparsed {
  const marked = parseSource(source);
  const { slots, problem } =
    "at" in marked
      ? { slots: [], problem: explainError(source, marked.at) }
      : findSlots(source, marked.document);
  if (problem !== null)
    return refuse(source, problem.at, { code: "port/interpolation", message: problem.message });
  if ("at" in marked) return marked;
  const drafts = slots.map((_, index) => `slot_${index}`);
  const draft = parseSource(fillHoles({ source, slots, names: drafts }));
  if ("at" in draft) return draft;
  const { definitions } = draft.document;
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  const types = new Map<string, string>();
  for (const node of definitions) {
    if (node.kind !== Kind.OPERATION_DEFINITION) continue;
    for (const { schema } of schemas) {
      for (const [name, [use]] of findUses({ node, fragments }, schema)) {
        types.set(name, `${types.get(name) ?? ""} ${String(use?.type).replace(/!$/, "")}`);
      }
    }
  }
  const typesOfSlots = drafts.map((name) => types.get(name) ?? "");
  const names = nameSlots(source.text, slots, typesOfSlots);
  const filled = { source, slots, names };
  const text = fillHoles(filled);
  const parsed = parseSource(text);
  return "at" in parsed ? parsed : parseSource(declareNames(text, parsed.document, names), filled);
}

/** Whether a definition comes from an interpolated document. */
function isForeign(
  { loc }: { readonly loc?: OperationDefinitionNode["loc"] },
  { foreign }: SourceDocument,
): boolean {
  return loc !== undefined && foreign.some(([start, end]) => start <= loc.start && loc.end <= end);
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
    const near =
      all.find((fragment) => fragment.source === source) ??
      all.find((fragment) => fragment.source.file === source.file);
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
  const byName = new Map<string, FragmentDefinitionNode>();
  const ambiguous = new Set<string>();
  const pending = spreadsOf(node.selectionSet).map((name) => ({ name, from: source }));
  for (const { name, from } of pending) {
    if (byName.has(name)) continue;
    const other = find(name, from);
    if (other === "several") ambiguous.add(name);
    if (other === null || other === "several") continue;
    byName.set(name, other.node);
    pending.push(
      ...spreadsOf(other.node.selectionSet).map((spread) => ({ name: spread, from: other.source })),
    );
  }
  return { fragments: [...byName.values()], ambiguous: [...ambiguous] };
}
