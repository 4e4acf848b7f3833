import {
  type FieldNode,
  type FragmentDefinitionNode,
  type InlineFragmentNode,
  Kind,
  print,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from "graphql";
import { cached } from "../base/collections.ts";
import { isRequired } from "../dialects/api-schema.ts";
import {
  type QueryReader,
  type QueryWriter,
  type ReadFilter,
  Unreadable,
} from "../dialects/foreign-query.ts";
import { styles } from "../dialects/index.ts";
import { enumNode, intNode, nameNode, responseKey } from "../dialects/make-node.ts";
import { CHAIN_FIELD, findChainPath } from "../operations/portable/compile-list.ts";
import type { EntityFacts, Facts } from "../operations/portable/read-entities.ts";
import { declareVariables } from "./declare-variables.ts";
import { type Definitions, type Reason, uniqueReasons } from "./port-types.ts";
import { findUniqueColumn, splitChain } from "./split-chain.ts";
import { translateFilter, writeValue } from "./translate-filter.ts";

/**
 * Translates a multichain operation into the dialect of portable operations.
 *
 * @returns null and why it is not exact; else the translation and notes on it.
 */
export function translate(
  { node, fragments }: Definitions,
  facts: Facts,
): { readonly portable: Definitions | null; readonly reasons: readonly Reason[] } {
  const reasons: Reason[] = [];
  const notes: Reason[] = [];
  const grammar = queryGrammar();
  const chains = new Set<string>();
  const context: Context = {
    facts,
    ...grammar,
    roots: rootsOf(facts),
    note: (code, message) => notes.push({ code, message }),
    refuse: (code, message) => reasons.push({ code, message }),
    takeChain: (value) => chains.add(value === null ? "" : print(value)),
  };
  const translated = {
    node: { ...node, selectionSet: translateSelections(node.selectionSet, null, context) },
    fragments: fragments.map((fragment) => translateFragment(fragment, null, context)),
  };
  if (chains.size > 1) {
    context.refuse(
      "port/chains-differ",
      "Its lists ask for different chains; a portable operation asks for the same chains everywhere.",
    );
  }
  const portable =
    reasons.length > 0
      ? translated
      : declareVariables(translated, { ...context, rowCap: grammar.reader.rowCap });
  if (reasons.length > 0) return { portable: null, reasons: uniqueReasons(reasons) };
  for (const chain of chains) {
    if (chain === "") {
      context.note(
        "port/all-chains",
        'The original asks for every chain: pass all of them, as `merged` does with `chains: "all"`.',
      );
    } else context.note("port/chain-option", `The filter by chain \`${chain}\` is the option \`chain\` now.`);
  }
  return { portable, reasons: uniqueReasons(notes) };
}

export function queryGrammar(): { readonly reader: QueryReader; readonly writer: QueryWriter } {
  const forms = Object.values(styles).map(({ portable }) => portable);
  const reader = forms.flatMap((form) => (form.kind === "written" ? [form.queries] : []))[0];
  const writer = forms.flatMap((form) => (form.kind === "authored" ? [form.queries] : []))[0];
  if (reader === undefined || writer === undefined) throw new TypeError("A dialect is missing.");
  return { reader, writer };
}

type Context = {
  readonly facts: Facts;
  readonly reader: QueryReader;
  readonly writer: QueryWriter;
  readonly roots: ReadonlyMap<string, { readonly list?: string; readonly lookup?: string }>;
  readonly note: (code: string, message: string) => void;
  readonly refuse: (code: string, message: string) => void;
  /** Records the chains of a root field; null for all. */
  readonly takeChain: (value: ValueNode | null) => unknown;
};

const rootsByFacts = new WeakMap<Facts, Context["roots"]>();

/** The root fields of each entity in the written dialect. */
export function rootsOf(facts: Facts): Context["roots"] {
  return cached(rootsByFacts, facts, () => {
    const roots = new Map<string, { list?: string; lookup?: string }>();
    for (const name of Object.keys(facts.authored.graphql.getQueryType()?.getFields() ?? {})) {
      const root = facts.root(name);
      if (root === undefined || root.kind === "other") continue;
      const names = cached(roots, root.entity, (): { list?: string; lookup?: string } => ({}));
      names[root.kind] ??= name;
    }
    return roots;
  });
}

/** @param around the entity of a fragment without a type; null at the root. */
function translateFragment<T extends FragmentDefinitionNode | InlineFragmentNode>(
  fragment: T,
  around: EntityFacts | null,
  context: Context,
): T {
  const { typeCondition, selectionSet } = fragment;
  const entity = typeCondition ? entityOf(typeCondition.name.value, context) : around;
  if (entity === undefined) return fragment;
  const name = nameNode(context.facts.authored.queryType, undefined);
  const ofQuery = typeCondition && entity === null && { typeCondition: { ...typeCondition, name } };
  return { ...fragment, ...ofQuery, selectionSet: translateSelections(selectionSet, entity, context) };
}

/** Returns the entity of a type condition; null for the query; undefined with a reason for other types. */
function entityOf(type: string, { facts, refuse }: Context): EntityFacts | null | undefined {
  if (type === facts.written.queryType) return null;
  const entity = facts.entity(type);
  if (entity === undefined) refuse("port/type", `${type} has no form in subgraphs.`);
  return entity;
}

/** @param entity null at the root. */
function translateSelections(
  set: SelectionSetNode,
  entity: EntityFacts | null,
  context: Context,
): SelectionSetNode {
  const selections = set.selections.map((selection): SelectionNode => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return selection;
    if (selection.kind === Kind.INLINE_FRAGMENT) return translateFragment(selection, entity, context);
    if (selection.name.value === "__typename") return selection;
    try {
      return entity === null ? translateRoot(selection, context) : translateField(selection, entity, context);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      context.refuse(error.code, error.message);
      return selection;
    }
  });
  return { ...set, selections };
}

