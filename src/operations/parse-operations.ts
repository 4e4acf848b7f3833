import {
  type DefinitionNode,
  type ExecutableDefinitionNode,
  GraphQLError,
  Kind,
  parse,
  print,
  Source,
} from "graphql";
import { compareCodeUnits, sortByName } from "../base/collections.ts";
import { locateNode } from "../dialects/locate.ts";
import { DEEPEST_DOCUMENT, isTooDeep } from "../dialects/parse-sdl.ts";
import type { OfSurface } from "../dialects/surface.ts";
import { buildFileFinding } from "../report/codes/files.ts";
import { placeText } from "../report/describe-finding.ts";
import type { Finding } from "../report/finding.ts";
import {
  type Fragment,
  fragmentHeights,
  heightOf,
  type Operation,
  type OperationFile,
  type OperationSet,
  type OperationSource,
  usedFragments,
} from "./operation-set.ts";

/** Further operations of a surface, which are not in its files. */
export type OtherOperations = {
  /** The documents in code, which are a set of their own and may use the fragments of the files. @default none */
  readonly inCode?: readonly OperationFile[];
  /** The portable operations of the protocol, in the form of the style, which are part of the set. @default null */
  readonly portable?: OperationSet | null;
};

/**
 * Parses operation files into a set, and finds the errors that need no schema: syntax, anonymous operations,
 * duplicate names, unused fragments. The same fragment may be in several files.
 */
export function parseOperations(
  sources: readonly OperationSource[],
  { protocol, style }: OfSurface,
  { inCode = [], portable = null }: OtherOperations = {},
): { readonly set: OperationSet; readonly code: OperationSet; readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const shared = portable ?? { protocol, style, files: [], operations: [], fragments: new Map() };
  const named = new Map<string, Omit<Operation, "fragments">>(
    shared.operations.map((operation) => [operation.name, operation]),
  );
  const fragments = new Map<string, Fragment>(shared.fragments);
  const used = new Set<DefinitionNode>();
  const refused: ExecutableDefinitionNode[] = [];
  const ofFiles = collect(sources.flatMap((source) => parseFile(source, findings) ?? []));
  const code = collect(inCode);
  const set = portable ? joinSets(portable, ofFiles, code) : ofFiles;
  for (const operation of [...set.operations, ...code.operations])
    for (const node of operation.fragments) used.add(node);
  for (const { selectionSet } of refused)
    for (const node of usedFragments(selectionSet, fragments)) used.add(node);
  // A file that does not parse may use any fragment.
  const isPartial = findings.some(({ code }) => code === "operation/syntax");
  for (const { name, file, node } of isPartial ? [] : fragments.values()) {
    // The other style may use what is written once.
    if (used.has(node) || shared.fragments.has(name)) continue;
    const place = locateNode(file.path, node.name);
    findings.push(buildFileFinding("operation/unused-fragment", [name], { subject: name, place }));
  }
  return { set, code, findings };

  /** The set of some files and the fragments that were collected before. */
  function collect(parsed: readonly OperationFile[]): OperationSet {
    const before = new Set(named.keys());
    const files = parsed.flatMap((file) => filterDefinitions(file, (node) => add(file, node)));
    const heights = fragmentHeights(fragments);
    const isTooHigh = ({ node }: { readonly node: ExecutableDefinitionNode }) =>
      heightOf(node.selectionSet, heights) > DEEPEST_DOCUMENT;
    const usable = new Map([...fragments].filter(([, fragment]) => !isTooHigh(fragment)));
    const kept = [...named.values()].filter((operation) => {
      const { name, file, node } = operation;
      if (before.has(name) || !isTooHigh(operation)) return !before.has(name);
      const finding = buildFileFinding("operation/syntax", [`With its fragments it is ${TOO_DEEP}`], {
        subject: name,
        place: locateNode(file.path, node.name ?? node),
        fix: FEWER_LEVELS,
      });
      findings.push(finding);
      for (const fragment of usedFragments(node.selectionSet, fragments)) used.add(fragment);
      return false;
    });
    return { protocol, style, files, operations: withFragments(kept, usable), fragments: usable };
  }

  /** Returns false for what the set does not have: an error, or a fragment that another file says in the same words. */
  function add(file: OperationFile, node: DefinitionNode): boolean {
    const place = locateNode(file.path, node);
    if (node.kind !== Kind.OPERATION_DEFINITION && node.kind !== Kind.FRAGMENT_DEFINITION) {
      findings.push(buildFileFinding("operation/not-executable", [], { place }));
      return false;
    }
    if (!node.name) {
      refused.push(node);
      findings.push(buildFileFinding("operation/anonymous", [], { place }));
      return false;
    }
    const name = node.name.value;
    const isFragment = node.kind === Kind.FRAGMENT_DEFINITION;
    const other = (isFragment ? fragments : named).get(name);
    if (other) {
      // An operation for both styles must not be written again for one, not even in the same words.
      const isShared = shared.files.some(({ path }) => path === other.file.path);
      const isCopy = isFragment && !isShared && print(other.node) === print(node);
      if (isCopy && other.file !== file) return false;
      if (!isFragment) refused.push(node);
      const kind = isFragment ? "fragment" : "operation";
      const differ = isFragment && !isShared && !isCopy;
      findings.push(
        buildFileFinding("operation/duplicate-name", [kind, name, differ], {
          subject: name,
          place: locateNode(file.path, node.name),
          fix: `the other is ${placeText(locateNode(other.file.path, other.node))}.`,
        }),
      );
      return false;
    }
    if (isFragment) fragments.set(name, { name, file, node });
    else named.set(name, { name, file, node });
    return true;
  }
}

