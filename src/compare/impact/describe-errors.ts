import type { ASTNode, DocumentNode, GraphQLError, OperationDefinitionNode } from "graphql";
import type { IndexedSchema } from "../indexed-schema.ts";
import { type Effect, effectAt } from "./effect.ts";
import { type ErrorCause, findErrorCauses } from "./find-error-causes.ts";

/**
 * Says what makes an operation invalid against a schema, and what of the schema it comes from.
 *
 * @param other the schema it is compared with, which knows what is missing.
 */
export function describeErrors(
  errors: readonly GraphQLError[],
  document: DocumentNode,
  operation: OperationDefinitionNode,
  other: IndexedSchema,
  schema: IndexedSchema,
): Effect[] {
  const kind = operation.operation;
  // Validation passes over what has no type to be judged by.
  if (schema.root(kind) === null) {
    return [
      effectAt(operation, {
        impact: "broken",
        coordinates: [kind],
        path: "",
        message: `The schema has no ${kind}s.`,
        fix:
          kind === "subscription"
            ? "ask again in intervals with a query instead."
            : "leave the operation out: nothing can answer it.",
      }),
    ];
  }
  if (errors.length === 0) return [];
  const causes = findErrorCauses(errors, document, other, schema);
  return errors.map((error, index) => toEffect(error, causes[index] ?? NO_CAUSE, operation));
}

const NO_CAUSE: ErrorCause = { node: null, coordinates: [], path: "", fix: "correct the operation." };

function toEffect(error: GraphQLError, cause: ErrorCause, operation: OperationDefinitionNode): Effect {
  const node: ASTNode = cause.node ?? error.nodes?.[0] ?? operation;
  return effectAt(node, {
    impact: "broken",
    // What no coordinate can be given for is about the whole of the operation.
    coordinates: cause.coordinates.length > 0 ? cause.coordinates : [operation.operation],
    path: cause.path,
    message: error.message,
    fix: cause.fix,
  });
}
