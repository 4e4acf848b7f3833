import { type ExecutableDefinitionNode, type FragmentDefinitionNode, Kind, parse } from "graphql";
import { OperationError } from "../base/errors.ts";
import { escapeSeparators, propertyName, typescriptLiteral } from "../base/text.ts";
import type { OutputFile } from "../base/write-files.ts";
import type { ImportExtension } from "../dialects/surface.ts";
import { surfaceId } from "../dialects/surface.ts";
import { type OperationSet, spreadsOf, usedFragments } from "../operations/operation-set.ts";
import { printDefinition, printDocument } from "../operations/print-document.ts";
import type { Project } from "../project/project.ts";
import { type DocumentsSource, declareTypes } from "./declare-types.ts";
import { renderHeader } from "./format-files.ts";
import { allLeftOut, variablesOfDocument } from "./input-types.ts";
import { authoredDescription } from "./schema-docs.ts";
import { resultName } from "./type-names.ts";
import { docComment, renderTypeDeclarations, requireModuleSize } from "./type-tree.ts";

/** Where the modules of a surface can be, from the output folder. */
export function documentPaths({ id }: { readonly id: string }): [typed: string, strings: string] {
  return [`${id}.ts`, `${id}.strings.ts`];
}

/** How the documents of a surface are rendered. */
export type DocumentOptions = Pick<Project, "importExtension" | "documentMode"> & {
  /** The operations whose texts portable operations import. */
  readonly portable: ReadonlySet<string>;
};

/**
 * Renders the modules of a surface: types with parsed documents, and the same documents as strings.
 *
 * @throws OperationError for a construct that is not known here: the operations are valid by then.
 */
export function renderDocuments(
  source: DocumentsSource,
  { importExtension, documentMode, portable }: DocumentOptions,
): OutputFile[] {
  const { set } = source;
  const isParsed = documentMode !== "string";
  const asStrings =
    documentMode === "documentNode"
      ? set.operations.filter(({ name }) => portable.has(name))
      : set.operations;
  const id = surfaceId(set);
  const header = renderHeader(` from the ${set.style} operations of ${set.protocol}`);
  try {
    const { imports, declarations } = declareTypes(source);
    const typed = [
      [header, ...imports, ...(isParsed ? [TYPED_DOCUMENT_NODE] : [])].join("\n"),
      ...(set.operations.some(allLeftOut) ? [OPTIONAL_VARIABLES] : []),
      renderTypeDeclarations(declarations),
      ...(isParsed ? [renderTypedDocuments(set), renderTypePolicies(source)] : []),
    ];
    const [typedPath, stringsPath] = documentPaths({ id });
    const strings = renderStrings({ ...set, operations: asStrings }, importExtension);
    return [
      { path: typedPath, content: typed.join("\n") },
      ...(asStrings.length > 0 ? [{ path: stringsPath, content: `${header}\n${strings}` }] : []),
    ];
  } catch (cause) {
    if (cause instanceof OperationError) throw cause;
    throw new OperationError({
      code: "OPERATIONS_NOT_GENERATED",
      sentence: `No types could be made of the operations of ${id}.`,
      context: [cause instanceof Error ? cause.message : String(cause)],
      hint: "take the operations out one by one to find the one it is, and report it.",
      cause,
    });
  }
}

/** Renders what Apollo Client needs where one cache holds rows of several chains, as plain data. */
function renderTypePolicies({ cacheKeys = [] }: Pick<DocumentsSource, "cacheKeys">): string {
  const rows = cacheKeys.map(
    ({ name, keyFields }) => `  ${propertyName(name)}: ${typescriptLiteral({ keyFields })},\n`,
  );
  const object = rows.length === 0 ? "{}" : `{\n${rows.join("")}}`;
  return `
/** The \`typePolicies\` of Apollo Client, for a cache with rows of several chains. What is not here is told apart by its id. */
export const typePolicies = ${object} as const;
`;
}

/** Fits every release of graphql and its likes: their kinds are enums, or strings, and only `never` is all of them. */
const TYPED_DOCUMENT_NODE = `/** A GraphQL document as a syntax tree that carries the types of its result and variables. */
export interface TypedDocumentNode<TResult, TVariables, TSurface extends string = string> {
  readonly kind: never;
  readonly definitions: readonly never[];
  /** Is never there: it only holds the types. */
  readonly __apiType?: (variables: TVariables) => TResult;
  /** Is never there: it only says which endpoints answer it. */
  readonly __surface?: TSurface;
}
`;

/** By its second half graphql-request and its likes see that variables may be left out. */
const OPTIONAL_VARIABLES = `/** The variables of an operation that needs none of them: some of them, or none. */
export type OptionalVariables<TVariables> = TVariables | Record<keyof TVariables, never>;
`;

