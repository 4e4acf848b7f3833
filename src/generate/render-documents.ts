import { type FragmentDefinitionNode, Kind } from "graphql";
import { OperationError } from "../base/errors.ts";
import type { OutputFile } from "../base/output-file.ts";
import { propertyName, typescriptLiteral } from "../base/text.ts";
import { surfaceId } from "../dialects/surface.ts";
import { type Operation, type OperationSet, spreadsOf, usedFragments } from "../operations/operation-set.ts";
import { printDocument } from "../operations/print-document.ts";
import type { Project } from "../project/project.ts";
import { type DocumentsSource, declareTypes } from "./declare-types.ts";
import { renderHeader } from "./format-files.ts";
import { allLeftOut } from "./input-types.ts";
import { renderTrees } from "./render-trees.ts";
import { authoredDescription } from "./schema-docs.ts";
import { fragmentTypeName, resultName } from "./type-names.ts";
import { docComment, renderTypeDeclarations, requireModuleSize } from "./type-tree.ts";

/** Returns the paths of the modules that a surface can have, from the output folder. */
export function documentPaths({ id }: { readonly id: string }): string[] {
  return [`${id}.ts`, `${id}.documents.ts`, `${id}.strings.ts`];
}

/** How the documents of a surface are rendered. */
export type DocumentOptions = Pick<Project, "importExtension" | "documentMode"> & {
  /** The operations whose texts portable operations import. */
  readonly portable: ReadonlySet<string>;
};

/**
 * Renders the modules of a surface: the types, which also export the parsed documents; those documents; and the same
 * documents as strings.
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
  const [typesPath = "", documentsPath = "", stringsPath = ""] = documentPaths({ id });
  const header = renderHeader(` from the ${set.style} operations of ${set.protocol}`);
  const surface = `type Surface = "${id}";\n`;
  const importTypes = `import type * as Types from "./${set.style}${importExtension}";\n`;
  const files: OutputFile[] = [];
  const add = (path: string, parts: readonly string[]) =>
    files.push({ path, content: `${header}\n${parts.join("\n")}` });
  try {
    const { imports, declarations } = declareTypes(source);
    add(typesPath, [
      ...imports,
      ...(isParsed ? [`export * from "./${set.style}.documents${importExtension}";\n`] : []),
      ...(set.operations.some(allLeftOut) ? [OPTIONAL_VARIABLES] : []),
      renderTypeDeclarations(declarations),
    ]);
    if (isParsed) {
      add(documentsPath, [
        importTypes,
        surface,
        TYPED_DOCUMENT_NODE,
        renderTypedDocuments(set),
        renderTypePolicies(source),
      ]);
    }
    if (asStrings.length > 0) {
      add(stringsPath, [
        importTypes,
        surface,
        TYPED_STRING,
        renderStrings({ ...set, operations: asStrings }),
      ]);
    }
    return files;
  } catch (cause) {
    if (cause instanceof OperationError) throw cause;
    throw new OperationError({
      code: "OPERATIONS_NOT_GENERATED",
      sentence: `The types of the operations of ${id} could not be generated.`,
      context: [cause instanceof Error ? cause.message : String(cause)],
      hint: "remove operations one by one to find the one that fails, and report it.",
      cause,
    });
  }
}

/** Renders how Apollo Client identifies rows if one cache holds those of several chains. */
function renderTypePolicies({ cacheKeys = [] }: Pick<DocumentsSource, "cacheKeys">): string {
  const rows = cacheKeys.map(
    ({ name, keyFields }) => `  ${propertyName(name)}: ${typescriptLiteral({ keyFields })},\n`,
  );
  const object = rows.length === 0 ? "{}" : `{\n${rows.join("")}}`;
  return `
/** The \`typePolicies\` of Apollo Client, for a cache with rows of several chains. Other types are identified by their ids. */
export const typePolicies = ${object} as const;
`;
}

/** Fits every release of graphql and its likes: their kinds are enums, or strings, and only `never` is all of them. */
const TYPED_DOCUMENT_NODE = `/** A GraphQL document as a syntax tree. Only its type has its result, its variables and its surface. */
export interface TypedDocumentNode<TResult, TVariables, TSurface extends string = string> {
  readonly kind: never;
  readonly definitions: readonly never[];
  readonly __apiType?: (variables: TVariables) => TResult;
  readonly __surface?: TSurface;
}
`;

