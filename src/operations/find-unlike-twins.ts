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
  const shapes = new Map<string, Shape>();
  const shapeOfOne = createShaper(sibling, shapes);
  const shapeOfOther = createShaper(other, shapes);
  const twins = new Map(other.set.operations.map((operation) => [operation.name, operation]));
  return sibling.set.operations.flatMap((operation) => {
    const twin = twins.get(operation.name);
    // Portable operations are one file.
    if (twin === undefined || twin.file.path === operation.file.path) return [];
    const [shape, twinShape] = [shapeOfOne(operation), shapeOfOther(twin)];
    if (shape === twinShape) return [];
    const differences: Differences = { one: [], other: [], nesting: [] };
    compareShapes({ one: shape, other: twinShape }, "", differences);
    const said = [
      ...describe(differences.one, `only ${sibling.set.style} has `),
      ...describe(differences.other, `only ${other.set.style} has `),
      ...describe(differences.nesting, "a list, an object or a value only in one of them: "),
    ];
    const { name, file, node } = operation;
    return buildFileFinding("operation/unlike-twins", [name, said], {
      subject: name,
      place: locateNode(file.path, node.name ?? node),
      fix: `the other is ${placeText(locateNode(twin.file.path, twin.node.name ?? twin.node))}: give both the same keys, by aliases, or give one another name.`,
    });
  });
}

/** The shape of a result. Equal shapes are the same object. */
type Shape = { readonly number: number; readonly members: ReadonlyMap<string, Member> };

/** The value of a key; it is an object if it has a shape. */
type Member = { readonly isList: boolean; readonly shape: Shape | null };

/** A selection of fields, and the type they are of. */
type Part = { readonly set: SelectionSetNode; readonly type: GraphQLNamedType | null | undefined };

/** The result of a field, with its type if it has a selection. */
type Answer = { readonly isList: boolean; readonly type: Part["type"] };

/** Creates a function that returns the shape of an operation's result. Each selection is visited once, wherever it is spread. */
function createShaper(
  { set: { fragments }, schema, pitfalls }: Sibling,
  shapes: Map<string, Shape>,
): (operation: Operation) => Shape {
  const byParts = new Map<string, Shape>();
  const numbers = new Map<SelectionSetNode, number>();
  const numberOf = ({ set }: Part) => cached(numbers, set, () => numbers.size);
  // Most fields are in fragments that many operations spread.
  const answers = new Map<FieldNode, Answer>();
  const answerOf = (node: FieldNode, type: Part["type"]) =>
    cached(answers, node, () => {
      const answer = type && fieldDefinition(type, node.name.value)?.type;
      if (!answer) return { isList: false, type: null };
      return { isList: isListType(getNullableType(answer)), type: node.selectionSet && getNamedType(answer) };
    });

  const shapeOf = (parts: readonly Part[]): Shape =>
    cached(byParts, [...new Set(parts.map(numberOf))].join(), () => {
      const members = sortByName([...collectFields(parts).values()]).map(({ name, isList, below }) => {
        return [name, { isList, shape: below === null ? null : shapeOf(below) }] as const;
      });
      const text = members.map(([name, { isList, shape }]) => [name, isList, shape?.number ?? null]);
      return cached(shapes, JSON.stringify(text), () => ({ number: shapes.size, members: new Map(members) }));
    });

  /** Collects the fields of a result by key, with the selections below each; null for values that are not objects. */
  const collectFields = (parts: readonly Part[]) => {
    const fields = new Map<string, { name: string; isList: boolean; below: Part[] | null }>();
    const spread = new Set<string>();
    const collect = ({ set: { selections }, type }: Part): void => {
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
          const { selectionSet: set, typeCondition } = fragment.node;
          collect({ set, type: schema.getType(typeCondition.name.value) });
        }
      }
    };
    const add = (node: FieldNode, on: Part["type"]) => {
      const { isList, type } = answerOf(node, on);
      if (type && pitfalls.ownTypes.has(type.name)) return;
      const key = (node.alias ?? node.name).value;
      const set = node.selectionSet;
      const field = cached(fields, key, () => ({ name: key, isList, below: set ? [] : null }));
      if (set) field.below?.push({ set, type });
    };
    for (const part of parts) collect(part);
    return fields;
  };

  return ({ node }) => shapeOf([{ set: node.selectionSet, type: schema.getRootType(node.operation) }]);
}

/** The paths that are only in one of two shapes, or are nested differently. */
type Differences = { readonly one: string[]; readonly other: string[]; readonly nesting: string[] };

function compareShapes(
  { one, other }: { readonly one: Shape; readonly other: Shape },
  path: string,
  into: Differences,
): void {
  for (const [name, member] of one.members) {
    const twin = other.members.get(name);
    const fieldPath = `${path}${name}`;
    if (twin === undefined) into.one.push(fieldPath);
    else if (twin.isList !== member.isList) into.nesting.push(fieldPath);
    else if (twin.shape === null || member.shape === null) {
      if (twin.shape !== member.shape) into.nesting.push(fieldPath);
    } else if (twin.shape !== member.shape) {
      compareShapes({ one: member.shape, other: twin.shape }, `${fieldPath}.`, into);
    }
    // More paths are not shown.
    if (Math.max(into.one.length, into.nesting.length) > MOST) return;
  }
  for (const name of other.members.keys()) {
    if (!one.members.has(name) && into.other.length <= MOST) into.other.push(`${path}${name}`);
  }
}

/** How many paths of a kind are shown. */
const MOST = 3;

function describe(paths: readonly string[], before: string): string[] {
  if (paths.length === 0) return [];
  return [`${before}${paths.slice(0, MOST).join(", ")}${paths.length > MOST ? " and more" : ""}`];
}
