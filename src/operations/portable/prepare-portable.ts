import { type DefinitionNode, type FragmentSpreadNode, Kind, parse, Source, visit } from "graphql";
import type { Memo } from "../../base/collections.ts";
import { AUTHORED_STYLE } from "../../dialects/portable-style.ts";
import type { ResolvedProtocol } from "../../dialects/protocol.ts";
import type { Protocol, StyleName } from "../../dialects/surface.ts";
import { type Finding, isBreaking } from "../../report/finding.ts";
import type { Snapshot } from "../../workspace/snapshot.ts";
import type { SchemaCache } from "../../workspace/workspace.ts";
import type { Fragment, Operation, OperationFile, OperationSet, OperationSource } from "../operation-set.ts";
import { parseOperations, withFragments } from "../parse-operations.ts";
import { type CompiledOperations, compileOperations, type PortableContext } from "./compile-operations.ts";
import type { CompiledOperation } from "./compiled-operation.ts";

/** The portable operations of a protocol in the forms of both styles. */
export type PreparedPortable = {
  readonly protocol: Protocol;
  /** In order of name; without those that are refused. */
  readonly compiled: readonly CompiledOperation[];
  /** What they were compiled with. */
  readonly context: PortableContext;
  /** As they are written. */
  readonly authored: OperationSet;
  /**
   * What each style has of them: without what is refused or, where anything is, all as it is written, for the style that
   * it is written for.
   */
  readonly sets: { readonly [S in StyleName]: OperationSet };
  readonly findings: readonly Finding[];
  /** Whether findings say that nothing can be generated. */
  readonly isBroken: boolean;
};

/**
 * Parses the portable operations of a protocol, and compiles them for both styles.
 *
 * @param inCode the code that may use its fragments.
 */
export function preparePortable(
  inputs: PortableInputs,
  definition: ResolvedProtocol,
  inCode: readonly { readonly text: string }[],
  schemas: SchemaCache,
  memo: Memo,
): PreparedPortable {
  const { protocol, sources, snapshots, users } = inputs;
  const ingredients = [
    JSON.stringify(definition),
    ...sources.flatMap(({ path, text }) => [path, text]),
    ...Object.values(snapshots).map(({ base }) => base.text),
  ];
  const parsed = memo(`portable ${protocol}`, ingredients, () => prepare(inputs, definition, schemas));
  const unused = parsed.unused.length === 0 ? [] : withoutUsed(parsed.unused, parsed.authored, users, inCode);
  if (unused.length === 0) return parsed;
  return { ...parsed, findings: [...parsed.findings, ...unused], isBroken: true };
}

/** What does not depend on the folders of the styles. */
type ParsedPortable = PreparedPortable & {
  /** The findings of fragments that no portable operation uses. */
  readonly unused: readonly Finding[];
};

function prepare(
  { protocol, sources, snapshots }: PortableInputs,
  definition: ResolvedProtocol,
  schemas: SchemaCache,
): ParsedPortable {
  const { set, findings } = parseOperations(sources, protocol, AUTHORED_STYLE);
  const unused = findings.filter(({ code }) => code === "operation/unused-fragment");
  const mistakes = findings.filter((finding) => !unused.includes(finding));
  const context = buildContext(definition, snapshots, schemas);
  const parsed = { protocol, context, authored: set, unused };
  // Of a name that is there twice nobody knows which is meant.
  if (mistakes.length > 0) {
    const none = { protocol, files: [], operations: [], fragments: new Map() };
    const sets = {
      multichain: { ...none, style: "multichain" },
      subgraph: { ...none, style: "subgraph" },
      [AUTHORED_STYLE]: set,
    } as const;
    return { ...parsed, compiled: [], sets, findings: mistakes, isBroken: true };
  }
  const compiled = compileSet(set, context);
  const isBroken = compiled.findings.some(isBreaking);
  return {
    ...parsed,
    compiled: compiled.operations,
    sets: {
      multichain: styleSet("multichain"),
      subgraph: styleSet("subgraph"),
      ...(isBroken && { [AUTHORED_STYLE]: set }),
    },
    findings: compiled.findings,
    isBroken,
  };

  /** What was compiled for a style, in the files of the authors. */
  function styleSet(style: StyleName): OperationSet {
    const nodes = new Map<string, DefinitionNode>([
      ...compiled.operations.map(({ name, documents }) => [`query ${name}`, documents[style].node] as const),
      ...compiled.fragments[style].map((node) => [`fragment ${node.name.value}`, node] as const),
    ]);
    const files = set.files.map((file): OperationFile => {
      const definitions = file.document.definitions.flatMap((node) => nodes.get(keyOf(node)) ?? []);
      return { ...file, document: { ...file.document, definitions } };
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

function keyOf(node: DefinitionNode): string {
  if (node.kind === Kind.FRAGMENT_DEFINITION) return `fragment ${node.name.value}`;
  return node.kind === Kind.OPERATION_DEFINITION ? `query ${node.name?.value}` : node.kind;
}

/** Takes out the findings of fragments that the folders of the styles or code use. */
function withoutUsed(
  unused: readonly Finding[],
  { fragments }: OperationSet,
  users: readonly OperationSource[],
  inCode: readonly { readonly text: string }[],
): readonly Finding[] {
  const used = new Set<string>();
  const visitor = {
    FragmentSpread({ name: { value } }: FragmentSpreadNode) {
      const fragment = fragments.get(value);
      if (used.has(value) || !fragment) return;
      used.add(value);
      visit(fragment.node, visitor);
    },
  };
  try {
    for (const { text, path } of users) visit(parse(new Source(text, path)), visitor);
  } catch {
    // Nobody can tell what a file uses that does not parse, and that file has a finding of its own.
    return [];
  }
  for (const { subject } of unused) {
    const spread = new RegExp(`\\.\\.\\.\\s*${subject}\\b`);
    const fragment = fragments.get(subject);
    if (!fragment || used.has(subject) || !inCode.some(({ text }) => spread.test(text))) continue;
    used.add(subject);
    visit(fragment.node, visitor);
  }
  return unused.filter(({ subject }) => !used.has(subject));
}

/** Compiles the operations of a set that is written once for both styles. */
export function compileSet(
  { protocol, operations, fragments }: Pick<OperationSet, "protocol" | "operations" | "fragments">,
  context: PortableContext,
): CompiledOperations {
  const sources = {
    protocol,
    operations: operations.map(withPath),
    fragments: [...fragments.values()].map(withPath),
  };
  return compileOperations(sources, context);
}

function withPath<T extends Operation | Fragment>({ file, ...item }: T): Omit<T, "file"> & { path: string } {
  return { ...item, path: file.path };
}

/** Builds what operations are compiled with, of the snapshots of both styles. */
export function buildContext(
  definition: ResolvedProtocol,
  { multichain, subgraph }: PortableInputs["snapshots"],
  schemas: SchemaCache,
): PortableContext {
  const schemasOf = (snapshot: Snapshot) => {
    const { base } = snapshot;
    return { api: schemas.api(base), graphql: schemas.graphql(base), model: schemas.model(snapshot) };
  };
  return { definition, schemas: { multichain: schemasOf(multichain), subgraph: schemasOf(subgraph) } };
}

/** What a protocol has written once for both styles, and what compiling it takes. */
export type PortableInputs = {
  readonly protocol: Protocol;
  readonly sources: readonly OperationSource[];
  /** Both are needed, also where a run is about one style. */
  readonly snapshots: {
    readonly [S in StyleName]: Snapshot;
  };
  /** What is in the folders of the styles, which may use its fragments. */
  readonly users: readonly OperationSource[];
};
