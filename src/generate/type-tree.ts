/** What a field or a type is documented with. */
export type Doc = {
  readonly description: string | null;
  /** Why it is deprecated; null where it is not. */
  readonly deprecation: string | null;
};

/** A TypeScript type as the plugins write them. */
export type TypeTree =
  | { readonly kind: "object"; readonly members: readonly TypeMember[] }
  | { readonly kind: "union" | "intersection"; readonly parts: readonly TypeTree[] }
  | { readonly kind: "generic"; readonly name: string; readonly parameters: readonly TypeTree[] }
  /** A name; or a string, with double quotes. */
  | { readonly kind: "text"; readonly text: string; readonly doc: Doc | null };

export type TypeMember = {
  /** With the question mark of what may be left out. */
  readonly key: string;
  readonly type: TypeTree;
  readonly doc: Doc | null;
};

export type TypeDeclaration = {
  readonly name: string;
  readonly exported: boolean;
  readonly type: TypeTree;
  readonly doc: Doc | null;
};
