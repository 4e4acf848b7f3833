import { docComment } from "../base/doc-comment.ts";
import type { Doc, TypeDeclaration, TypeTree } from "./type-tree.ts";

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
      const inner = `${indent}  `;
      const lines = type.members.map(
        ({ key, type: member, doc }) =>
          `${comment(doc, inner)}${inner}${key}:${isTall(member) ? tallUnion(member, `${inner}  `) : ` ${renderType(member, inner)}`};\n`,
      );
      return `{\n${lines.join("")}${indent}}`;
    }
    case "union":
      return type.parts.map((part) => renderType(part, indent)).join(" | ");
  }
}

type Union = TypeTree & { readonly kind: "union" };

/** Whether the parts of a type stand below each other: there are several objects. */
function isTall(type: TypeTree): type is Union {
  return type.kind === "union" && type.parts.filter(({ kind }) => kind === "object").length > 1;
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
      return `\n${comment(doc, indent)}${indent}| ${renderType(part, `${indent}  `)}`;
    })
    .join("");
}

function comment(doc: Doc | null, indent: string): string {
  return doc === null ? "" : docComment(doc.description, indent, doc.deprecation);
}
