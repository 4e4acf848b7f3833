import type { ASTNode, DocumentNode, FragmentDefinitionNode, OperationDefinitionNode } from "graphql";
import type { Place } from "../base/place.ts";
import type { Protocol, StyleName } from "../project/vocabulary.ts";

/** The operations of one protocol and style, parsed. */
export type OperationSet = {
  readonly protocol: Protocol;
  readonly style: StyleName;
  /** In code-unit order of path. */
  readonly files: readonly OperationFile[];
  /** In order of name. */
  readonly operations: readonly Operation[];
  readonly fragments: ReadonlyMap<string, Fragment>;
};

export type OperationFile = {
  /** From the project's root, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly document: DocumentNode;
};

export type Operation = {
  readonly name: string;
  readonly file: OperationFile;
  readonly node: OperationDefinitionNode;
  /** Every fragment it uses, directly or not, in order of name. */
  readonly fragments: readonly FragmentDefinitionNode[];
};

export type Fragment = {
  readonly name: string;
  readonly file: OperationFile;
  readonly node: FragmentDefinitionNode;
};

/** Where a node begins in its file. */
export function placeOf(file: string, { loc }: Pick<ASTNode, "loc">): Place {
  return { file, line: loc?.startToken.line ?? null, column: loc?.startToken.column ?? null };
}