/** Leaves definitions of a file out; an empty list if none are left. */
function filterDefinitions(file: OperationFile, isKept: (node: DefinitionNode) => boolean): OperationFile[] {
  const definitions = file.document.definitions.filter(isKept);
  return definitions.length === 0 ? [] : [{ ...file, document: { ...file.document, definitions } }];
}

/** Joins portable operations and those of a style, without the fragments that only the other style uses. */
function joinSets(portable: OperationSet, ofFiles: OperationSet, code: OperationSet): OperationSet {
  const operations = sortByName([...portable.operations, ...ofFiles.operations]);
  const used = new Set<DefinitionNode>([...operations, ...code.operations].flatMap((each) => each.fragments));
  const shared = portable.files.flatMap((file) =>
    filterDefinitions(file, (node) => node.kind !== Kind.FRAGMENT_DEFINITION || used.has(node)),
  );
  return {
    ...ofFiles,
    files: [...shared, ...ofFiles.files].sort((a, b) => compareCodeUnits(a.path, b.path)),
    operations,
    fragments: new Map(
      [...ofFiles.fragments].filter(([name, { node }]) => used.has(node) || !portable.fragments.has(name)),
    ),
  };
}

/** Parses a document; null, with a finding, if that fails. */
export function parseFile(source: OperationSource, findings: Finding[]): OperationFile | null {
  if (isTooDeep(source.text)) {
    findings.push(
      buildFileFinding("operation/syntax", [`It is ${TOO_DEEP}`], {
        place: { file: source.path, line: null, column: null },
        fix: FEWER_LEVELS,
      }),
    );
    return null;
  }
  try {
    return { ...source, document: parse(new Source(source.text, source.path)) };
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const { line = null, column = null } = error.locations?.[0] ?? {};
    findings.push(
      buildFileFinding("operation/syntax", [error.message.replace(/^Syntax Error: /, "")], {
        place: { file: source.path, line, column },
        ...(source.text.trim() === "" ? { fix: "the file is empty: write an operation, or delete it." } : {}),
      }),
    );
    return null;
  }
}

const TOO_DEEP = `nested more than ${DEEPEST_DOCUMENT} levels deep.`;
const FEWER_LEVELS = "ask for fewer levels at once.";

/** Joins operations with the fragments they use, in order of name. */
export function withFragments(
  operations: readonly Omit<Operation, "fragments">[],
  fragments: ReadonlyMap<string, Fragment>,
): Operation[] {
  return sortByName(operations).map((operation) => {
    return { ...operation, fragments: usedFragments(operation.node.selectionSet, fragments) };
  });
}
