import { OperationError } from "../base/errors.ts";

/** The documentation of a field or a type. */
export type Doc = {
  readonly description: string | null;
  /** The reason of its deprecation; null if it is not deprecated. */
  readonly deprecation: string | null;
};

/** A TypeScript type, as far as generated types need it. */
export type TypeTree =
  | ObjectType
  | { readonly kind: "union"; readonly parts: readonly TypeTree[] }
  /** The intersection of the named types and `rest`, which may have no members. */
  | { readonly kind: "intersection"; readonly names: readonly string[]; readonly rest: ObjectType }
  | { readonly kind: "array"; readonly item: TypeTree }
  /** A name, a literal, or the configured type of a scalar. */
  | { readonly kind: "text"; readonly text: string; readonly doc: Doc | null };

type ObjectType = { readonly kind: "object"; readonly members: readonly TypeMember[] };

export type TypeMember = {
  /** Ends with a question mark if the member is optional. */
  readonly key: string;
  readonly type: TypeTree;
  readonly doc: Doc | null;
};

export type TypeDeclaration = Omit<TypeMember, "key"> & { readonly name: string };

/** Creates a type that is written verbatim. */
export function textType(text: string, doc: Doc | null = null): TypeTree {
  return { kind: "text", text, doc };
}

/** Creates a union of types; `never` if there are none. Of duplicate texts, the last one counts. */
export function unionType(parts: readonly TypeTree[]): TypeTree {
  const flat = parts
    .flatMap((part) => (part.kind === "union" ? part.parts : [part]))
    .filter((part) => part.kind !== "text" || part.text !== "never");
  const identity = (part: TypeTree) => (part.kind === "text" ? part.text : part);
  // Null and undefined are last, once each.
  const last = new Map(flat.map((part, at) => [identity(part), at]));
  const distinct = flat.filter((part, at) => last.get(identity(part)) === at);
  const [only = textType("never")] = distinct;
  return distinct.length > 1 ? { kind: "union", parts: distinct } : only;
}

export const NULL = textType("null");
export const UNDEFINED = textType("undefined");

/** Renders declarations with their comments, one property per line. */
export function renderTypeDeclarations(declarations: readonly TypeDeclaration[]): string {
  return declarations
    .map(({ name, type, doc }) => {
      const start = `${comment(doc, "")}export type ${name} =`;
      return `${start}${isTall(type) || isEnum(type) ? tallUnion(type, "  ") : ` ${renderType(type, "")}`};\n`;
    })
    .join("\n");
}

/** @param indent of the line that the type begins on. */
export function renderType(type: TypeTree, indent: string): string {
  switch (type.kind) {
    case "text":
      return type.text;
    case "array":
      return isTall(type.item)
        ? `Array<${tallUnion(type.item, `${indent}  `)}\n${indent}>`
        : `Array<${renderType(type.item, indent)}>`;
    case "object": {
      const [first] = type.members;
      if (!first) return "{}";
      // An index signature is written on one line.
      if (first.key.startsWith("[")) return `{ ${first.key}: ${renderType(first.type, indent)} }`;
      const lines = type.members.map((member) => renderMember(member, `${indent}  `));
      return `{\n${lines.join("")}${indent}}`;
    }
    case "intersection": {
      const rest = type.rest.members.length === 0 ? [] : [renderType(type.rest, indent)];
      return [...type.names, ...rest].join(" & ");
    }
    case "union":
      return type.parts.map((part) => renderPart(part, indent)).join(" | ");
  }
}

/** Renders a property with its comment. */
export function renderMember({ key, type, doc }: TypeMember, indent: string): string {
  const value = isTall(type) ? tallUnion(type, `${indent}  `) : ` ${renderType(type, indent)}`;
  return `${comment(doc, indent)}${indent}${key}:${value};\n`;
}

function renderPart(part: TypeTree, indent: string): string {
  const text = renderType(part, indent);
  return part.kind === "intersection" ? `(${text})` : text;
}

type Union = TypeTree & { readonly kind: "union" };

/** Whether the parts of a type are written on separate lines, because several of them are objects. */
function isTall(type: TypeTree): type is Union {
  return type.kind === "union" && type.parts.filter(isObject).length > 1;
}

function isObject({ kind }: TypeTree): boolean {
  return kind === "object" || kind === "intersection";
}

/** Whether a type is an enum, whose values have comments. */
function isEnum(type: TypeTree): type is Union {
  return (
    type.kind === "union" && type.parts.every((part) => part.kind === "text" && part.text.startsWith('"'))
  );
}

function tallUnion(type: Union, indent: string): string {
  return type.parts
    .map((part) => {
      const doc = part.kind === "text" ? part.doc : null;
      return `\n${comment(doc, indent)}${indent}| ${renderPart(part, `${indent}  `)}`;
    })
    .join("");
}

function comment(doc: Doc | null, indent: string): string {
  return doc === null ? "" : docComment(doc.description, indent, doc.deprecation);
}

/** Renders a description as a TSDoc comment with a line feed; "" if there is none. Ends of comments and tags are escaped. */
export function docComment(
  description: string | null,
  indent: string,
  deprecation: string | null = null,
): string {
  const lines = description === null || description.trim() === "" ? [] : textLines(description);
  if (deprecation !== null) {
    const [first = "", ...more] = textLines(deprecation);
    if (lines.length > 0) lines.push("");
    lines.push(`@deprecated ${first}`.trimEnd(), ...more);
  }
  if (lines.length === 0) return "";
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

function textLines(text: string): string[] {
  return text
    .replaceAll("*/", "*\\/")
    .split(/\r\n?|[\n\u2028\u2029]/)
    .map((line) => line.replace(TAG, "$1\\@"));
}

/** Editors read an at sign as a tag wherever it follows a blank, not only at the start of a line. */
const TAG = /(^|[\s\u0085\u200b])@(?=\S)/g;

/** The largest module that compilers can read. Nested fragments under conditions can exceed any size. */
const LARGEST = 20_000_000;

/**
 * Requires that generated text is not too large to be written.
 *
 * @param owner the operation or fragment for which it is generated.
 * @throws OperationError if it is too large.
 */
export function requireModuleSize(length: number, owner: string): void {
  if (length <= LARGEST) return;
  throw new OperationError({
    code: "OPERATIONS_NOT_GENERATED",
    sentence: `The generated code of \`${owner}\` would be larger than ${LARGEST / 1_000_000} MB.`,
    hint: "spread fewer fragments in other fragments: each may be written out wherever it is spread.",
  });
}
