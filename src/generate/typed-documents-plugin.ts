import type { CodegenPlugin, Types } from "@graphql-codegen/plugin-helpers";
import * as typedDocumentNode from "@graphql-codegen/typed-document-node";
import { visit } from "graphql";

/**
 * The stock plugin for typed documents, kept from the values of strings: it writes documents as the text of a
 * template literal and parses them again, so that a backslash comes out doubled and a quote ends its string; and
 * it takes two documents for one that differ only in the blanks of a string. Values that could suffer are out of
 * the way while it works.
 */
export const typedDocumentsPlugin: CodegenPlugin = {
  ...typedDocumentNode,
  plugin: async (schema, documents, config, info) => {
    const values: string[] = [];
    const masked = documents.map(
      (file): Types.DocumentFile =>
        file.document
          ? {
              ...file,
              document: visit(file.document, {
                StringValue: (node) =>
                  SAFE.test(node.value) && node.block !== true
                    ? undefined
                    : { ...node, block: false, value: placeholder(values.push(node.value) - 1) },
              }),
            }
          : file,
    );
    const output = await typedDocumentNode.plugin(schema, masked, config, info);
    if (typeof output === "string") return restore(output, values);
    return { ...output, content: restore(output.content, values) };
  },
};

/** Nothing that any notation escapes, no blanks, and not the colon of a placeholder. */
const SAFE = /^[\w.#@/+=-]*$/;

function placeholder(index: number): string {
  return `lockflow:${index}:`;
}

function restore(text: string, values: readonly string[]): string {
  return text.replaceAll(/"lockflow:(\d+):"/g, (_, index: string) =>
    JSON.stringify(values[Number(index)]).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029"),
  );
}
