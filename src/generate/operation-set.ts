import type { DocumentNode, FragmentDefinitionNode, OperationDefinitionNode } from "graphql";
import type { OfSurface } from "../project/surface.ts";
import type { OperationSource } from "./operation-source.ts";

/** The operations of a surface, parsed. */
export type OperationSet = OfSurface & {
  /** In code-unit order of path. */
  readonly files: readonly OperationFile[];
  /** In order of name. */
  readonly operations: readonly Operation[];
  readonly fragments: ReadonlyMap<string, Fragment>;
};

export type OperationFile = OperationSource & {
  readonly document: DocumentNode;
  /** What to tell of its surface where something is wrong with it: absent where that is certain. */
  readonly hint?: string;
};

export type Operation = {
  readonly name: string;
  readonly file: OperationFile;
  readonly node: OperationDefinitionNode;
  /** Every fragment it uses, directly or not, in order of name. */
  readonly fragments: readonly FragmentDefinitionNode[];
};

export type Fragment = Pick<Operation, "name" | "file"> & { readonly node: FragmentDefinitionNode };
