import {
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  print,
} from "graphql";
import { readRest } from "../../packages/client/src/calls/cursors.ts";
import { FORMAT } from "../../packages/client/src/client/portable-operation.ts";
import { int, text } from "../../packages/client/src/variables/readers.ts";
import { findNamed } from "../base/collections.ts";
import { OperationError, UsageError } from "../base/errors.ts";
import { displayText } from "../base/text.ts";
import { styles } from "../dialects/index.ts";
import { responseKey } from "../dialects/make-node.ts";
import { AUTHORED_STYLE } from "../dialects/portable-style.ts";
import {
  type Protocol,
  STYLE_NAMES,
  type StyleName,
  type Surface,
  type SurfaceId,
} from "../dialects/surface.ts";
import type { AnyPortableOperation } from "../generate/portable/portable-operation.ts";
import { BLOCK_VARIABLE, hasBlock } from "../generate/portable/portable-plan.ts";
import { chainReader, readersByName } from "../generate/portable/variable-readers.ts";
import { correctOperations } from "../operations/correct-operations.ts";
import type { Operation, OperationFile, OperationSource } from "../operations/operation-set.ts";
import { parseOperations } from "../operations/parse-operations.ts";
import { pinRoot, readStylePage, type StylePage } from "../operations/portable/read-list.ts";
import { printDocument } from "../operations/print-document.ts";
import { findMissingChains, validateOperations } from "../operations/validate-operations.ts";
import { placeText } from "../report/describe-finding.ts";
import type { Finding } from "../report/finding.ts";
import { type CompiledProtocols, compiledSet, servedVariants } from "../workspace/operations.ts";
import { graphqlSchema } from "../workspace/snapshot-schema.ts";
import { requireSnapshot, type Workspace } from "../workspace/workspace.ts";
import type { Scalars } from "./coerce-value.ts";

export type StyleSources = {
  readonly workspace: Workspace;
  /** The documents in code, by surface. */
  readonly inCode: ReadonlyMap<SurfaceId, readonly OperationFile[]>;
  /** Sources that replace files of the operations folder. */
  readonly first: readonly OperationSource[];
  /** The portable operations, whose names are taken and whose fragments may be used. */
  readonly compiled: CompiledProtocols;
};

/** Parses the operations of a surface that are written for its style only, in files or in code. */
export function parseStyleOperations(surface: Surface, { workspace, inCode, first, compiled }: StyleSources) {
  const { protocol, style } = surface;
  const files = workspace.operations(surface.id);
  const sources = [...first, ...files.filter(({ path }) => first.every((source) => source.path !== path))];
  const shared = compiledSet(compiled, surface);
  const documents = inCode.get(surface.id) ?? [];
  const { set, code, findings } = parseOperations(
    sources,
    { protocol, style },
    { inCode: documents, portable: shared },
  );
  const isShared = ({ name }: Operation) => shared !== null && findNamed(shared.operations, name);
  const operations = [...set.operations.filter((operation) => !isShared(operation)), ...code.operations];
  return { set, code, findings, operations };
}

/**
 * Finds the only matching operation of a surface.
 *
 * @throws OperationError if it is not valid, UsageError if none or several match.
 */
export async function findInSurface(
  surface: Surface,
  sources: StyleSources,
  matches: (operation: Operation) => boolean,
): Promise<FoundOperation> {
  const { protocol, style } = surface;
  const { workspace, first } = sources;
  const { set, code, operations, findings } = parseStyleOperations(surface, sources);
  const matching = operations.filter(matches);
  const [file] = first;
  const faults = findings.filter(({ place }) => file !== undefined && place?.file === file.path);
  if (matching.length === 0 && faults.length > 0) return refuseOperation("", faults);
  const only = requireOnly(matching);
  const schema = graphqlSchema(requireSnapshot(workspace, surface).base);
  const { name } = only;
  const ownFragments = new Map(
    [...set.fragments, ...code.fragments].filter(([, fragment]) => only.fragments.includes(fragment.node)),
  );
  const alone = { ...set, files: [], operations: [only], fragments: ownFragments };
  const invalid = validateOperations(alone, schema);
  if (invalid.length > 0) return refuseOperation(name, [...faults, ...invalid]);
  const { node, fragments } = correctOperations(alone, schema, styles[style].pitfalls).operations[0] ?? only;
  const not = findRefusingChains(workspace, protocol, { [style]: only });
  const definition = workspace.project.definitions.find(({ key }) => key === protocol);
  const page = definition ? readStylePage({ node, fragments, schema }, style, definition) : null;
  // Pages are pinned to one block if the style can query past blocks.
  const pinned = page === null ? node : pinRoot(node, styles[style].portable);
  const common = { name, protocol, style, fragments };
  return {
    ...common,
    node,
    schema,
    scalars: styles[style].scalars,
    build: (variables) => buildStyleOperation({ ...common, node: pinned, not, page }, variables),
  };
}

export function requireOnly<T extends { readonly name: string }>(operations: readonly T[]): T {
  const [only, ...others] = operations;
  if (only && others.length === 0) return only;
  throw new UsageError(
    only
      ? {
          sentence: `The file has ${operations.length} operations: ${operations.map(({ name }) => name).join(", ")}.`,
          hint: "move each operation to its own file.",
        }
      : {
          sentence: "The file has no operation.",
          hint: "add a query: fragments alone cannot be run.",
        },
  );
}

