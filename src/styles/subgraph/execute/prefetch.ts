import type { Row } from "../../../model/rows.ts";
import { type Collection, pageOfAll, pageOfSome, readCollection } from "./collection.ts";
import { decodeText } from "./decode-value.ts";
import { type FilterContext, idsOf } from "./filter.ts";
import { messages } from "./messages.ts";
import { type QueryError, Refusal, refuse } from "./refusal.ts";
import type { Attribute, EntityFacts } from "./schema-index.ts";
import type { SelectedField, Selection } from "./select.ts";
import { type Entry, idOf } from "./tables.ts";

/** An entity of the answer with the entities below it. Equal entities under one field are one node. */
export type Node = {
  readonly type: string;
  readonly row: Row;
  readonly children: Map<SelectedField, readonly Node[]>;
};

/**
 * Fetches the entities a root field asks for, level by level: each field is read once for all its parents, so
 * arguments are judged only where there is a parent, and an error is reported once and not per parent.
 *
 * @throws Refusal with all errors of the level that failed first.
 */
export function prefetchRoot(field: SelectedField, context: FilterContext): readonly Node[] {
  const entity = context.index.entity(field.field.base);
  if (entity === undefined) return refuse(messages.unknownType(field.field.base));
  const nodes = nodesOf(fetchRoot(field, entity, context), new Map());
  prefetchChildren(nodes, field.selection, context);
  return nodes;
}

function fetchRoot(field: SelectedField, entity: EntityFacts, context: FilterContext): readonly Entry[] {
  if (field.args.has("text") && field.field.list) {
    refuse(messages.notSupported(`fulltext search is not served by this emulator: \`${field.name}\``));
  }
  if (field.field.list) return pageOfAll(readCollection(entity, field.args, context, false), context);
  const id = field.args.get("id");
  if (id?.kind !== "String") return [];
  const decoded = decodeText(entity.attribute("id")?.valueType ?? "ID", id.value);
  const entry = context.tables.find(entity.name, String(decoded));
  return entry ? [entry] : [];
}

function prefetchChildren(parents: readonly Node[], selection: Selection, context: FilterContext): void {
  const errors: QueryError[] = [];
  for (const [type, fields] of selection) {
    const ofType = parents.filter((parent) => parent.type === type);
    if (ofType.length === 0) continue;
    for (const field of fields) {
      if (field.field.leaf) continue;
      try {
        const known = new Map<string, Node>();
        const fetch = childFetcher(type, field, context);
        for (const parent of ofType) parent.children.set(field, nodesOf(fetch(parent.row), known));
        prefetchChildren([...known.values()], field.selection, context);
      } catch (cause) {
        if (!(cause instanceof Refusal)) throw cause;
        errors.push(...cause.errors);
      }
    }
  }
  if (errors.length > 0) throw new Refusal(errors);
}

function nodesOf(entries: readonly Entry[], known: Map<string, Node>): readonly Node[] {
  return entries.map(({ type, row }) => {
    const id = idOf(row);
    const before = known.get(id);
    if (before) return before;
    const node: Node = { type, row, children: new Map() };
    known.set(id, node);
    return node;
  });
}

function childFetcher(
  type: string,
  field: SelectedField,
  context: FilterContext,
): (parent: Row) => readonly Entry[] {
  const { index, tables } = context;
  const attribute = index.entity(type)?.attribute(field.name);
  const target = index.entity(field.field.base);
  if (attribute === undefined || target === undefined) return refuse(messages.unknownType(field.field.base));
  const collection: Collection | null = attribute.list
    ? readCollection(target, field.args, context, true)
    : null;
  return (parent) => {
    const entries = related(parent, attribute, tables);
    return collection === null ? entries : pageOfSome(entries, collection, context);
  };
}

/** The existing entities a field of a row refers to, each once, in no order. */
function related(parent: Row, attribute: Attribute, tables: FilterContext["tables"]): readonly Entry[] {
  const { base, name, derivedFrom } = attribute;
  if (derivedFrom !== null) return tables.matching(base, derivedFrom, parent["id"] ?? null);
  const entries: Entry[] = [];
  for (const id of new Set(idsOf(parent[name]))) {
    const entry = tables.find(base, id);
    if (entry) entries.push(entry);
  }
  return entries;
}
