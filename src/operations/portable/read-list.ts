import {
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  Kind,
  type ObjectValueNode,
  type OperationDefinitionNode,
  type ValueNode,
} from "graphql";
import { baseTypeName } from "../../dialects/api-schema.ts";
import { styles } from "../../dialects/index.ts";
import { argumentNode, variableNode } from "../../dialects/make-node.ts";
import { typeExpression } from "../../dialects/parse-sdl.ts";
import type { PagedList, PortableForm, PortableGrammar } from "../../dialects/portable-style.ts";
import type { ResolvedProtocol } from "../../dialects/protocol.ts";
import type { StyleName } from "../../dialects/surface.ts";
import { findVariables } from "../variable-types.ts";
import { type CollectedField, collectAnswer } from "./collect-answer.ts";
import { directionOf, readOrderPath } from "./compile-order.ts";
import type { OperationFacts, OrderKey } from "./compiled-operation.ts";
import { declareVariable, defaultOf, type PlannedVariables } from "./plan-variables.ts";
import type { EntityFacts, Facts } from "./read-entities.ts";

/** Reads how rows of several answers can be merged, or why they cannot. Both are null without a list. */
export function readList(root: CollectedField, facts: Facts): Pick<OperationFacts, "list" | "unmerged"> {
  const list = openList(root, facts);
  if (list === null) return { list: null, unmerged: null };
  const { entity, order, first, skip } = list;
  if (order === null) return { list: null, unmerged: "order by a field instead of a variable" };
  const scalar = orderedScalar(order.path, entity, facts);
  // The client cannot compare them: their order is not that of their text.
  if (scalar === "Timestamp") return { list: null, unmerged: `order by a field that is not a ${scalar}` };
  const keys = order.path[0] === "id" ? [order.path] : [order.path, ["id"]];
  const orderKeys = keys.map((path) =>
    findKey(path, { fields: root.below().fields, entity }, { direction: order.direction, facts }),
  );
  const missing = keys.filter((_, index) => orderKeys[index] === null).map((path) => path.join("."));
  if (missing.length > 0) return { list: null, unmerged: `select ${missing.join(" and ")}` };
  if (skip !== null && skip.kind !== Kind.VARIABLE && textOf(skip) !== "0") {
    return { list: null, unmerged: "skip rows by a variable" };
  }
  return {
    list: {
      key: root.key,
      order: orderKeys.filter((key) => key !== null),
      first: sizeOf(first),
      skip: skip?.kind === Kind.VARIABLE ? skip.name.value : null,
    },
    unmerged: null,
  };
}

/** Reads how many rows each root list has at most. */
export function readSizes(roots: readonly CollectedField[], facts: Facts): OperationFacts["lists"] {
  return roots.flatMap((root) => {
    const list = openList(root, facts);
    return list === null ? [] : [{ key: root.key, first: sizeOf(list.first) }];
  });
}

function sizeOf(first: ValueNode): string | number {
  return first.kind === Kind.VARIABLE ? first.name.value : Number(textOf(first));
}

/** Reads how the only root list is paged by a cursor; null if it cannot be paged. */
export function readPage(
  root: CollectedField,
  { variables }: PlannedVariables,
  facts: Facts,
): OperationFacts["page"] {
  const list = openList(root, facts);
  if (list === null || list.order === null || list.skip !== null) return null;
  const { entity, order, first, filter } = list;
  const [cursor = "", ...deeper] = order.path;
  const counts = isCursor(cursor, entity.name, facts.definition);
  if (deeper.length > 0 || !counts || first.kind !== Kind.VARIABLE) return null;
  if (!isSelected(root, cursor) || filter === null) return null;
  const isNumber = KINDS.get(orderedScalar(order.path, entity, facts)) === "number";
  const kind: "number" | "text" = isNumber ? "number" : "text";
  const page = { key: root.key, cursor, first: first.name.value, direction: order.direction, kind };
  const find = (name: string | null) =>
    variables.find((planned) => planned.name === name && planned.allUses.length === 1);
  if (filter.kind === Kind.VARIABLE) {
    const value = find(filter.name.value)?.definition.defaultValue;
    // The filter with the cursor replaces a default.
    const isOpen = !value || value.kind === Kind.NULL || (value.kind === Kind.OBJECT && !value.fields.length);
    return find(filter.name.value) && isOpen ? { ...page, after: null } : null;
  }
  if (filter.kind !== Kind.OBJECT) return null;
  const after = findAfter(filter, { cursor, direction: order.direction }, facts.authored.grammar);
  const variable = find(after);
  return variable === undefined || defaultOf(variable.definition) === null ? null : { ...page, after };
}

