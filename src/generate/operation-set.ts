import type { ASTNode, DocumentNode, FragmentDefinitionNode, OperationDefinitionNode } from "graphql";
import type { Place } from "../base/place.ts";
import type { OfSurface } from "../project/surface.ts";
import type { OperationSource } from "./generation-inputs.ts";

/** The operations of a surface, parsed. */
export type OperationSet = OfSurface & {
  /** In code-unit order of path. */
  readonly files: readonly OperationFile[];
  /** In order of name. */
  readonly operations: readonly Operation[];
  readonly fragments: ReadonlyMap<string, Fragment>;
};

export type OperationFile = OperationSource & { readonly document: DocumentNode };

export type Operation = {
  readonly name: string;
  readonly file: OperationFile;
  readonly node: OperationDefinitionNode;
  /** Every fragment it uses, directly or not, in order of name. */
  readonly fragments: readonly FragmentDefinitionNode[];
};

export type Fragment = Pick<Operation, "name" | "file"> & { readonly node: FragmentDefinitionNode };

/** Where a node begins in its file. */
export function placeOf(file: string, { loc }: Pick<ASTNode, "loc">): Place {
  return { file, line: loc?.startToken.line ?? null, column: loc?.startToken.column ?? null };
}
