import { OperationError } from "../base/errors.ts";

/** What a field or a type is documented with. */
export type Doc = {
  readonly description: string | null;
  /** Why it is deprecated; null where it is not. */
  readonly deprecation: string | null;
};

/** A TypeScript type, as far as generated types need it. */
export type TypeTree =
  | ObjectType
  | { readonly kind: "union"; readonly parts: readonly TypeTree[] }
  /** What the named types have together, and the members of `rest`, if any. */
  | { readonly kind: "intersection"; readonly names: readonly string[]; readonly rest: ObjectType }
  | { readonly kind: "array"; readonly item: TypeTree }
  /** A name, a literal, or what a configuration says of a scalar. */
  | { readonly kind: "text"; readonly text: string; readonly doc: Doc | null };

type ObjectType = { readonly kind: "object"; readonly members: readonly TypeMember[] };

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

/** Renders declarations with their comments, a property a line. */
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
      // What takes no members is no list of them.
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

/** Whether the parts of a type stand below each other: there are several objects. */
function isTall(type: TypeTree): type is Union {
  return type.kind === "union" && type.parts.filter(isObject).length > 1;
}

function isObject({ kind }: TypeTree): boolean {
  return kind === "object" || kind === "intersection";
}

/** Its values have comments of their own. */
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

/** A server's description as a TSDoc comment with a line feed, or nothing: it ends no comment and holds no tag. */
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

/** Editors take an at sign for a tag wherever it follows a blank, not only at the start of a line. */
const TAG = /(^|[\s\u0085\u200b])@(?=\S)/g;

/** More characters no module has that a compiler can read, and fragments that spread one another have any number. */
const LARGEST = 20_000_000;

/**
 * Requires that what is generated can be written out.
 *
 * @param owner the operation or fragment that it is generated for.
 * @throws OperationError where it is too large.
 */
export function requireModuleSize(length: number, owner: string): void {
  if (length <= LARGEST) return;
  throw new OperationError({
    code: "OPERATIONS_NOT_GENERATED",
    sentence: `What is generated for \`${owner}\` would be larger than ${LARGEST / 1_000_000} MB.`,
    hint: "let fewer fragments spread one another: each is written out wherever it is spread.",
  });
}
