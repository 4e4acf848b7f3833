import {
  type ASTNode,
  type DefinitionNode,
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  validate,
} from "graphql";
import { OPERATION_RULES } from "../../schema/operation-rules.ts";

/** Validates each document once, new ones together first: setting up the rules takes longest. */
export function createValidator(
  schema: GraphQLSchema,
): (documents: readonly DocumentNode[]) => readonly (readonly GraphQLError[])[] {
  const known = new WeakMap<DocumentNode, readonly GraphQLError[]>();
  const judge = (document: DocumentNode) =>
    validate(schema, document, OPERATION_RULES, { maxErrors: Number.POSITIVE_INFINITY });

  return (documents) => {
    const fresh = documents.filter((document) => !known.has(document));
    const together = fresh.length > 1 ? joinDocuments(fresh) : null;
    const errors = together === null ? null : judge(together);
    for (const document of fresh) {
      // What is wrong with two fragments of a document may be right where it has them.
      const isSuspect = errors === null || errors.some((error) => isWithin(error, document));
      known.set(document, isSuspect ? judge(document) : []);
    }
    return documents.map((document) => known.get(document) ?? []);
  };
}

/** All definitions of the documents; null when two fragments have one name. */
function joinDocuments(documents: readonly DocumentNode[]): DocumentNode | null {
  const definitions = new Set(documents.flatMap((document) => document.definitions));
  const names = new Set<string>();
  for (const definition of definitions) {
    if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    if (names.has(definition.name.value)) return null;
    names.add(definition.name.value);
  }
  return { kind: Kind.DOCUMENT, definitions: [...definitions] };
}

function isWithin({ nodes = [] }: GraphQLError, { definitions }: DocumentNode): boolean {
  return nodes.every((node) => definitions.some((definition) => encloses(definition, node)));
}

/** Decided by the places in the file; a node without one may be anywhere. */
function encloses(definition: DefinitionNode, node: ASTNode): boolean {
  const [outer, inner] = [definition.loc, node.loc];
  if (!outer || !inner) return true;
  return outer.source === inner.source && outer.start <= inner.start && inner.end <= outer.end;
}