/** By its second half graphql-request and its likes see that variables may be left out. */
const OPTIONAL_VARIABLES = `/** The variables of an operation whose variables are all optional. */
export type OptionalVariables<TVariables> = TVariables | Record<keyof TVariables, never>;
`;

const TYPED_STRING = `/** A GraphQL document as a string. Only its type has its result, its variables and its surface. */
export type TypedString<TResult, TVariables, TSurface extends string = string> = string & {
  readonly __apiType?: (variables: TVariables) => TResult;
  readonly __surface?: TSurface;
};
`;

/** Renders the operations as strings that carry their types. Each is a literal, so that bundlers keep only used ones. */
function renderStrings(set: OperationSet): string {
  const documents = set.operations.map((operation) => {
    const { name, node, fragments } = operation;
    const text = templateLiteral(printDocument(node, fragments));
    const comment = docComment(authoredDescription(node), "");
    return `${comment}export const ${name}Document = ${text} as TypedString<${operationTypes(operation)}, Surface>;\n`;
  });
  return documents.join("\n");
}

function templateLiteral(text: string): string {
  return `\`${text.replaceAll(/[\\`]|\$\{/g, "\\$&")}\``;
}

/**
 * Renders typed documents: fragments before those that spread them, then operations, each a syntax tree with all fragments
 * it uses. Documents share the trees of fragments, variables and arguments. Servers do not know descriptions in operations
 * yet, so they become comments.
 */
export function renderTypedDocuments(set: OperationSet): string {
  const definitions = set.files.flatMap(({ document }) => document.definitions);
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  const order = new Map(fragments.map((node, index) => [node, index]));
  const byOrder = (a: FragmentDefinitionNode, b: FragmentDefinitionNode) =>
    (order.get(a) ?? 0) - (order.get(b) ?? 0);
  let length = 0;
  const render = (name: string, trees: readonly string[], types: string) => {
    const list = trees.join();
    length += list.length;
    requireModuleSize(length, name);
    const document = `{kind:"Document",definitions:[${list}]}`;
    return `export const ${name} = ${document} as unknown as TypedDocumentNode<${types}, Surface>;`;
  };
  const operations = new Map(set.operations.map((operation) => [operation.node, operation]));
  const { shared, trees } = renderTrees([...fragments, ...operations.keys()]);
  return [
    ...shared,
    ...fragments.map((node) => `const ${treeName(node)} = ${trees.get(node)};`),
    ...inOrderOfUse(fragments, set.fragments).map((node) => {
      const { value: name } = node.name;
      const used = usedFragments(node.selectionSet, set.fragments).sort(byOrder);
      return render(
        `${name}FragmentDoc`,
        [node, ...used].map(treeName),
        `Types.${fragmentTypeName(name)}, unknown`,
      );
    }),
    ...definitions.flatMap((node) => {
      const operation = node.kind === Kind.OPERATION_DEFINITION ? operations.get(node) : undefined;
      if (!operation) return [];
      const comment = docComment(authoredDescription(operation.node), "");
      const used = [...operation.fragments].sort(byOrder).map(treeName);
      return (
        comment +
        render(
          `${operation.name}Document`,
          [trees.get(operation.node) ?? "", ...used],
          operationTypes(operation),
        )
      );
    }),
  ].join("\n");
}

/**
 * Renders the types of the result and the variables of an operation. graphql-request requires an argument for the variables
 * unless the type says that all of them are optional.
 */
function operationTypes(operation: Operation): string {
  const result = `Types.${resultName(operation)}`;
  const variables = `${result}Variables`;
  return `${result}, ${allLeftOut(operation) ? `Types.OptionalVariables<${variables}>` : variables}`;
}

/** Returns the name of the constant that holds the tree of a fragment: no document ends like this. */
function treeName({ name }: FragmentDefinitionNode): string {
  return `${name.value}Tree`;
}

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
    for (const fragment of below.get(node) ?? []) add(fragment);
    ordered.add(node);
  };
  for (const node of nodes) if (!spread.has(node)) add(node);
  return [...ordered];
}
