import { type DocumentNode, Kind, TypeInfo, visit, visitWithTypeInfo } from "graphql";
import type { ApiSchema } from "../../schema/api-schema.ts";
import { rootTypeNames } from "../../schema/roots.ts";
import { indexSchema } from "../indexed-schema.ts";
import type { Renames } from "../rename-entities.ts";
import type { AssessedOperation } from "./effect.ts";

/** Writes other names into operations, which mean something in `schema`, each at the old one's place. */
export function renameInOperations(
  operations: readonly AssessedOperation[],
  { types, rootFields }: Renames,
  schema: ApiSchema,
): AssessedOperation[] {
  const graphql = indexSchema(schema).graphql();
  const roots = new Set<string | undefined>(rootTypeNames(schema));

  function rename(document: DocumentNode): DocumentNode {
    const typeInfo = new TypeInfo(graphql);
    return visit(
      document,
      visitWithTypeInfo(typeInfo, {
        // On the way out, so that what is within is found by the names that the schema knows.
        leave: (node) => {
          if (node.kind !== Kind.NAMED_TYPE && node.kind !== Kind.FIELD) return undefined;
          const isRootField = node.kind === Kind.FIELD && roots.has(typeInfo.getParentType()?.name);
          const names = node.kind === Kind.NAMED_TYPE ? types : isRootField ? rootFields : null;
          const name = names?.get(node.name.value);
          return name === undefined ? undefined : { ...node, name: { ...node.name, value: name } };
        },
      }),
    );
  }

  return operations.map(({ name, document }) => ({ name, document: rename(document) }));
}

/** Whether an operation asks anywhere for the name of a type. */
export function asksForTypeName(document: DocumentNode): boolean {
  let asks = false;
  visit(document, {
    Field: ({ name }) => {
      if (name.value === "__typename") asks = true;
    },
  });
  return asks;
}
