import type { GraphQLSchema } from "graphql";
import { GENERATED_MARK, type OutputFile } from "../base/disk/output-file.ts";
import { declareTypes } from "./declare-types.ts";
import { allLeftOut } from "./input-types.ts";
import type { OperationSet } from "./operation-set.ts";
import { renderStrings } from "./render-strings.ts";
import { renderTypeDeclarations } from "./render-type-declarations.ts";
import { renderTypedDocuments } from "./render-typed-documents.ts";
import type { ScalarTypes } from "./resolve-scalars.ts";
import type { SchemaDocs } from "./schema-docs.ts";

/** All that decides the documents of one protocol and style. */
export type DocumentsSource = {
  readonly set: OperationSet;
  /** The whole schema. */
  readonly schema: GraphQLSchema;
  readonly docs: SchemaDocs;
  readonly scalars: ScalarTypes;
};

/** Renders the two modules of a protocol and style: types with typed documents, and the same documents as strings. */
export async function renderDocuments(source: DocumentsSource): Promise<OutputFile[]> {
  const { set } = source;
  const { imports, declarations } = declareTypes(source);
  const typed = [
    [renderHeader(set), ...imports, TYPED_DOCUMENT_NODE].join("\n"),
    ...(set.operations.some(allLeftOut) ? [OPTIONAL_VARIABLES] : []),
    renderTypeDeclarations(declarations),
    await renderTypedDocuments(set),
  ];
  return [
    { path: `${set.protocol}/${set.style}.ts`, content: typed.join("\n") },
    {
      path: `${set.protocol}/${set.style}.strings.ts`,
      content: `${renderHeader(set)}\n${renderStrings(set)}`,
    },
  ];
}

function renderHeader({ protocol, style }: OperationSet): string {
  return `// ${GENERATED_MARK} from the ${style} operations of ${protocol}. Do not edit; run \`lockflow generate\`.`;
}

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

/** The second half is what graphql-request and its likes look for before they let anybody leave variables out. */
const OPTIONAL_VARIABLES = `/** The variables of an operation that needs none of them: some of them, or none. */
export type OptionalVariables<TVariables> = TVariables | Record<keyof TVariables, never>;
`;