/**
 * Builds the operation that the client runs for an operation of one style. Text and variables are sent unchanged; only the
 * variables of its pages are mapped, and read: the others were already checked against the schema of the style.
 */
export function buildStyleOperation(
  written: Pick<FoundOperation, "name" | "protocol" | "node" | "fragments"> & {
    readonly style: StyleName;
    readonly not: NonNullable<AnyPortableOperation["not"]>;
    /** Null if its rows cannot be paged. */
    readonly page: StylePage | null;
  },
  variables: Variables,
): ReturnType<FoundOperation["build"]> {
  const { name, protocol, style, node, fragments, not, page } = written;
  const declared = (node.variableDefinitions ?? []).map(({ variable, type }) => ({
    name: variable.name.value,
    type: print(type),
  }));
  // Cursors are texts, and other variables are not read.
  const readers = declared
    .filter((variable) => ![BLOCK_VARIABLE, ...CHAIN_VARIABLES].includes(variable.name))
    .map((variable) => [variable.name, variable.name === page?.first ? int : text] as const);
  // Every answer has these keys.
  const roots = node.selectionSet.selections.flatMap((selection) =>
    selection.kind === Kind.FIELD && !selection.directives?.length ? [responseKey(selection)] : [],
  );
  const plain = {
    format: FORMAT,
    name,
    protocol,
    not,
    roots,
    multichain: "",
    subgraph: "",
    numbers: null,
    [style]: printDocument(node, fragments),
    variables: Object.fromEntries(readers),
    chainIds: readersByName(
      declared
        .filter((variable) => CHAIN_VARIABLES.includes(variable.name))
        .map((variable) => ({ name: variable.name, ...chainReader(variable.type) })),
    ),
    ...(style === AUTHORED_STYLE && hasBlock(node) && { past: style }),
  } as const;
  if (page === null) return { operation: { ...plain, map: () => ({ ...variables }) }, given: {} };
  const { key, column, after, first, direction, afterType } = page;
  const operation: AnyPortableOperation = {
    ...plain,
    rest: readRest,
    page: { key, cursor: column, after, first, direction, kind: WHOLE.test(afterType) ? "number" : "text" },
    map: (values) => {
      const from = values[after];
      const cursor = afterType === "Int" && from !== undefined ? Number(from) : from;
      return { ...variables, ...values, ...(from === undefined ? {} : { [after]: cursor }) };
    },
  };
  const begin = variables[after];
  return {
    operation,
    given: {
      ...(variables[first] === undefined ? {} : { [first]: variables[first] }),
      ...(begin === undefined ? {} : { [after]: String(begin) }),
    },
  };
}

/** Types of cursors that are compared as numbers. */
const WHOLE = /^(Int8?|BigInt|bigint|numeric)$/;

/** The variables that the client sets. */
export const CHAIN_VARIABLES: readonly string[] = ["chainIds", "chainIdsInt", "chainIdsOne"];

/**
 * Finds the chains whose schema, as last introspected, does not accept an operation, by style. Generated operations list
 * the same chains.
 *
 * @param forms the operation in each style.
 */
export function findRefusingChains(
  workspace: Workspace,
  protocol: Protocol,
  forms: { readonly [S in StyleName]?: Operation },
): NonNullable<AnyPortableOperation["not"]> {
  const chainsByStyle = STYLE_NAMES.flatMap((style) => {
    const operation = forms[style];
    const snapshot = operation ? workspace.snapshot({ protocol, style }) : null;
    if (!operation || !snapshot) return [];
    const { name, file, fragments } = operation;
    const set = {
      protocol,
      style,
      files: [file],
      operations: [operation],
      fragments: new Map(
        fragments.map((node) => [node.name.value, { name: node.name.value, file, node }] as const),
      ),
    };
    const chains = findMissingChains([set], servedVariants(snapshot, workspace.fleet)).get(name) ?? [];
    return chains.length === 0 ? [] : [[style, chains] as const];
  });
  return Object.fromEntries(chainsByStyle);
}

/** An operation to run, with the schema of its variables and answers. */
export type FoundOperation = {
  readonly name: string;
  readonly protocol: Protocol;
  /** The style that it is written for; null if it is portable. */
  readonly style: StyleName | null;
  readonly node: OperationDefinitionNode;
  readonly fragments: readonly FragmentDefinitionNode[];
  readonly schema: GraphQLSchema;
  readonly scalars: Scalars;
  /** Builds the operation that the client runs with these variables. */
  readonly build: (variables: Variables) => {
    readonly operation: AnyPortableOperation;
    readonly given: Variables;
  };
};

type Variables = Readonly<Record<string, unknown>>;

/** Throws an error that lists every finding of an operation. */
export function refuseOperation(name: string, findings: readonly Finding[]): never {
  throw new OperationError({
    code: "OPERATIONS_INVALID",
    sentence: `${name === "" ? "The file" : name} cannot be run: ${findings.length === 1 ? "it has one error" : `it has ${findings.length} errors`}.`,
    context: findings.flatMap(({ place, subject, message, code, fix }) => [
      displayText(`${place ? placeText(place) : subject}  ${message}  [${code}]`, []),
      ...(fix === null ? [] : [`  ${displayText(fix, [])}`]),
    ]),
  });
}
