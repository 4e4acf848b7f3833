import {
  type ArgumentNode,
  type ASTNode,
  type GraphQLNamedType,
  getNamedType,
  isInputObjectType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  parseType,
  print,
  type VariableDefinitionNode,
  visit,
} from "graphql";
import { findNamed } from "../base/collections.ts";
import { argumentNode, enumNode, objectNode, variableNode } from "../dialects/make-node.ts";
import { AUTHORED_STYLE } from "../dialects/portable-style.ts";
import {
  type AnyPortableOperation,
  buildPortableOperation,
} from "../generate/portable/portable-operation.ts";
import { parseOperations } from "../operations/parse-operations.ts";
import { compileMeant } from "../operations/portable/compile-named.ts";
import { PORTABLE_FOLDER } from "../workspace/operation-files.ts";
import { requirePortableContext } from "../workspace/operations.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { FoundOperation } from "./find-in-surface.ts";
import { readFields } from "./rows.ts";

/** How changed rows of an operation are found. */
export type ChangeFeed = {
  /** The operation whose rows refer to changed rows, oldest first. */
  readonly feed: AnyPortableOperation;
  /** The same, newest first. */
  readonly newest: AnyPortableOperation;
  /** The rows of the operation with certain ids. */
  readonly byIds: AnyPortableOperation;
  /** The key of the reference in rows of the feed. */
  readonly key: string;
  /** The name of the feed and the key in states: `ActionsFeed.stream`. */
  readonly name: string;
};

export const IDS = "lockflowIds";

/** The feed of the built-in protocols, for projects without the operation. */
const BUILT_IN_FEED = `query ActionsFeed($after: BigInt! = "0", $first: Int! = 1000) {
  actions(where: { subgraphId_gt: $after }, orderBy: subgraphId, orderDirection: asc, first: $first) {
    id chainId subgraphId block hash timestamp stream { id }
  }
}`;

/** Prepares how changed rows of an operation are found; null if no feed of its protocol refers to its rows. */
export function prepareChanges(workspace: Workspace, operation: FoundOperation): ChangeFeed | null {
  const { updatedBy = null } =
    workspace.project.definitions.find(({ key }) => key === operation.protocol) ?? {};
  const type = rootType(operation);
  if (updatedBy === null || operation.style !== null || type === null) return null;
  const compile = (node: OperationDefinitionNode | string, name: string) =>
    compileText(workspace, operation, typeof node === "string" ? node : print(node), name);
  const { operation: name, key } = updatedBy;
  const sources = workspace.operations(`${operation.protocol}/${PORTABLE_FOLDER}`);
  const { operations } = parseOperations(sources, {
    protocol: operation.protocol,
    style: AUTHORED_STYLE,
  }).set;
  const authored = findNamed(operations, name);
  const text = authored ? print(authored.node) : name === "ActionsFeed" ? BUILT_IN_FEED : null;
  const feed = text === null ? null : compile(text, name);
  if (feed === null || feed.page === undefined) return null;
  const { node, fragments } = feed;
  const facts = { node, fragments, schema: operation.schema, scalars: operation.scalars, times: [] };
  const [root] = readFields(facts);
  const reference = root?.fields?.find((field) => field.name === key);
  const rows = rootType({ node, schema: operation.schema });
  const referred = isObjectType(rows) ? getNamedType(rows.getFields()[key]?.type) : undefined;
  if (referred !== type || !reference?.fields?.some((field) => field.name === "id")) return null;
  const newest = compile(newestFirst(node), name);
  const changed = withIds(operation);
  const byIds = changed && compile(changed, operation.name);
  return newest && byIds && { feed, newest, byIds, key, name: `${name}.${key}` };
}

type Compiled = AnyPortableOperation & Pick<FoundOperation, "node" | "fragments">;

/** Compiles one more operation of a protocol, which may use its fragments and those of another operation. */
function compileText(
  workspace: Workspace,
  { protocol, fragments }: FoundOperation,
  text: string,
  name: string,
): Compiled | null {
  const path = `${protocol}-${name}.graphql`;
  const others = [PORTABLE_FOLDER, AUTHORED_STYLE].flatMap((folder) =>
    workspace.operations(`${protocol}/${folder}`),
  );
  const { set } = parseOperations(others, { protocol, style: AUTHORED_STYLE });
  const missing = fragments.filter((fragment) => !set.fragments.has(fragment.name.value));
  const source = { path, text: [text, ...missing.map((fragment) => print(fragment))].join("\n") };
  const all = {
    protocol,
    sources: [source, ...others],
    context: () => requirePortableContext(workspace, protocol),
  };
  const [meant] = compileMeant(all, (operation, file) => operation === name && file === path);
  if (!meant?.compiled || !meant.authored) return null;
  const operation = buildPortableOperation(meant.compiled, meant.context, {});
  return { ...operation, node: meant.authored.node, fragments: meant.authored.fragments };
}

/** Returns the type of the one root list. */
function rootType({ node, schema }: Pick<FoundOperation, "node" | "schema">): GraphQLNamedType | null {
  const [root, ...others] = node.selectionSet.selections;
  if (root?.kind !== Kind.FIELD || others.length > 0) return null;
  const type = schema.getQueryType()?.getFields()[root.name.value]?.type;
  return type ? getNamedType(type) : null;
}

/** Returns an operation of a list, oldest first, with the newest row first. Only subgraphs can be queried with it. */
export function reverseOperation(operation: AnyPortableOperation): AnyPortableOperation {
  return { ...operation, subgraph: print(newestFirst(parse(operation.subgraph))) };
}

function newestFirst<T extends ASTNode>(node: T): T {
  return visit(node, {
    Field: ({ arguments: args = [], ...field }) =>
      args.some(({ name }) => name.value === "orderBy")
        ? { ...field, arguments: [...args.filter(({ name }) => name.value !== "orderDirection"), DESCENDING] }
        : undefined,
  });
}

const DESCENDING = argumentNode("orderDirection", enumNode("desc", undefined));

/** Adds a condition on ids to the filter; null if the filter is a variable, or there is none. */
function withIds({ node, schema }: FoundOperation): OperationDefinitionNode | null {
  const [root] = node.selectionSet.selections;
  if (root?.kind !== Kind.FIELD) return null;
  const args = schema.getQueryType()?.getFields()[root.name.value]?.args ?? [];
  const filter = findNamed(args, "where");
  const named = filter && getNamedType(filter.type);
  const type = isInputObjectType(named) ? named.getFields()["id_in"]?.type : undefined;
  const where = root.arguments?.find(({ name }) => name.value === "where");
  if (type === undefined || where?.value.kind !== Kind.OBJECT) return null;
  const variable = variableNode(IDS, undefined);
  const { fields } = objectNode([["id_in", variable]], undefined);
  const narrowed: ArgumentNode = {
    ...where,
    value: { ...where.value, fields: [...where.value.fields, ...fields] },
  };
  const declaration: VariableDefinitionNode = {
    kind: Kind.VARIABLE_DEFINITION,
    variable,
    type: parseType(String(type).replace(/!?$/, "!")),
  };
  const others = (root.arguments ?? []).filter((argument) => argument !== where);
  return {
    ...node,
    variableDefinitions: [...(node.variableDefinitions ?? []), declaration],
    selectionSet: { ...node.selectionSet, selections: [{ ...root, arguments: [narrowed, ...others] }] },
  };
}
