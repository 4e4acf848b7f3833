import { type DefinitionNode, type GraphQLSchema, TypeInfo, visit, visitWithTypeInfo } from "graphql";
import { cached } from "../base/collections.ts";
import type { Pitfalls } from "../dialects/pitfalls.ts";
import { surroundingsOf } from "./find-misreadings.ts";
import type { OperationSet } from "./operation-set.ts";

/** Writes operations so that the platform reads them as they are meant. Their types stay the same. */
export function correctOperations(
  set: OperationSet,
  schema: GraphQLSchema,
  { misread }: Pick<Pitfalls, "misread">,
): OperationSet {
  const conditionOf = (name: string) => set.fragments.get(name)?.node.typeCondition;
  const info = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(info, {
    leave: (part) => {
      const misreading = misread(part, surroundingsOf(info, schema, conditionOf));
      return misreading !== null && "corrected" in misreading ? misreading.corrected : undefined;
    },
  });
  const corrected = new Map<DefinitionNode, DefinitionNode>();
  const correct = <T extends DefinitionNode>(node: T) =>
    cached(corrected, node, () => visit(node, visitor)) as T;
  return {
    ...set,
    files: set.files.map((file) => {
      const definitions = file.document.definitions.map(correct);
      return { ...file, document: { ...file.document, definitions } };
    }),
    operations: set.operations.map((operation) => ({
      ...operation,
      node: correct(operation.node),
      fragments: operation.fragments.map(correct),
    })),
    fragments: new Map(
      [...set.fragments].map(([name, fragment]) => [name, { ...fragment, node: correct(fragment.node) }]),
    ),
  };
}
