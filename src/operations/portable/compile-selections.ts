import {
  type ArgumentNode,
  type DirectiveNode,
  type FieldNode,
  type FragmentSpreadNode,
  type InlineFragmentNode,
  Kind,
  type NamedTypeNode,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import { baseTypeName, isList } from "../../dialects/api-schema.ts";
import {
  argumentNode,
  namedTypeNode,
  nameNode,
  responseKey,
  variableNode,
  wrapSelection,
} from "../../dialects/make-node.ts";
import { compileList, compileLookup } from "./compile-list.ts";
import { type ColumnFacts, type EntityFacts, hasBothStyles } from "./read-entities.ts";
import { requireSameRelation, type Scope } from "./scope.ts";

/** The parent of selections: the query, or rows of an entity. */
type Owner = "query" | EntityFacts;

/** The same node in the author's dialect, and in the other one. */
export type Pair<T> = { readonly authored: T; readonly written: T };

/** Compiles a selection set. Refused selections are left out; the result is then unusable. */
export function compileSelections(set: SelectionSetNode, owner: Owner, scope: Scope): Pair<SelectionSetNode> {
  const pairs = set.selections.flatMap((node) => compileSelection(node, owner, scope) ?? []);
  return {
    authored: { ...set, selections: pairs.map(({ authored }) => authored) },
    written: { ...set, selections: pairs.map(({ written }) => written) },
  };
}

/** Returns the parent that a type condition names; null if it does not name rows, or is refused. */
export function resolveOwner(condition: NamedTypeNode, scope: Scope): Owner | null {
  const name = condition.name.value;
  if (name === scope.facts.authored.queryType) return "query";
  const entity = scope.facts.entity(name);
  if (entity === undefined) return null;
  const { style } = scope.facts.written;
  if (entity.isInterface) return scope.refuse("portable/interface", [name, style], condition);
  if (!entity.isWritten) return scope.refuse("portable/not-in-multichain", [name, style], condition);
  return entity;
}

/** Writes a type condition. The query types of the dialects have different names. */
export function writeCondition(condition: NamedTypeNode, { facts }: Scope): NamedTypeNode {
  return condition.name.value === facts.authored.queryType
    ? { ...condition, name: { ...condition.name, value: facts.written.queryType } }
    : condition;
}

function compileSelection(node: SelectionNode, owner: Owner, scope: Scope): Pair<SelectionNode> | null {
  switch (node.kind) {
    case Kind.FIELD:
      return owner === "query" ? compileRoot(node, scope) : compileField(node, owner, scope);
    case Kind.FRAGMENT_SPREAD:
      return compileSpread(node, scope);
    case Kind.INLINE_FRAGMENT:
      return compileInline(node, owner, scope);
  }
}

/** Checks directives and writes them: on fields and inline fragments, both dialects have the same. */
function compileDirectives(nodes: readonly DirectiveNode[], scope: Scope): DirectiveNode[] {
  const seen = new Set<string>();
  return nodes.map((node) => {
    const name = node.name.value;
    if (seen.has(name)) scope.refuse("portable/directive", [name, true], node);
    else if (name !== "skip" && name !== "include") scope.refuse("portable/directive", [name, false], node);
    seen.add(name);
    const written = (node.arguments ?? []).map((arg) => {
      if (arg.value.kind !== Kind.VARIABLE) return arg;
      return { ...arg, value: scope.use(arg.value, { treatment: { kind: "value" } }) };
    });
    return { ...node, arguments: written };
  });
}

function compileSpread(node: FragmentSpreadNode, scope: Scope): Pair<SelectionNode> {
  const directives = compileDirectives(node.directives ?? [], scope);
  const condition = scope.fragments.get(node.name.value);
  if (directives.length === 0 || condition === undefined) return { authored: node, written: node };
  // Only one dialect applies conditions on a spread.
  scope.apply("spread-condition", node);
  return {
    authored: wrapSelection(node, condition),
    written: { ...wrapSelection(node, writeCondition(condition, scope)), directives },
  };
}

function compileInline(node: InlineFragmentNode, owner: Owner, scope: Scope): Pair<SelectionNode> | null {
  const directives = compileDirectives(node.directives ?? [], scope);
  const { typeCondition } = node;
  const inner = typeCondition === undefined ? owner : resolveOwner(typeCondition, scope);
  if (inner === null) return null;
  const { authored, written } = compileSelections(node.selectionSet, inner, scope);
  // It selected only the progress of the indexer.
  if (authored.selections.length === 0) return null;
  return {
    authored: { ...node, selectionSet: authored },
    written: {
      ...node,
      ...(typeCondition === undefined ? {} : { typeCondition: writeCondition(typeCondition, scope) }),
      directives,
      selectionSet: written,
    },
  };
}

function compileRoot(node: FieldNode, scope: Scope): Pair<FieldNode> | null {
  const directives = compileDirectives(node.directives ?? [], scope);
  const { facts } = scope;
  const name = node.name.value;
  const key = responseKey(node);
  if (name === "__typename") return scope.refuse("portable/root-typename", [], node);
  if (name === facts.authored.grammar.progress.root) {
    scope.apply("progress", node);
    scope.progress.push(node);
    return null;
  }
  if (RESERVED_KEYS.has(key)) {
    scope.refuse("portable/reserved-name", [`The root key \`${key}\``], node);
  }
  const root = facts.root(name);
  if (root === undefined) {
    return name.startsWith("__") ? scope.refuse("portable/root", [name], node) : null;
  }
  const entity = facts.entity(root.entity);
  if (root.kind === "other" || entity === undefined) return scope.refuse("portable/root", [name], node);
  if (entity.isInterface) return scope.refuse("portable/interface", [entity.name, facts.written.style], node);
  const { writer, style } = facts.written;
  const lookup = root.kind === "lookup" ? writer.lookup(entity.name) : null;
  const rootName = root.kind === "lookup" ? lookup?.name : writer.listName(entity.name);
  if (!rootName) return scope.refuse("portable/not-in-multichain", [entity.name, style], node);
  const args = lookup
    ? compileLookup(node, { entity, takesChain: lookup.takesChain }, scope)
    : compileList(node, { entity, isNested: false }, scope);
  const { authored, written } = compileRows(node, entity, scope);
  return {
    authored: { ...authored, arguments: pinRootField(node, scope) },
    written: {
      ...written,
      alias: nameNode(key, (node.alias ?? node.name).loc),
      name: nameNode(rootName, node.name.loc),
      arguments: args ?? [],
      directives,
    },
  };
}

/** Returns the arguments of a root field with one for the requested block, unless its author names a block. */
function pinRootField(node: FieldNode, scope: Scope): readonly ArgumentNode[] {
  const { height, readArguments } = scope.facts.authored.grammar;
  const { block, errors } = readArguments(node);
  const args = node.arguments ?? [];
  if (errors !== null) scope.refuse("portable/subgraph-error", [], errors);
  if (block !== null && block.value.kind !== Kind.NULL) {
    scope.apply("past-block", block);
    scope.roots.push({ block: block.value, pin: null });
    return args;
  }
  const pin = argumentNode(height.argument, variableNode(height.variable, node.loc));
  scope.roots.push({ block: null, pin });
  return [...args.filter((argument) => argument !== block), pin];
}

/** The fields that Lockflow adds to an operation. */
const RESERVED_KEYS: ReadonlySet<string> = new Set(["_meta", "lockflow"]);

function compileField(node: FieldNode, entity: EntityFacts, scope: Scope): Pair<SelectionNode> | null {
  const directives = compileDirectives(node.directives ?? [], scope);
  if (node.name.value === "__typename") {
    return { authored: wrapTypename(node, entity, scope), written: { ...node, directives } };
  }
  const field = entity.fields.get(node.name.value);
  if (field === undefined) return null;
  if (field.kind === "column") {
    requireSameAnswers(field, entity, { node, scope });
    return { authored: node, written: { ...node, directives } };
  }
  const target = scope.facts.entity(field.target);
  const { style } = scope.facts.written;
  if (target === undefined || target.isInterface) {
    return scope.refuse("portable/interface", [field.target, style], node);
  }
  requireSameRelation({ entity, field }, node, scope);
  // A missing entity has no fields to check.
  if (!target.isWritten) return null;
  const args = field.kind === "list" ? compileList(node, { entity: target, isNested: true }, scope) : [];
  const { authored, written } = compileRows(node, target, scope);
  return { authored, written: { ...written, arguments: args ?? [], directives } };
}

/** Only one dialect applies conditions on `__typename`; both apply conditions of a fragment around it. */
function wrapTypename(node: FieldNode, { name }: EntityFacts, scope: Scope): SelectionNode {
  if (!node.directives?.length) return node;
  scope.apply("spread-condition", node);
  return wrapSelection(node, namedTypeNode(name, node.loc));
}

function compileRows(node: FieldNode, entity: EntityFacts, scope: Scope): Pair<FieldNode> {
  if (node.selectionSet === undefined) return { authored: node, written: node };
  const { authored, written } = compileSelections(node.selectionSet, entity, scope);
  return { authored: { ...node, selectionSet: authored }, written: { ...node, selectionSet: written } };
}

/** Requires that both styles return equal values of a column. */
function requireSameAnswers(
  { name, authoredType, writtenType, type }: ColumnFacts,
  entity: EntityFacts,
  { node, scope }: { readonly node: FieldNode; readonly scope: Scope },
): void {
  const { style, writer } = scope.facts.written;
  const coordinate = `${entity.name}.${name}`;
  if (writtenType === null) scope.refuse("portable/not-in-multichain", [coordinate, style], node);
  else if (type.name === "Timestamp") {
    if (hasBothStyles(scope.facts)) scope.refuse("portable/scalar", [coordinate, type.name], node);
  } else if (
    shapeOf(authoredType) !== shapeOf(writtenType) ||
    isList(writtenType) !== type.isList ||
    !writer.fit(type, baseTypeName(writtenType)).answers
  ) {
    scope.refuse("portable/type-differs", [coordinate, authoredType, writtenType], node);
  }
}

/** Returns the list and null markers of a type, without its name. */
function shapeOf(type: string): string {
  return type.replace(/\w+/, "");
}
