import { type DefinitionNode, type ExecutableDefinitionNode, Kind, parse, Source } from "graphql";
import { AUTHORED_STYLE } from "../../dialects/portable-style.ts";
import type { Protocol, StyleName } from "../../dialects/surface.ts";
import { type Finding, isBreaking } from "../../report/finding.ts";
import {
  type Fragment,
  type OperationFile,
  type OperationSet,
  type OperationSource,
  usedFragments,
  wholePart,
} from "../operation-set.ts";
import { parseOperations, withFragments } from "../parse-operations.ts";
import { compileOperations } from "./compile-operations.ts";
import { type CompiledOperation, hasText } from "./compiled-operation.ts";
import type { PortableContext } from "./read-entities.ts";

/** The portable operations of a protocol in the forms of both styles. */
export type PreparedPortable = {
  readonly protocol: Protocol;
  /** In order of name, without refused ones. */
  readonly compiled: readonly CompiledOperation[];
  /** The context of their compilation. */
  readonly context: PortableContext;
  /** The authored operations. */
  readonly authored: OperationSet;
  /**
   * The operations of each style. If any is refused, the authored style has all of them unchanged.
   */
  readonly sets: { readonly [S in StyleName]: OperationSet };
  readonly findings: readonly Finding[];
  /** The findings of fragments that no portable operation uses. Files of the styles and code may use them. */
  readonly unused: readonly Finding[];
  /** Whether findings prevent the generation. */
  readonly isBroken: boolean;
};

/** Parses the portable operations of a protocol, and compiles them for both styles. */
export function preparePortable(
  sources: readonly OperationSource[],
  context: PortableContext,
): PreparedPortable {
  const protocol = context.definition.key;
  const { set, findings } = parseOperations(sources, { protocol, style: AUTHORED_STYLE });
  const unused = findings.filter(({ code }) => code === "operation/unused-fragment");
  const mistakes = findings.filter((finding) => !unused.includes(finding));
  // After a syntax error, the rest may have errors too.
  const isPartial = mistakes.some(({ code }) => code === "operation/syntax");
  const result = compileOperations(isPartial ? wholePart(set) : set, context);
  // With a duplicate name, the intended one is unknown.
  const { operations: compiled, fragments: compiledFragments } = mistakes.length > 0 ? NOTHING : result;
  const isBroken = mistakes.length > 0 || result.findings.some(isBreaking);
  return {
    protocol,
    context,
    authored: set,
    unused,
    compiled,
    sets: {
      multichain: styleSet("multichain"),
      subgraph: styleSet("subgraph"),
      ...(isBroken && { [AUTHORED_STYLE]: set }),
    },
    findings: [...mistakes, ...result.findings],
    isBroken,
  };

  /** Returns the compiled operations of a style, in the files of their authors. */
  function styleSet(style: StyleName): OperationSet {
    const nodes = new Map<string, DefinitionNode>([
      ...compiled
        .filter((operation) => hasText(operation, style))
        .map(({ name, documents }) => [`query ${name}`, documents[style].node] as const),
      ...compiledFragments[style].map((node) => [`fragment ${node.name.value}`, node] as const),
    ]);
    const files = set.files.flatMap((file): OperationFile[] => {
      const definitions = file.document.definitions.flatMap((node) => nodes.get(keyOf(node)) ?? []);
      return definitions.length === 0 ? [] : [{ ...file, document: { ...file.document, definitions } }];
    });
    const written = files.flatMap((file) => file.document.definitions.map((node) => ({ file, node })));
    const fragments = new Map(
      written.flatMap(({ file, node }): [string, Fragment][] =>
        node.kind === Kind.FRAGMENT_DEFINITION
          ? [[node.name.value, { name: node.name.value, file, node }]]
          : [],
      ),
    );
    const operations = written.flatMap(({ file, node }) =>
      node.kind === Kind.OPERATION_DEFINITION ? [{ name: node.name?.value ?? "", file, node }] : [],
    );
    return { protocol, style, files, operations: withFragments(operations, fragments), fragments };
  }
}

const NOTHING = { operations: [], fragments: { multichain: [], subgraph: [] } };

function keyOf(node: DefinitionNode): string {
  if (node.kind === Kind.FRAGMENT_DEFINITION) return `fragment ${node.name.value}`;
  return node.kind === Kind.OPERATION_DEFINITION ? `query ${node.name?.value}` : node.kind;
}

/**
 * Adds the findings of fragments that nothing uses.
 *
 * @param users the operation files of both styles.
 * @param inCode the code that may use fragments.
 */
export function reportUnusedFragments(
  prepared: PreparedPortable,
  users: readonly OperationSource[],
  inCode: readonly { readonly text: string }[],
): PreparedPortable {
  if (prepared.unused.length === 0) return prepared;
  const used = findUsedFragments(prepared, users, inCode);
  const unused = used === null ? [] : prepared.unused.filter(({ subject }) => !used.has(subject));
  if (unused.length === 0) return prepared;
  return { ...prepared, findings: [...prepared.findings, ...unused], isBroken: true };
}

/** Null where a file does not parse: that file has a finding of its own, and its fragments are unknown. */
function findUsedFragments(
  { unused, authored: { fragments } }: PreparedPortable,
  users: readonly OperationSource[],
  inCode: readonly { readonly text: string }[],
): ReadonlySet<string> | null {
  const used = new Set<string>();
  const add = ({ selectionSet }: ExecutableDefinitionNode) => {
    for (const { name } of usedFragments(selectionSet, fragments)) used.add(name.value);
  };
  try {
    for (const { text, path } of users) {
      for (const node of parse(new Source(text, path)).definitions) if ("selectionSet" in node) add(node);
    }
  } catch {
    return null;
  }
  for (const { subject } of unused) {
    const fragment = fragments.get(subject);
    const spread = new RegExp(`\\.\\.\\.\\s*${subject}\\b`);
    if (!fragment || !inCode.some(({ text }) => spread.test(text))) continue;
    used.add(subject);
    add(fragment.node);
  }
  return used;
}
