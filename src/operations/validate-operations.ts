import {
  type ASTNode,
  type DefinitionNode,
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  NoUnusedVariablesRule,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { locateNode } from "../dialects/locate.ts";
import { surfaceId } from "../dialects/surface.ts";
import { OPERATION_RULES, validateDocuments } from "../dialects/validate-documents.ts";
import { buildFileFinding } from "../report/codes/files.ts";
import { type Finding, uniqueFindings } from "../report/finding.ts";
import type { Operation, OperationSet } from "./operation-set.ts";
import { describeReplacements } from "./variable-types.ts";

/** Validates all operations of a set against a schema; every error is placed in its file. */
export function validateOperations(set: OperationSet, schema: GraphQLSchema): Finding[] {
  const fragments = [...set.fragments.values()].map(({ node }) => node);
  const errors = validateDocuments(schema, { operations: set.operations, fragments }, OPERATION_RULES);
  if (errors.length === 0) return withoutRoot(set, schema);
  // An error does not say which rule it is of.
  const unused = new Set(validate(schema, wholeDocument(set), [NoUnusedVariablesRule]).flatMap(nodeOf));
  const fixes = describeReplacements(set.operations, schema);
  const invalid = errors.map((error) => {
    const [node] = error.nodes ?? [];
    const owner = ownerOf(error, [...set.operations, ...set.fragments.values()]);
    const fix = fixes.get(node) ?? owner?.file.hint;
    const rest = {
      subject: owner?.name ?? "an operation",
      place: node?.loc ? locateNode(node.loc.source.name, node) : null,
    };
    const [only] = nodeOf(error);
    return only?.kind === Kind.VARIABLE_DEFINITION && unused.has(only)
      ? buildFileFinding("operation/unused-variable", [only.variable.name.value], rest)
      : buildFileFinding("operation/invalid", [error.message], {
          ...rest,
          ...(fix !== undefined && { fix }),
        });
  });
  // A variable of a wrong type is wrong wherever it is used.
  return [...withoutRoot(set, schema), ...uniqueFindings(invalid)];
}

/** The node that an error is about; none where it is about several, or the document. */
function nodeOf({ nodes = [] }: GraphQLError): readonly ASTNode[] {
  return nodes.length === 1 ? nodes : [];
}

/** What `validate` passes over: a mutation of a schema that has none has no type to be judged by. */
function withoutRoot(set: OperationSet, schema: GraphQLSchema): Finding[] {
  return set.operations
    .filter(({ node }) => !schema.getRootType(node.operation))
    .map(({ name, file, node }) =>
      buildFileFinding("operation/no-root", [surfaceId(set), node.operation], {
        subject: name,
        place: locateNode(file.path, node),
        ...(file.hint === undefined ? {} : { fix: file.hint }),
      }),
    );
}

/** The operations of a set that a schema, such as a variant of the snapshot, does not accept. */
export function invalidOperations(set: OperationSet, schema: GraphQLSchema): Operation[] {
  const isValid = (document: DocumentNode) =>
    validate(schema, document, OPERATION_RULES, { maxErrors: 1 }).length === 0;
  const roots = withoutRoot(set, schema);
  if (roots.length === 0 && isValid(wholeDocument(set))) return [];
  return set.operations.filter(
    ({ name, node, fragments }) =>
      roots.some(({ subject }) => subject === name) ||
      !isValid({ kind: Kind.DOCUMENT, definitions: [node, ...fragments] }),
  );
}

function wholeDocument(set: OperationSet): DocumentNode {
  return {
    kind: Kind.DOCUMENT,
    definitions: [...set.operations, ...set.fragments.values()].map(({ node }) => node),
  };
}

/** Returns the definition that an error is in. */
export function ownerOf<T extends { readonly node: DefinitionNode }>(
  { nodes = [] }: GraphQLError,
  definitions: readonly T[],
): T | undefined {
  const { start = -1, source } = nodes[0]?.loc ?? {};
  return definitions.find(
    ({ node: { loc } }) => loc && loc.source === source && loc.start <= start && start < loc.end,
  );
}

/** A variant of a snapshot, and the keys of the chains that serve it. */
export type ServedVariant = { readonly chains: readonly string[]; readonly schema: () => GraphQLSchema };

/**
 * Finds the chains whose variant of the snapshot does not accept an operation, by its name. Operations that every variant
 * accepts have no entry.
 *
 * @param sets operations that the snapshot itself accepts.
 */
export function findMissingChains(
  sets: readonly OperationSet[],
  variants: readonly ServedVariant[],
): ReadonlyMap<string, readonly string[]> {
  const missing = new Map<string, string[]>();
  for (const { chains, schema } of variants) {
    for (const { name } of sets.flatMap((set) => invalidOperations(set, schema()))) {
      missing.set(name, [...(missing.get(name) ?? []), ...chains]);
    }
  }
  return missing;
}

/** Counts the fields and arguments of a document that a schema has. */
export function countKnown(schema: GraphQLSchema, document: DocumentNode): number {
  const info = new TypeInfo(schema);
  let count = 0;
  visit(
    document,
    visitWithTypeInfo(info, {
      Field: () => {
        if (info.getFieldDef()) count++;
      },
      Argument: () => {
        if (info.getArgument()) count++;
      },
    }),
  );
  return count;
}
