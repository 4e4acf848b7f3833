import { type DocumentNode, Kind } from "graphql";
import { compareCodeUnits } from "../../base/compare-code-units.ts";
import type { ApiSchema } from "../../schema/api-schema.ts";
import { indexSchema } from "../indexed-schema.ts";
import type { AssessedOperation } from "./effect.ts";

/** A schema that some deployments of a fleet serve. */
export type SchemaVariant = {
  readonly hash: string;
  readonly schema: ApiSchema;
  readonly deployments: readonly string[];
};

/** Where an operation is valid. */
export type OperationReach = {
  readonly name: string;
  /** Hashes, in code-unit order, as the names of deployments are. */
  readonly variants: readonly string[];
  readonly deployments: readonly string[];
  readonly refused: readonly {
    readonly variant: string;
    readonly deployments: readonly string[];
    readonly reason: string;
  }[];
};

/** Finds on which variants of a fleet's schema each operation is valid. */
export function operationsOnVariants(
  operations: readonly AssessedOperation[],
  variants: readonly SchemaVariant[],
): OperationReach[] {
  const documents = operations.map(({ document }) => document);
  const sorted = [...variants]
    .sort((a, b) => compareCodeUnits(a.hash, b.hash))
    .map((variant) => ({ variant, reasons: reasonsAgainst(documents, variant.schema) }));
  return operations.map((operation, index) => {
    const judged = sorted.map(({ variant, reasons }) => ({ variant, reason: reasons[index] ?? null }));
    const valid = judged.filter(({ reason }) => reason === null).map(({ variant }) => variant);
    return {
      name: operation.name,
      variants: valid.map(({ hash }) => hash),
      deployments: valid.flatMap(({ deployments }) => deployments).sort(compareCodeUnits),
      refused: judged.flatMap(({ variant, reason }) => {
        const deployments = [...variant.deployments].sort(compareCodeUnits);
        return reason === null ? [] : [{ variant: variant.hash, deployments, reason }];
      }),
    };
  });
}

/** For each document the first reason why it is not valid, or null. */
function reasonsAgainst(documents: readonly DocumentNode[], schema: ApiSchema): (string | null)[] {
  const index = indexSchema(schema);
  const errors = index.validate(documents);
  return documents.map(({ definitions }, position) => {
    for (const node of definitions) {
      // Validation passes over what has no type to be judged by.
      if (node.kind === Kind.OPERATION_DEFINITION && index.root(node.operation) === null) {
        return `The schema has no ${node.operation}s.`;
      }
    }
    return errors[position]?.[0]?.message ?? null;
  });
}
