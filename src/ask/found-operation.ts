import type { FragmentDefinitionNode, GraphQLSchema, OperationDefinitionNode } from "graphql";
import type { AnyPortableOperation } from "../generate/build-portable-operation.ts";
import type { Protocol, StyleName } from "../project/vocabulary.ts";
import type { Scalars } from "./variables/coerce-value.ts";

/** An operation that is to be asked, with what its variables and its answer are read by. */
export type FoundOperation = {
  readonly name: string;
  readonly protocol: Protocol;
  /** The only style that it is written for; null for one that both take. */
  readonly style: StyleName | null;
  /** As it is written. */
  readonly node: OperationDefinitionNode;
  readonly fragments: readonly FragmentDefinitionNode[];
  readonly schema: GraphQLSchema;
  readonly scalars: Scalars;
  /** What is run with these variables. */
  readonly build: (variables: Variables) => {
    readonly operation: AnyPortableOperation;
    readonly given: Variables;
  };
};

type Variables = Readonly<Record<string, unknown>>;
