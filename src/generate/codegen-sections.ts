import type { Types } from "@graphql-codegen/plugin-helpers";
import type { DocumentNode, GraphQLSchema } from "graphql";
import gqlTag from "graphql-tag";
import { GENERATED_MARK } from "../files/output-file.ts";
import type { EntityEnum } from "../model/entity-model.ts";
import { docComment } from "../utils/doc-comment.ts";
import type { OperationSet } from "./operation-set.ts";
import { renderStrings } from "./render-strings.ts";
import type { ScalarTypes } from "./resolve-scalars.ts";
import type { SchemaDocs } from "./schema-docs.ts";
import { createTypedDocumentsPlugin } from "./typed-documents-plugin.ts";
import { createTypedOperationsPlugin } from "./typed-operations-plugin.ts";

// The plugin builds documents through graphql-tag, which warns when two of them hold fragments of one name; both
// protocols have a StreamFields of their own.
gqlTag.disableFragmentWarnings();

/** All that decides the documents of one protocol and style. */
export type SectionInput = {
  readonly set: OperationSet;
  /** As much of the schema as the operations use. */
  readonly schema: GraphQLSchema;
  /** The same as a syntax tree; the plugins want both. */
  readonly schemaDocument: DocumentNode;
  readonly scalars: ScalarTypes;
  /** The whole schema, and what is known of it. */
  readonly wholeSchema: GraphQLSchema;
  readonly docs: SchemaDocs;
};

/**
 * The two outputs of a protocol and style as sections of GraphQL Code Generator: typed documents by the stock
 * plugins, strings by ours.
 */
export function codegenSections(input: SectionInput): Types.GenerateOptions[] {
  const { set, schema, schemaDocument, scalars } = input;
  const shared = {
    schema: schemaDocument,
    schemaAst: schema,
    documents: set.files.map((file) => ({ location: file.path, document: file.document, rawSDL: file.text })),
    // Done before, across files and with their places; the snapshot is what it is checked against.
    config: { ...pluginConfig(scalars), skipDocumentsValidation: true },
  };
  return [
    {
      ...shared,
      filename: `${set.protocol}/${set.style}.ts`,
      plugins: [{ header: {} }, { typescriptOperations: {} }, { typedDocumentNode: {} }],
      pluginMap: {
        header: { plugin: () => ({ prepend: [renderHeader(set)], content: renderEnums(scalars.enums) }) },
        typescriptOperations: createTypedOperationsPlugin({
          set,
          schema: input.wholeSchema,
          docs: input.docs,
        }),
        typedDocumentNode: createTypedDocumentsPlugin(set),
      },
    },
    {
      ...shared,
      filename: `${set.protocol}/${set.style}.strings.ts`,
      plugins: [{ strings: {} }],
      pluginMap: { strings: { plugin: () => `${renderHeader(set)}\n${renderStrings(set)}` } },
    },
  ];
}

function pluginConfig(scalars: ScalarTypes): Record<string, unknown> {
  const types = Object.fromEntries(
    [...scalars.types].map(([name, type]) => [name, { input: type, output: type }]),
  );
  return {
    scalars: { ID: { input: "string", output: "string" }, ...types },
    // Names as the schema has them: any other convention lets two of them collide.
    namingConvention: "keep",
    enumType: "string-literal",
    useTypeImports: true,
    // One literal a document: what is not imported falls away without a bundler plugin.
    documentMode: "documentNode",
    dedupeFragments: true,
    optimizeDocumentNode: true,
  };
}

function renderHeader({ protocol, style }: OperationSet): string {
  return `// ${GENERATED_MARK} from the ${style} operations of ${protocol}. Do not edit; run \`lockflow generate\`.`;
}

function renderEnums(enums: readonly EntityEnum[]): string {
  return enums
    .map(({ name, description, values }) => {
      const members = (values ?? []).map(
        (value) => `${docComment(value.description, "  ")}  | ${JSON.stringify(value.name)}`,
      );
      return `${docComment(description, "")}export type ${name} =\n${members.join("\n")};\n`;
    })
    .join("\n");
}