/** Whether a column can be a cursor: unique in a chain, and constant. */
function isCursor(
  column: string,
  entity: string,
  { cursors }: Pick<Facts["definition"], "cursors">,
): boolean {
  return column === "id" || (Object.hasOwn(cursors, entity) && cursors[entity] === column);
}

/** Whether rows always have a column under its own name. */
function isSelected(root: CollectedField, column: string): boolean {
  return root
    .below()
    .fields.some(
      ({ key, node, isConditional }) => key === column && node.name.value === column && !isConditional,
    );
}

type OpenList = {
  readonly entity: EntityFacts;
  /** Null if a variable holds the order or the direction. */
  readonly order: { readonly path: readonly string[]; readonly direction: "asc" | "desc" } | null;
  readonly first: ValueNode;
  readonly skip: ValueNode | null;
  readonly filter: ValueNode | null;
};

function openList({ node }: CollectedField, facts: Facts): OpenList | null {
  const { grammar } = facts.authored;
  const root = facts.root(node.name.value);
  const entity = root === undefined ? undefined : facts.entity(root.entity);
  if (root?.kind !== "list" || entity === undefined) return null;
  const args = grammar.readArguments(node);
  const read = (name: "first" | "skip" | "filter" | "order" | "direction") => {
    const value = args[name]?.value;
    return value === undefined || value.kind === Kind.NULL ? null : value;
  };
  return {
    entity,
    order: openOrder({ order: read("order"), direction: read("direction") }, entity, facts),
    first: read("first") ?? { kind: Kind.INT, value: String(grammar.limits.rows) },
    skip: read("skip"),
    filter: read("filter"),
  };
}

function openOrder(
  { order, direction }: { readonly order: ValueNode | null; readonly direction: ValueNode | null },
  entity: EntityFacts,
  facts: Facts,
): OpenList["order"] {
  if (order === null) return { path: ["id"], direction: "asc" };
  if (order.kind !== Kind.ENUM || direction?.kind === Kind.VARIABLE) return null;
  const path = readOrderPath(order.value, { entity, isNested: false }, facts);
  return Array.isArray(path) ? { path, direction: directionOf(direction) } : null;
}

/** Returns the scalar of the column that a path of fields ends with. */
function orderedScalar([name = "", ...rest]: readonly string[], entity: EntityFacts, facts: Facts): string {
  const field = entity.fields.get(name);
  if (field?.kind === "column") return field.type.name;
  const target = field && facts.entity(field.target);
  return target ? orderedScalar(rest, target, facts) : "";
}

/** Returns the path of response keys to the column of an order, and the kind of its values; null if it is not selected. */
function findKey(
  path: readonly string[],
  { fields, entity }: { readonly fields: readonly CollectedField[]; readonly entity: EntityFacts },
  { direction, facts }: { readonly direction: "asc" | "desc"; readonly facts: Facts },
): OrderKey | null {
  const [name = "", ...rest] = path;
  const selected = fields.find(({ node, isConditional }) => node.name.value === name && !isConditional);
  const field = entity.fields.get(name);
  if (selected === undefined || field === undefined) return null;
  if (field.kind === "column") {
    const kind = KINDS.get(field.type.name) ?? "text";
    return rest.length === 0 ? { path: selected.key, kind, direction } : null;
  }
  const target = facts.entity(field.target);
  if (target === undefined) return null;
  const inner = findKey(rest, { fields: selected.below().fields, entity: target }, { direction, facts });
  return inner && { ...inner, path: `${selected.key}.${inner.path}` };
}