/** Renders the operations as strings that carry their types, each a literal so that a bundler keeps only what is used. */
function renderStrings(set: OperationSet, extension: ImportExtension): string {
  const types = [
    ...(set.operations.some(allLeftOut) ? ["OptionalVariables"] : []),
    ...set.operations.flatMap((operation) => [resultName(operation), `${resultName(operation)}Variables`]),
  ];
  const documents = set.operations.map((operation) => {
    const { name, node, fragments } = operation;
    const types = `${resultName(operation)}, ${variablesOfDocument(operation)}, "${surfaceId(set)}"`;
    const text = templateLiteral(printDocument(node, fragments));
    const comment = docComment(authoredDescription(node), "");
    return `${comment}export const ${name}Document = ${text} as TypedString<${types}>;`;
  });
  return [
    `import type {\n${types.map((type) => `  ${type},`).join("\n")}\n} from "./${set.style}${extension}";`,
    "",
    "/** A GraphQL document as a string that carries the types of its result and variables. */",
    "export type TypedString<TResult, TVariables, TSurface extends string = string> = string & {",
    "  /** Is never there: it only holds the types. */",
    "  readonly __apiType?: (variables: TVariables) => TResult;",
    "  /** Is never there: it only says which endpoints answer it. */",
    "  readonly __surface?: TSurface;",
    "};",
    "",
    documents.join("\n\n"),
    "",
  ].join("\n");
}

function templateLiteral(text: string): string {
  return `\`${text.replaceAll(/[\\`]|\$\{/g, "\\$&")}\``;
}

/**
 * Renders typed documents: fragments before those that spread them, and operations, each a syntax tree with all fragments
 * it uses. Servers do not know descriptions in operations yet, and programs do not need them: they are comments here.
 */
export function renderTypedDocuments(set: OperationSet): string {
  const definitions = set.files.flatMap(({ document }) => document.definitions);
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  const trees = fragments.map(renderTree);
  const places = new Map(fragments.map((node, place) => [node, place]));
  const id = surfaceId(set);
  let length = 0;
  const render = (name: string, tree: string, used: readonly FragmentDefinitionNode[], types: string) => {
    const below = used
      .flatMap((node) => places.get(node) ?? [])
      .sort((a, b) => a - b)
      .map((place) => trees[place] as string);
    for (const { length: more } of below) length += more;
    requireModuleSize(length, name);
    const document = `{"kind":"Document","definitions":[${[tree, ...below].join()}]}`;
    return `export const ${name} = ${document} as unknown as TypedDocumentNode<${types}, "${id}">;`;
  };
  const operations = new Map(set.operations.map((operation) => [operation.node, operation]));
  return [
    ...inOrderOfUse(fragments, set.fragments).map((node) => {
      const { value: name } = node.name;
      const used = usedFragments(node.selectionSet, set.fragments);
      const tree = trees[places.get(node) as number] as string;
      return render(`${name}FragmentDoc`, tree, used, `${name}Fragment, unknown`);
    }),
    ...definitions.flatMap((node) => {
      const operation = node.kind === Kind.OPERATION_DEFINITION ? operations.get(node) : undefined;
      if (!operation) return [];
      const comment = docComment(authoredDescription(operation.node), "");
      const types = `${resultName(operation)}, ${variablesOfDocument(operation)}`;
      return (
        comment + render(`${operation.name}Document`, renderTree(operation.node), operation.fragments, types)
      );
    }),
  ].join("\n");
}

/** A definition as graphql-js parses it, with nothing that is empty. */
function renderTree(node: ExecutableDefinitionNode): string {
  const [parsed] = parse(printDefinition(node), { noLocation: true }).definitions;
  const json = JSON.stringify(parsed, (key, value) =>
    MAY_BE_EMPTY.has(key) && value.length === 0 ? undefined : value,
  );
  return escapeSeparators(json);
}

const MAY_BE_EMPTY: ReadonlySet<string> = new Set(["arguments", "directives", "variableDefinitions"]);

/** Each fragment behind those it spreads, and those that no other spreads first. */
function inOrderOfUse(
  nodes: readonly FragmentDefinitionNode[],
  fragments: OperationSet["fragments"],
): readonly FragmentDefinitionNode[] {
  const below = new Map(
    nodes.map((node) => [
      node,
      spreadsOf(node.selectionSet).flatMap((name) => fragments.get(name)?.node ?? []),
    ]),
  );
  const spread = new Set([...below.values()].flat());
  const ordered = new Set<FragmentDefinitionNode>();
  const add = (node: FragmentDefinitionNode) => {
    if (ordered.has(node)) return;
    for (const one of below.get(node) ?? []) add(one);
    ordered.add(node);
  };
  for (const node of nodes) if (!spread.has(node)) add(node);
  return [...ordered];
}
