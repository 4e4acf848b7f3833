import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  buildSchema,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
} from "graphql";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { cached } from "../src/base/collections.ts";
import { capitalize } from "../src/base/text.ts";
import { type Protocol, STYLE_NAMES, type StyleName } from "../src/dialects/surface.ts";
import { BUILT_IN_PROTOCOLS } from "../src/project/protocols.ts";
import { REPOSITORY } from "./support/repository.ts";
import { tempProject } from "./support/temp-project.ts";

/** The number of selected fields in a module that have a description in the schema of either style. */
const DOCUMENTED: Readonly<Record<string, Readonly<Record<StyleName, number>>>> = {
  lockup: { multichain: 436, subgraph: 431 },
  flow: { multichain: 376, subgraph: 371 },
};

const modules = BUILT_IN_PROTOCOLS.flatMap((protocol) =>
  STYLE_NAMES.map((style) => [protocol, style] as const),
);

describe("generated types", () => {
  it.each(modules)("have every description of the schema: %s, %s", async (protocol, style) => {
    const selected = await selectedFields(protocol, style);
    const documented = documentedMembers(`generated/${protocol}/${style}.ts`);
    expect(selected.filter(([place, words]) => documented.get(place) !== words)).toEqual([]);
    expect(selected).toHaveLength(DOCUMENTED[protocol]?.[style] ?? 0);
  });
});

it.each(["multichain", "subgraph"])("an editor shows the descriptions of %s", (style) => {
  const text = `import { StreamsBySenderDocument, type StreamsBySenderQueryVariables } from "${REPOSITORY}/generated/lockup/${style}.ts";
declare function request<R, V>(document: { __apiType?: (variables: V) => R }, variables: V): R;
const { streams } = request(StreamsBySenderDocument, { sender: "0x" });
export const shown = streams.map((stream) => [stream.intactAmount, stream.asset.symbol]);
export const senderOf = (variables: StreamsBySenderQueryVariables) => variables.sender;`;
  const path = join(tempProject({ "hover.ts": text }).root, "hover.ts");
  const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, strict: true, types: [] };
  const program = ts.createProgram([path], {
    ...{ ...options, allowImportingTsExtensions: true, noEmit: true },
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  });
  const checker = program.getTypeChecker();
  const nodeAt = (place: number, node: ts.Node): ts.Node =>
    ts.forEachChild(node, (child) =>
      child.getStart() <= place && place < child.end ? nodeAt(place, child) : undefined,
    ) ?? node;
  for (const [marker, words] of [
    [
      "intactAmount",
      "What is left for the recipient: the deposit less what was withdrawn and what a cancellation returned.",
    ],
    ["symbol", "Ticker the token gives itself"],
    ["sender;", "Who manages the stream."],
    ["StreamsBySenderDocument, {", "The streams an address funds or manages, newest first."],
  ] as const) {
    const node = nodeAt(text.indexOf(marker), program.getSourceFile(path) as ts.SourceFile);
    const found = checker.getSymbolAtLocation(node);
    const symbol = found && found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
    expect(ts.displayPartsToString(symbol?.getDocumentationComment(checker)), marker).toContain(words);
  }
});

const snapshots = new Map<string, GraphQLSchema>();

/** The places of fields that have a description, as `RecentStreamsQuery.streams.id`, with the description. */
async function selectedFields(
  protocol: Protocol,
  style: StyleName,
): Promise<[place: string, words: string][]> {
  const schemas = [style, ...STYLE_NAMES].map((name) =>
    cached(snapshots, `generated/schemas/${protocol}/${name}.graphql`, (path) =>
      buildSchema(readFileSync(join(REPOSITORY, path), "utf8")),
    ),
  );
  const [schema] = schemas as [GraphQLSchema];
  const module: object = await import(join(REPOSITORY, `generated/${protocol}/${style}.strings.ts`));
  const documents = Object.values(module).map((text) => parse(String(text)));
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of documents.flatMap(({ definitions }) => definitions)) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  }
  const found = new Map<string, string>();
  const walk = (
    place: string,
    type: GraphQLNamedType | undefined,
    { selections }: SelectionSetNode,
  ): void => {
    for (const node of selections) {
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        walk(place, type, fragments.get(node.name.value)?.selectionSet as SelectionSetNode);
      } else if (node.kind === Kind.FIELD && isObjectType(type)) {
        const inner = `${place}.${(node.alias ?? node.name).value}`;
        const words = wordsOf(schemas, type.name, node.name.value);
        if (words !== null) found.set(inner, words);
        const result = type.getFields()[node.name.value]?.type;
        if (node.selectionSet) walk(inner, result && getNamedType(result), node.selectionSet);
      } else throw new Error(`The library is not expected to have a ${node.kind} there.`);
    }
  };
  for (const node of documents.flatMap(({ definitions }) => definitions)) {
    if (node.kind !== Kind.OPERATION_DEFINITION) continue;
    const root = schema.getRootType(node.operation) ?? undefined;
    walk(`${node.name?.value}${capitalize(node.operation)}`, root, node.selectionSet);
  }
  for (const [name, { typeCondition, selectionSet }] of fragments) {
    walk(`${name}Fragment`, schema.getType(typeCondition.name.value), selectionSet);
  }
  return [...found];
}

/** The first description of a field in the schemas, without the platform's own descriptions of relations. */
function wordsOf(schemas: readonly GraphQLSchema[], type: string, field: string): string | null {
  for (const schema of schemas) {
    const owner = schema.getType(type);
    const words = isObjectType(owner) ? owner.getFields()[field]?.description : null;
    if (words && !/^An (object|array) relationship$/.test(words)) return words;
  }
  return null;
}

/** The comments on the members of the types of a module, by place. */
function documentedMembers(path: string): ReadonlyMap<string, string> {
  const text = readFileSync(join(REPOSITORY, path), "utf8");
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const found = new Map<string, string>();
  const aliases = new Map(
    file.statements.flatMap((node) =>
      ts.isTypeAliasDeclaration(node) ? [[node.name.text, node.type] as const] : [],
    ),
  );
  const walk = (place: string, node: ts.Node): void => {
    let inner = place;
    // Rows and fragments have types of their own.
    const type = ts.isTypeReferenceNode(node) ? node.typeName.getText(file) : "";
    if (/(Row|Fragment)$/.test(type)) walk(place, aliases.get(type) as ts.TypeNode);
    if (ts.isPropertySignature(node)) {
      inner = `${place}.${node.name.getText(file)}`;
      const [comment] = ts.getJSDocCommentsAndTags(node);
      const words = comment && ts.getTextOfJSDocComment(comment.comment);
      if (words !== undefined) found.set(inner, words);
    }
    ts.forEachChild(node, (child) => walk(inner, child));
  };
  for (const [name, type] of aliases) walk(name, type);
  return found;
}