/** The kinds of scalars; values of others are compared as text. */
const KINDS: ReadonlyMap<string, OrderKey["kind"]> = new Map([
  ["BigInt", "number"],
  ["Int", "number"],
  ["Int8", "number"],
  ["Boolean", "boolean"],
  ["BigDecimal", "decimal"],
]);

/** Returns the variable of the cursor, if the filter requires all rows to be after it. */
function findAfter(
  filter: ObjectValueNode,
  page: { readonly cursor: string; readonly direction: "asc" | "desc" },
  grammar: PortableGrammar,
): string | null {
  const { cursor, direction } = page;
  for (const { name, value } of filter.fields) {
    if (grammar.readFilterWord(name.value) === "and" && value.kind === Kind.LIST) {
      for (const member of value.values) {
        const nested = member.kind === Kind.OBJECT ? findAfter(member, page, grammar) : null;
        if (nested !== null) return nested;
      }
    }
    const wanted = direction === "asc" ? "greater" : "less";
    const isAfter = grammar
      .readFilterName(name.value)
      .some(({ field, operator }) => field === cursor && operator.name === wanted);
    if (isAfter && value.kind === Kind.VARIABLE) return value.name.value;
  }
  return null;
}

function textOf(value: ValueNode): string {
  return "value" in value ? String(value.value) : "";
}

/** How the only list of an operation of one style is paged. */
export type StylePage = PagedList & {
  /** The key of the list. */
  readonly key: string;
  /** The base type of the variable of the cursor. */
  readonly afterType: string;
};

/** Reads how an operation of one style is paged by a cursor; null if it cannot be paged. */
export function readStylePage(
  {
    node,
    fragments,
    schema,
  }: {
    readonly node: OperationDefinitionNode;
    readonly fragments: readonly FragmentDefinitionNode[];
    readonly schema: GraphQLSchema;
  },
  style: StyleName,
  definition: Pick<ResolvedProtocol, "cursors">,
): StylePage | null {
  const byName = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  const [root, ...others] = collectAnswer(node.selectionSet, (name) => byName.get(name)).fields;
  if (!root || root.isConditional || others.length > 0) return null;
  const type = schema.getQueryType()?.getFields()[root.node.name.value]?.type;
  const list = styles[style].portable.readPagedList(root.node);
  if (!type || !isListType(getNullableType(type)) || list === null) return null;
  if (!isCursor(list.column, getNamedType(type).name, definition)) return null;
  const after = node.variableDefinitions?.find(({ variable }) => variable.name.value === list.after);
  const isOpen = after?.defaultValue !== undefined && after.defaultValue.kind !== Kind.NULL;
  const uses = [node, ...fragments].flatMap(findVariables).filter((name) => name === list.after);
  if (!after || !isOpen || uses.length > 1 || !isSelected(root, list.column)) return null;
  const afterType = baseTypeName(typeExpression(after.type));
  // Cursors are strings. In the authored style, they are parsed by their types.
  if (afterType === "Int" && styles[style].portable.kind === "authored") return null;
  return { ...list, key: root.key, afterType };
}

/**
 * Adds a variable for the block of the only root field, in a style that can query past blocks. Leaves an operation unchanged
 * that already sets a block, or whose root field is in a fragment.
 */
export function pinRoot(node: OperationDefinitionNode, form: PortableForm): OperationDefinitionNode {
  const [root, ...others] = node.selectionSet.selections;
  if (form.kind !== "authored" || root?.kind !== Kind.FIELD || others.length > 0) return node;
  const { argument, variable, type } = form.grammar.height;
  const declared = node.variableDefinitions ?? [];
  const args = root.arguments ?? [];
  const isSet =
    args.some(({ name }) => name.value === argument) ||
    declared.some((definition) => definition.variable.name.value === variable);
  if (isSet) return node;
  const pin = argumentNode(argument, variableNode(variable, root.loc));
  return {
    ...node,
    variableDefinitions: [...declared, declareVariable(variable, type, node.loc)],
    selectionSet: { ...node.selectionSet, selections: [{ ...root, arguments: [...args, pin] }] },
  };
}
