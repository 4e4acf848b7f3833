import {
  type ASTNode,
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  validate,
} from "graphql";
import { buildFileFinding } from "../report/build-file-finding.ts";
import type { Finding } from "../report/finding.ts";
import { OPERATION_RULES } from "../schema/operation-rules.ts";
import { type Operation, type OperationSet, placeOf } from "./operation-set.ts";

/** Validates all operations of a set against a schema; every error is placed in its file. */
export function validateOperations(set: OperationSet, schema: GraphQLSchema): Finding[] {
  return [
    ...withoutRoot(set, schema),
    ...validate(schema, wholeDocument(set), OPERATION_RULES).map((error) => toFinding(error, set)),
  ];
}

/** What `validate` passes over: a mutation of a schema that has none has no type to be judged by. */
function withoutRoot(set: OperationSet, schema: GraphQLSchema): Finding[] {
  return set.operations
    .filter(({ node }) => !schema.getRootType(node.operation))
    .map(({ name, file, node }) =>
      buildFileFinding("operation/no-root", [`${set.protocol}/${set.style}`, node.operation], {
        subject: name,
        place: placeOf(file.path, node),
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
    definitions: [
      ...set.operations.map((operation) => operation.node),
      ...[...set.fragments.values()].map((fragment) => fragment.node),
    ],
  };
}

function toFinding(error: GraphQLError, set: OperationSet): Finding {
  const [node] = error.nodes ?? [];
  const [location] = error.locations ?? [];
  return buildFileFinding("operation/invalid", [error.message], {
    subject: (node && ownerName(node, set)) ?? "an operation",
    place: error.source
      ? { file: error.source.name, line: location?.line ?? null, column: location?.column ?? null }
      : null,
  });
}

/** The operation or fragment a node stands in, found by its place in the file. */
function ownerName(node: ASTNode, set: OperationSet): string | null {
  const file = node.loc?.source.name;
  const start = node.loc?.start ?? -1;
  const owners = [...set.operations, ...set.fragments.values()];
  const owner = owners.find(
    ({ node: { loc }, file: { path } }) => path === file && loc && loc.start <= start && start < loc.end,
  );
  return owner?.name ?? null;
}
