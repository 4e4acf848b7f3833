import type { PluginFunction, Types } from "@graphql-codegen/plugin-helpers";
import * as typedDocumentNode from "@graphql-codegen/typed-document-node";
import { type ASTNode, buildSchema, type StringValueNode, visit } from "graphql";
import gqlTag from "graphql-tag";
import { docComment } from "../base/doc-comment.ts";
import { surfaceId } from "../project/surface.ts";
import { variablesOfDocument } from "./input-types.ts";
import type { OperationSet } from "./operation-set.ts";
import { authoredDescription } from "./schema-docs.ts";
import { quote } from "./typescript-literal.ts";

// The plugin builds documents by graphql-tag, which warns of fragments of one name: both protocols have a StreamFields.
gqlTag.disableFragmentWarnings();

/**
 * Renders typed documents by the stock plugin. It doubles backslashes in strings, ends them at quotes, and takes two
 * documents for one that differ only in the blanks of a string: placeholders stand for such values while it works.
 */
export async function renderTypedDocuments(set: OperationSet): Promise<string> {
  const values: string[] = [];
  const documents = set.files.map(
    ({ path, document }): Types.DocumentFile => ({
      location: path,
      document: visit(document, createMask(values)),
    }),
  );
  const output = await plugin(NO_SCHEMA, documents, CONFIG, { outputFile: "" });
  const content = typeof output === "string" ? output : output.content;
  return restore(decorate(content.trim(), set), values);
}

const plugin: PluginFunction = typedDocumentNode.plugin;

/** What documents are does not depend on it. */
const NO_SCHEMA = buildSchema("type Query { none: Boolean }");

const CONFIG = {
  // Names as the operations have them: any other convention lets two of them collide.
  namingConvention: "keep",
  // One literal a document: what is not imported falls away without a bundler plugin.
  documentMode: "documentNode",
  dedupeFragments: true,
  optimizeDocumentNode: true,
};

/** Servers do not know descriptions in operations yet, and programs do not need them. */
function createMask(values: string[]) {
  return {
    enter: (node: ASTNode & { readonly description?: StringValueNode | undefined }) => {
      if (node.kind === "StringValue") {
        if (SAFE.test(node.value) && node.block !== true) return undefined;
        return { ...node, block: false, value: `lockflow:${values.push(node.value) - 1}:` };
      }
      if (node.description === undefined) return undefined;
      const { description, ...rest } = node;
      return rest;
    },
  };
}

/** Nothing that any notation escapes, no blanks, and not the colon of a placeholder. */
const SAFE = /^[\w.#@/+=-]*$/;

/** Documents get the types of this module, and what their authors say of operations stands above them, too. */
function decorate(content: string, set: OperationSet): string {
  const byDocument = new Map(set.operations.map((operation) => [`${operation.name}Document`, operation]));
  return content.replaceAll(DOCUMENT, (_, name: string, value: string, result: string, variables: string) => {
    const operation = byDocument.get(name);
    const comment = operation ? docComment(authoredDescription(operation.node), "") : "";
    const types = `${result}, ${operation ? variablesOfDocument(operation) : variables}, "${surfaceId(set)}"`;
    return `${comment}export const ${name} = ${value} as unknown as TypedDocumentNode<${types}>;`;
  });
}

/** A document is a line, because the line breaks of strings are escaped or masked. */
const DOCUMENT = /^export const (\w+) = (.*) as unknown as DocumentNode<(\w+), ?(\w+)>;$/gm;

function restore(text: string, values: readonly string[]): string {
  return text.replaceAll(/"lockflow:(\d+):"/g, (_, index: string) => quote(values[Number(index)]));
}
