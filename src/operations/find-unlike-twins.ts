import {
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  Kind,
  type SelectionSetNode,
} from "graphql";
import { cached, sortByName } from "../base/collections.ts";
import { locateNode } from "../dialects/locate.ts";
import { responseKey } from "../dialects/make-node.ts";
import type { Pitfalls } from "../dialects/pitfalls.ts";
import { buildFileFinding } from "../report/codes/files.ts";
import { placeText } from "../report/describe-finding.ts";
import type { Finding } from "../report/finding.ts";
import { fieldDefinition } from "./collect-fields.ts";
import type { Operation, OperationSet } from "./operation-set.ts";

/** The operations of one style, and the schema they are valid for. */
export type Sibling = {
  readonly set: OperationSet;
  readonly schema: GraphQLSchema;
  readonly pitfalls: Pick<Pitfalls, "ownTypes">;
};

/**
 * Finds operations with the same name whose results have different shapes in the two styles: other keys, or another nesting.
 * Ignores the platforms' own types, such as the progress of an indexer, which always differ.
 */
export function findUnlikeTwins(sibling: Sibling, other: Sibling): Finding[] {
  const readers = { sibling: createReader(sibling), other: createReader(other) };
  const twins = new Map(other.set.operations.map((operation) => [operation.name, operation]));
  // Fragments that many operations spread are compared once.
  const alike = new Set<string>();
  return sibling.set.operations.flatMap((operation) => {
    const twin = twins.get(operation.name);
    // Portable operations are one file.
    if (twin === undefined || twin.file.path === operation.file.path) return [];
    const differences: Differences = { sibling: [], other: [], nesting: [] };
    compare(readers.sibling.open(operation), readers.other.open(twin), { path: "", differences });
    const lines = [
      ...describe(differences.sibling, `only ${sibling.set.style} has `),
      ...describe(differences.other, `only ${other.set.style} has `),
      ...describe(differences.nesting, "a list, an object or a value only in one of them: "),
    ];
    if (lines.length === 0) return [];
    const { name, file, node } = operation;
    return buildFileFinding("operation/unlike-twins", [name, lines], {
      subject: name,
      place: locateNode(file.path, node.name ?? node),
      fix: `the other is ${placeText(locateNode(twin.file.path, twin.node.name ?? twin.node))}: give both the same keys, by aliases, or give one another name.`,
    });
  });

  /** Compares two results, and adds the paths of their differences until there are more than are shown. */
  function compare(
    parts: readonly Part[],
    twinParts: readonly Part[],
    { path, differences }: { readonly path: string; readonly differences: Differences },
  ): void {
    const pair = `${readers.sibling.keyOf(parts)} ${readers.other.keyOf(twinParts)}`;
    if (alike.has(pair)) return;
    const fields = readers.sibling.read(parts);
    const twinFields = readers.other.read(twinParts);
    const lists = Object.values(differences);
    const before = lists.flat().length;
    for (const { name, isList, below } of sortByName([...fields.values()])) {
      const twin = twinFields.get(name);
      const fieldPath = `${path}${name}`;
      if (twin === undefined) differences.sibling.push(fieldPath);
      else if (twin.isList !== isList || (twin.below === null) !== (below === null)) {
        differences.nesting.push(fieldPath);
      } else if (twin.below && below) compare(below, twin.below, { path: `${fieldPath}.`, differences });
      // More paths are not shown.
      if (lists.some(({ length }) => length > MOST)) return;
    }
    const added = sortByName([...twinFields.values()].filter(({ name }) => !fields.has(name)));
    differences.other.push(...added.map(({ name }) => `${path}${name}`));
    if (lists.flat().length === before) alike.add(pair);
  }
}

/** The paths that only one of two results has, or that are nested differently. */
type Differences = { readonly sibling: string[]; readonly other: string[]; readonly nesting: string[] };

/** A selection of fields, and the type they are of. */
type Part = { readonly set: SelectionSetNode; readonly type: GraphQLNamedType | null | undefined };

/** A key of a result, with the selections below it; null for a value that is not an object. */
type Field = { readonly name: string; readonly isList: boolean; readonly below: Part[] | null };

/** Creates functions that read the fields of results. */
function createReader({ set: { fragments }, schema, pitfalls }: Sibling) {
  const numbers = new Map<SelectionSetNode, number>();
  const numberOf = ({ set }: Part) => cached(numbers, set, () => numbers.size);
  return {
    open: ({ node }: Operation): Part[] => [
      { set: node.selectionSet, type: schema.getRootType(node.operation) },
    ],
    /** Returns a text that is the same for the same selections. */
    keyOf: (parts: readonly Part[]) => [...new Set(parts.map(numberOf))].join(),
    read,
  };

  function read(parts: readonly Part[]): ReadonlyMap<string, Field> {
    const fields = new Map<string, Field>();
    const spread = new Set<string>();
    for (const part of parts) collect(part);
    return fields;

    function collect({ set: { selections }, type }: Part): void {
      for (const selection of selections) {
        if (selection.kind === Kind.FIELD) add(selection, type);
        else if (selection.kind === Kind.INLINE_FRAGMENT) {
          const condition = selection.typeCondition?.name.value;
          const conditionType = condition === undefined ? type : schema.getType(condition);
          collect({ set: selection.selectionSet, type: conditionType });
        } else {
          const fragment = fragments.get(selection.name.value);
          if (!fragment || spread.has(fragment.name)) continue;
          spread.add(fragment.name);
          const { selectionSet, typeCondition } = fragment.node;
          collect({ set: selectionSet, type: schema.getType(typeCondition.name.value) });
        }
      }
    }

    function add(node: FieldNode, parent: Part["type"]): void {
      const answer = parent && fieldDefinition(parent, node.name.value)?.type;
      const set = node.selectionSet;
      const type = answer && set ? getNamedType(answer) : null;
      if (type && pitfalls.ownTypes.has(type.name)) return;
      const name = responseKey(node);
      const isList = answer ? isListType(getNullableType(answer)) : false;
      const field = cached(fields, name, () => ({ name, isList, below: set ? [] : null }));
      if (set) field.below?.push({ set, type });
    }
  }
}

/** How many paths of a kind are shown. */
const MOST = 3;

function describe(paths: readonly string[], before: string): string[] {
  if (paths.length === 0) return [];
  return [`${before}${paths.slice(0, MOST).join(", ")}${paths.length > MOST ? " and more" : ""}`];
}
