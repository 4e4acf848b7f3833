import {
  type ASTNode,
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  NoUnusedVariablesRule,
  validate,
} from "graphql";
import { surfaceId } from "../project/surface.ts";
import { buildFileFinding } from "../report/build-file-finding.ts";
import type { Finding } from "../report/finding.ts";
import { uniqueFindings } from "../report/unique-findings.ts";
import { OPERATION_RULES } from "../schema/operation-rules.ts";
import { placeOf } from "../schema/place-of.ts";
import { validateDocuments } from "../schema/validate-documents.ts";
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
