import {
  type ASTNode,
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  NoUnusedVariablesRule,
  validate,
} from "graphql";
import { placeOf } from "../dialects/locate.ts";
import { isOf, surfaceId } from "../dialects/surface.ts";
import { OPERATION_RULES, validateDocuments } from "../dialects/validate-documents.ts";
import { buildFileFinding } from "../report/codes/files.ts";
import { type Finding, uniqueFindings } from "../report/finding.ts";
import type { FleetRow } from "../workspace/read-snapshots.ts";
import type { Snapshot } from "../workspace/snapshot.ts";
import type { SchemaCache } from "../workspace/workspace.ts";
import type { Operation, OperationSet } from "./operation-set.ts";

/** Validates all operations of a set against a schema; every error is placed in its file. */
export function validateOperations(set: OperationSet, schema: GraphQLSchema): Finding[] {
  const fragments = [...set.fragments.values()].map(({ node }) => node);
  const errors = validateDocuments(schema, set.operations, fragments, OPERATION_RULES);
  // An error does not say which rule it is of.
  const unused = new Set(
    errors.length === 0 ? [] : validate(schema, wholeDocument(set), [NoUnusedVariablesRule]).flatMap(nodeOf),
  );
  const invalid = errors.map((error) => toFinding(error, set, unused));
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
        place: placeOf(file.path, node),
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

function toFinding(error: GraphQLError, set: OperationSet, unused: ReadonlySet<ASTNode>): Finding {
  const [node] = error.nodes ?? [];
  const { start = -1, source } = node?.loc ?? {};
  const owner = [...set.operations, ...set.fragments.values()].find(
    ({ node: { loc } }) => loc && loc.source === source && loc.start <= start && start < loc.end,
  );
  const hint = owner?.file.hint;
  const rest = {
    subject: owner?.name ?? "an operation",
    place: node && source ? placeOf(source.name, node) : null,
  };
  const [only] = nodeOf(error);
  return only?.kind === Kind.VARIABLE_DEFINITION && unused.has(only)
    ? buildFileFinding("operation/unused-variable", [only.variable.name.value], rest)
    : buildFileFinding("operation/invalid", [error.message], {
        ...rest,
        ...(hint === undefined ? {} : { fix: hint }),
      });
}

/**
 * Finds the chains that serve a variant of the snapshot for which an operation is not valid, by its name: operations that
 * are valid everywhere have none.
 *
 * @param sets operations of the snapshot's surface, which are valid for the snapshot itself.
 */
export function findMissingChains(
  sets: readonly OperationSet[],
  snapshot: Snapshot,
  rows: readonly FleetRow[],
  schemas: SchemaCache,
): ReadonlyMap<string, readonly string[]> {
  const missing = new Map<string, string[]>();
  const own = rows.filter(isOf(snapshot));
  for (const { path, text } of snapshot.variants) {
    const chains = own.filter((row) => row.snapshot === path).flatMap((row) => row.chains);
    if (chains.length === 0) continue;
    const served = schemas.graphql({ path, text });
    for (const { name } of sets.flatMap((one) => invalidOperations(one, served))) {
      missing.set(name, [...(missing.get(name) ?? []), ...chains]);
    }
  }
  return missing;
}