function translateRoot(field: FieldNode, context: Context): FieldNode {
  const { facts, reader, roots, writer } = context;
  const { entity: name, kind } = reader.readRoot(field.name.value);
  const entity = facts.entity(name);
  const root = roots.get(name)?.[kind];
  if (entity === undefined || root === undefined || field.selectionSet === undefined) {
    throw new Unreadable("port/root", `\`${field.name.value}\` has no form in subgraphs.`);
  }
  const written = {
    ...field,
    // With the same key, code that reads the answer does not change.
    ...(responseKey(field) !== root && { alias: nameNode(responseKey(field), field.loc) }),
    name: nameNode(root, field.loc),
    selectionSet: translateSelections(field.selectionSet, entity, context),
  };
  if (kind === "list")
    return { ...written, arguments: writeList(field, { entity, isNested: false }, context) };
  const args = readArguments(field, context);
  if (args.chain !== null) context.takeChain(args.chain);
  const type = entity.fields.get("id");
  const id =
    args.id === null || type?.kind !== "column"
      ? args.id
      : writeValue(args.id, type.type, { ...context, entity });
  const none = { first: null, skip: null, filter: null, order: null, direction: null };
  return { ...written, arguments: writer.writeArguments({ ...none, id }) };
}

function readArguments(field: FieldNode, { reader }: Context) {
  const args = reader.readArguments(field);
  const [other] = args.others;
  if (other !== undefined) throw unknownArgument(other.name.value, field);
  return args;
}

function unknownArgument(name: string, field: FieldNode): Unreadable {
  const message = `The argument \`${name}\` of \`${field.name.value}\` has no form in subgraphs.`;
  return new Unreadable("port/argument", message);
}

