import {
  type DefinitionNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  parse,
  print,
  type SelectionSetNode,
  Source,
} from "graphql";
import { compareCodeUnits } from "../base/compare-code-units.ts";
import type { Protocol, StyleName } from "../project/vocabulary.ts";
import { buildFileFinding } from "../report/build-file-finding.ts";
import { placeText } from "../report/describe-finding.ts";
import type { Finding } from "../report/finding.ts";
import { DEEPEST_DOCUMENT, isTooDeep } from "../schema/is-too-deep.ts";
import type { OperationSource } from "./generation-inputs.ts";
import {
  type Fragment,
  type Operation,
  type OperationFile,
  type OperationSet,
  placeOf,
} from "./operation-set.ts";

/**
 * Parses operation files into a set. What is wrong with them alone, without a schema, becomes findings: syntax,
 * anonymous operations, one name for two things, fragments nobody uses. One fragment may be written in several files.
 */
export function parseOperations(
  sources: readonly OperationSource[],
  protocol: Protocol,
  style: StyleName,
): { readonly set: OperationSet; readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  // Fragments that say in another file what one of their name says already.
  const repeated = new Set<DefinitionNode>();
  const files = sources.flatMap((source) => {
    const file = parseFile(source, findings);
    return file ? [file] : [];
  });
  const fragments = new Map<string, Fragment>();
  const named = new Map<string, { readonly file: OperationFile; readonly node: DefinitionNode }>();
  for (const file of files) {
    for (const node of file.document.definitions) {
      if (node.kind !== Kind.OPERATION_DEFINITION && node.kind !== Kind.FRAGMENT_DEFINITION) {
        findings.push(buildFileFinding("operation/not-executable", [], { place: placeOf(file.path, node) }));
        continue;
      }
      if (!node.name) {
        findings.push(buildFileFinding("operation/anonymous", [], { place: placeOf(file.path, node) }));
        continue;
      }
      const name = node.name.value;
      const kind = node.kind === Kind.FRAGMENT_DEFINITION ? "fragment" : "operation";
      const other = named.get(`${kind} ${name}`);
      const isCopy = other !== undefined && kind === "fragment" && isSame(other.node, node);
      if (isCopy && other.file !== file) {
        repeated.add(node);
        continue;
      }
      if (other) {
        findings.push(
          buildFileFinding("operation/duplicate-name", [kind, name, kind === "fragment" && !isCopy], {
            subject: name,
            place: placeOf(file.path, node.name),
            fix: `the other is ${placeText(placeOf(other.file.path, other.node))}.`,
          }),
        );
        continue;
      }
      named.set(`${kind} ${name}`, { file, node });
      if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(name, { name, file, node });
    }
  }
  const operations = [...named.values()]
    .flatMap(({ file, node }): Operation[] =>
      node.kind === Kind.OPERATION_DEFINITION && node.name
        ? [{ name: node.name.value, file, node, fragments: usedFragments(node.selectionSet, fragments) }]
        : [],
    )
    .sort((a, b) => compareCodeUnits(a.name, b.name));
  findings.push(...unusedFragments(operations, fragments));
  return {
    set: { protocol, style, files: withoutRepeated(files, repeated), operations, fragments },
    findings,
  };
}

/** Whether two definitions are one, blanks and comments aside. */
function isSame(a: DefinitionNode, b: DefinitionNode): boolean {
  return print(a) === print(b);
}

function withoutRepeated(
  files: readonly OperationFile[],
  repeated: ReadonlySet<DefinitionNode>,
): readonly OperationFile[] {
  if (repeated.size === 0) return files;
  return files.flatMap((file) => {
    const definitions = file.document.definitions.filter((node) => !repeated.has(node));
    return definitions.length === 0 ? [] : [{ ...file, document: { ...file.document, definitions } }];
  });
}

function parseFile(source: OperationSource, findings: Finding[]): OperationFile | null {
  if (isTooDeep(source.text)) {
    findings.push(
      buildFileFinding("operation/syntax", [`It is nested more than ${DEEPEST_DOCUMENT} levels deep.`], {
        place: { file: source.path, line: null, column: null },
        fix: "ask for fewer levels at once.",
      }),
    );
    return null;
  }
  try {
    return { ...source, document: parse(new Source(source.text, source.path)) };
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const place = error.locations?.[0];
    findings.push(
      buildFileFinding("operation/syntax", [error.message.replace(/^Syntax Error: /, "")], {
        place: { file: source.path, line: place?.line ?? null, column: place?.column ?? null },
        ...(source.text.trim() === "" ? { fix: "the file is empty: write an operation, or delete it." } : {}),
      }),
    );
    return null;
  }
}

function usedFragments(
  set: SelectionSetNode,
  fragments: ReadonlyMap<string, Fragment>,
): FragmentDefinitionNode[] {
  const used = new Map<string, FragmentDefinitionNode>();
  const visit = (selections: SelectionSetNode) => {
    for (const selection of selections.selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(selection.name.value);
        if (fragment && !used.has(fragment.name)) {
          used.set(fragment.name, fragment.node);
          visit(fragment.node.selectionSet);
        }
      } else if (selection.selectionSet) visit(selection.selectionSet);
    }
  };
  visit(set);
  return [...used.values()].sort((a, b) => compareCodeUnits(a.name.value, b.name.value));
}

function unusedFragments(
  operations: readonly Operation[],
  fragments: ReadonlyMap<string, Fragment>,
): Finding[] {
  const used = new Set(operations.flatMap((operation) => operation.fragments.map((node) => node.name.value)));
  return [...fragments.values()]
    .filter((fragment) => !used.has(fragment.name))
    .map((fragment) =>
      buildFileFinding("operation/unused-fragment", [fragment.name], {
        subject: fragment.name,
        place: placeOf(fragment.file.path, fragment.node.name),
      }),
    );
}
