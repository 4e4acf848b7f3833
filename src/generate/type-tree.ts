/** What a field or a type is documented with. */
export type Doc = {
  readonly description: string | null;
  /** Why it is deprecated; null where it is not. */
  readonly deprecation: string | null;
};

/** A TypeScript type, as far as generated types need it. */
export type TypeTree =
  | { readonly kind: "object"; readonly members: readonly TypeMember[] }
  | { readonly kind: "union"; readonly parts: readonly TypeTree[] }
  | { readonly kind: "array"; readonly item: TypeTree }
  /** A name, a literal, or what a configuration says of a scalar. */
  | { readonly kind: "text"; readonly text: string; readonly doc: Doc | null };

export type TypeMember = {
  /** With the question mark of what may be left out. */
  readonly key: string;
  readonly type: TypeTree;
  readonly doc: Doc | null;
};

export type TypeDeclaration = Omit<TypeMember, "key"> & { readonly name: string };

/** A type that is written as it stands. */
export function textType(text: string, doc: Doc | null = null): TypeTree {
  return { kind: "text", text, doc };
}

/** What may be any of several types; `never` when there are none. Of a text that comes twice the last one counts. */
export function unionType(parts: readonly TypeTree[]): TypeTree {
  const flat = parts
    .flatMap((part) => (part.kind === "union" ? part.parts : [part]))
    .filter((part) => part.kind !== "text" || part.text !== "never");
  const identity = (part: TypeTree) => (part.kind === "text" ? part.text : part);
  // Null and undefined come last, once.
  const last = new Map(flat.map((part, at) => [identity(part), at]));
  const distinct = flat.filter((part, at) => last.get(identity(part)) === at);
  const [only = textType("never")] = distinct;
  return distinct.length > 1 ? { kind: "union", parts: distinct } : only;
}

export const NULL = textType("null");
export const UNDEFINED = textType("undefined");