function translateField(field: FieldNode, entity: EntityFacts, context: Context): FieldNode {
  const name = field.name.value;
  const fieldFacts = entity.fields.get(name);
  if (fieldFacts === undefined) {
    throw new Unreadable("port/field", `\`${name}\` of ${entity.name} has no form in subgraphs.`);
  }
  if (fieldFacts.kind === "column" || field.selectionSet === undefined) return field;
  const target = context.facts.entity(fieldFacts.target);
  if (target === undefined)
    throw new Unreadable("port/type", `${fieldFacts.target} has no form in subgraphs.`);
  const selectionSet = translateSelections(field.selectionSet, target, context);
  if (fieldFacts.kind === "reference") return { ...field, selectionSet };
  return { ...field, selectionSet, arguments: writeList(field, { entity: target, isNested: true }, context) };
}

function writeList(
  field: FieldNode,
  { entity, isNested }: { readonly entity: EntityFacts; readonly isNested: boolean },
  context: Context,
) {
  const { reader, writer, facts } = context;
  const args = readArguments(field, context);
  let filter: ReadFilter = args.filter === null ? { kind: "and", of: [] } : reader.readFilter(args.filter);
  // Rows below a row are of the same chain.
  let isOfOneChain = isNested;
  if (!isNested) {
    const split = splitChain(filter, findChainPath(entity.name, facts) ?? [CHAIN_FIELD]);
    context.takeChain(split.chain);
    ({ rest: filter, isOne: isOfOneChain } = split);
  }
  if (args.distinct !== null) {
    const unique = findUniqueColumn(args.distinct, entity, { facts, isOfOneChain });
    if (unique === null) throw unknownArgument("distinct_on", field);
    context.note(
      "port/distinct",
      `\`distinct_on\` of \`${responseKey(field)}\` is left out: \`${unique}\` is unique.`,
    );
  }
  const where = translateFilter(filter, { ...context, entity });
  const { order, direction } = writeOrder(args.order, { field, entity }, context);
  if (args.first === null) {
    context.note(
      "port/no-limit",
      `\`${responseKey(field)}\` has no limit; multichain indexers usually return ${reader.rowCap} rows at most, as \`first: ${reader.rowCap}\` does.`,
    );
  }
  const first = args.first ?? intNode(reader.rowCap, field.loc);
  return writer.writeArguments({ id: null, filter: where, order, direction, first, skip: args.skip });
}

function writeOrder(
  value: ValueNode | null,
  { field, entity }: { readonly field: FieldNode; readonly entity: EntityFacts },
  context: Context,
): { readonly order: ValueNode | null; readonly direction: ValueNode | null } {
  const terms = value === null ? [] : context.reader.readOrder(value);
  const [first, second] = terms;
  if (first === undefined) {
    context.note(
      "port/order-open",
      `The original leaves the order of \`${responseKey(field)}\` open; it is by id now.`,
    );
    return { order: null, direction: null };
  }
  if (first.path.length === 0) {
    throw new Unreadable(
      "port/order-variable",
      `\`${print(first.direction)}\` holds an order in the grammar of multichain, which callers would have to rewrite.`,
    );
  }
  const isById = first.path.join() === "id";
  if (!isById && second === undefined) {
    context.note(
      "port/ties-open",
      `The original leaves the order of equal rows of \`${responseKey(field)}\` open; they come by id now.`,
    );
  }
  const isTieBreak = second?.path.join() === "id" && print(second.direction) === print(first.direction);
  if (!isById && second !== undefined && !isTieBreak) {
    throw new Unreadable(
      "port/order",
      `Rows of \`${responseKey(field)}\` are ordered by several columns; subgraphs order by one, and equal rows by id.`,
    );
  }
  const path = context.writer.orderName(first.path);
  const ordered = entity.fields.get(first.path[0] ?? "");
  const isColumn = ordered !== undefined && (ordered.kind !== "list" || isRequired(ordered.authoredType));
  // Compiling reports everything else.
  if (path === null || !isColumn) {
    throw new Unreadable(
      "port/order",
      `Subgraphs cannot order ${entity.name} by \`${first.path.join(".")}\`.`,
    );
  }
  return { order: enumNode(path, field.loc), direction: first.direction };
}
