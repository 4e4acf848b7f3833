import type { CodegenPlugin, Types } from "@graphql-codegen/plugin-helpers";
import * as typedDocumentNode from "@graphql-codegen/typed-document-node";
import { type ASTNode, type StringValueNode, visit } from "graphql";
import { docComment } from "../utils/doc-comment.ts";
import { authoredDescription } from "./operation-docs.ts";
import type { OperationSet } from "./operation-set.ts";

/**
 * The stock plugin for typed documents, made to need nothing, and kept from the values of strings: it writes documents
 * as the text of a template literal and parses them again, so that a backslash comes out doubled and a quote ends its
 * string; and it takes two documents for one that differ only in the blanks of a string. Values that could suffer are
 * out of the way while it works.
 */
export function createTypedDocumentsPlugin(set: OperationSet): CodegenPlugin {
  return {
    ...typedDocumentNode,
    plugin: async (schema, documents, config, info) => {
      const values: string[] = [];
      const masked = documents.map(
        (file): Types.DocumentFile =>
          file.document ? { ...file, document: visit(file.document, createMask(values)) } : file,
      );
      const output = await typedDocumentNode.plugin(schema, masked, config, info);
      const { prepend = [], content } = typeof output === "string" ? { content: output } : output;
      return {
        prepend: prepend.map((line) => (line.includes(STOCK_MODULE) ? TYPED_DOCUMENT_NODE : line)),
        content: restore(withComments(content.trimStart(), set).replaceAll(STOCK_TYPE, OWN_TYPE), values),
      };
    },
  };
}

const STOCK_MODULE = "@graphql-typed-document-node/core";
const STOCK_TYPE = " as unknown as DocumentNode<";
const OWN_TYPE = " as unknown as TypedDocumentNode<";

/**
 * Has the shape of a document of every release of graphql, and of its likes: their kinds are enums, or strings, and
 * nothing but `never` is all of them.
 */
const TYPED_DOCUMENT_NODE = `/** A GraphQL document as a syntax tree that carries the types of its result and variables. */
export interface TypedDocumentNode<TResult, TVariables> {
  readonly kind: never;
  readonly definitions: readonly never[];
  /** Is never there: it only holds the types. */
  readonly __apiType?: (variables: TVariables) => TResult;
}
`;

/** Servers do not know descriptions in operations yet, and programs do not need them. */
function createMask(values: string[]) {
  return {
    enter: (node: ASTNode & { readonly description?: StringValueNode | undefined }) => {
      if (node.kind === "StringValue") {
        if (SAFE.test(node.value) && node.block !== true) return undefined;
        return { ...node, block: false, value: placeholder(values.push(node.value) - 1) };
      }
      if (node.description === undefined) return undefined;
      const { description, ...rest } = node;
      return rest;
    },
  };
}

/** Nothing that any notation escapes, no blanks, and not the colon of a placeholder. */
const SAFE = /^[\w.#@/+=-]*$/;

function placeholder(index: number): string {
  return `lockflow:${index}:`;
}

/** What their authors say of operations stands above their documents, too. */
function withComments(content: string, { operations }: OperationSet): string {
  const comments = new Map(
    operations.map(({ name, node }) => [`${name}Document`, docComment(authoredDescription(node), "")]),
  );
  return content.replaceAll(
    /^export const (\w+) =/gm,
    (line, name: string) => `${comments.get(name) ?? ""}${line}`,
  );
}

function restore(text: string, values: readonly string[]): string {
  return text.replaceAll(/"lockflow:(\d+):"/g, (_, index: string) =>
    JSON.stringify(values[Number(index)]).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029"),
  );
}
