import { Kind, type ValueNode } from "graphql";
import { plainFloat } from "../query-value.ts";

/** A value as the server's parser prints it, which is not always as it was written. */
export function printValue(node: ValueNode): string {
  switch (node.kind) {
    case Kind.VARIABLE:
      return `$${node.name.value}`;
    case Kind.INT:
      return String(BigInt(node.value));
    case Kind.FLOAT:
      return plainFloat(Number(node.value));
    case Kind.STRING:
      return printString(node.value);
    case Kind.BOOLEAN:
      return String(node.value);
    case Kind.NULL:
      return "null";
    case Kind.ENUM:
      return node.value;
    case Kind.LIST:
      return `[${node.values.map(printValue).join(", ")}]`;
    case Kind.OBJECT:
      return `{${node.fields.map((field) => `${field.name.value}: ${printValue(field.value)}`).join(", ")}}`;
  }
}

/** Text of several lines is printed as a block, unless it holds what a block cannot show. */
function printString(text: string): string {
  if (text.includes("\n") && !UNPRINTABLE.test(text)) {
    const lines = text.replace(/\n$/, "").split("\n");
    const body = lines.map((line) => (line.trim() === "" ? "" : `  ${line.replaceAll('"""', '\\"""')}`));
    return `"""\n${body.join("\n")}\n"""`;
  }
  return `"${text.replaceAll(/["\\\r\n\t]|[^\u0020-\uFFFF]|[\u{10000}-\u{10FFFF}]/gu, escapeCharacter)}"`;
}

function escapeCharacter(character: string): string {
  return ESCAPES[character] ?? `\\u${String(character.codePointAt(0) ?? 0).padStart(4, "0")}`;
}

/** All that is neither a line end, a tabulator nor between a blank and U+FFFF. */
const UNPRINTABLE = /[^\n\r\t\u0020-\uFFFF]|[\u{10000}-\u{10FFFF}]/u;

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};
