import { type ExecutableDefinitionNode, type FragmentDefinitionNode, Kind, parse } from "graphql";
import { docComment } from "../base/doc-comment.ts";
import { surfaceId } from "../project/surface.ts";
import { variablesOfDocument } from "./input-types.ts";
import type { OperationSet } from "./operation-set.ts";
import { printDefinition } from "./print-document.ts";
import { requireModuleSize } from "./require-module-size.ts";
import { authoredDescription } from "./schema-docs.ts";
import { resultName } from "./type-names.ts";
import { escapeSeparators } from "./typescript-literal.ts";
import { spreadsOf, usedFragments } from "./used-fragments.ts";

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
