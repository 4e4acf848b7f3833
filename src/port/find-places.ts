import { type FieldNode, Kind, type SelectionSetNode, type ValueNode, visit } from "graphql";
import { cached } from "../base/collections.ts";
import type { AuthoredOperator } from "../dialects/portable-style.ts";
import type { EntityFacts, Facts } from "../operations/portable/read-entities.ts";
import { fieldsOf, rootFields } from "./classify-surface.ts";
import { type Definitions, targetOf } from "./port-types.ts";

export type VariablePlace =
  | {
      /** It is compared with a column of the rows of a root field, or of rows below them. */
      readonly kind: "column";
      readonly root: RootPlace;
      /** The path of fields to the column. */
      readonly path: readonly string[];
      readonly operator: AuthoredOperator;
      readonly isListColumn: boolean;
    }
  | { readonly kind: "first" | "skip" | "direction" | "condition" | "other" }
  | { readonly kind: "order" | "filter"; readonly root: RootPlace; readonly entity: EntityFacts };

/** A root field. Its rows have the values of variables. */
export type RootPlace = {
  readonly entity: EntityFacts;
  /** The filter without the parts that contain variables; null without one. */
  readonly filter: ValueNode | null;
  /** The columns to read, by their path. */
  readonly paths: Set<string>;
};

/** The root fields of a portable operation, and the first place of each of its variables. */
export type OperationPlaces = {
  readonly roots: readonly RootPlace[];
  readonly places: ReadonlyMap<string, VariablePlace>;
};

/** Finds the places of the variables of a portable operation, to give them values of existing rows. */
export function findPlaces({ node, fragments }: Definitions, facts: Facts): OperationPlaces {
  const { grammar } = facts.authored;
  const roots: RootPlace[] = [];
  const places = new Map<string, VariablePlace>();
  for (const field of rootFields({ node, fragments })) readRoot(field);
  for (const definition of [node, ...fragments]) {
    visit(definition, {
      VariableDefinition: () => false,
      Directive: ({ arguments: args = [] }) => {
        for (const { value } of args) note(value, { kind: "condition" });
      },
    });
  }
  return { roots, places };

  /** A comparison for equality is the most specific one. */
  function note(value: ValueNode | undefined, place: VariablePlace): void {
    if (value?.kind === Kind.LIST) for (const item of value.values) note(item, place);
    if (value?.kind !== Kind.VARIABLE) return;
    const earlier = places.get(value.name.value);
    if (earlier === undefined || (isEquality(place) && !isEquality(earlier)))
      places.set(value.name.value, place);
  }

  function readRoot(field: FieldNode): void {
    const rootFacts = facts.root(field.name.value);
    const entity = rootFacts === undefined ? undefined : facts.entity(rootFacts.entity);
    if (rootFacts === undefined || entity === undefined) return;
    const args = grammar.readArguments(field);
    const filter = args.filter === null ? null : withoutVariables(args.filter.value);
    const root: RootPlace = { entity, filter, paths: new Set(["id"]) };
    roots.push(root);
    if (rootFacts.kind === "lookup" && args.id !== null) {
      const operator = { name: "equal", isNegated: false, ignoresCase: false } as const;
      note(args.id.value, { kind: "column", root, path: ["id"], operator, isListColumn: false });
    }
    readArguments(field, { root, entity, path: [] });
    readBelow(field.selectionSet, { root, entity, path: [] });
  }

  function readArguments(field: FieldNode, at: Position): void {
    const { first, skip, order, direction, filter } = grammar.readArguments(field);
    note(first?.value, { kind: "first" });
    note(skip?.value, { kind: "skip" });
    note(direction?.value, { kind: "direction" });
    note(order?.value, { kind: "order", root: at.root, entity: at.entity });
    if (order?.value.kind === Kind.VARIABLE) addColumns(at);
    if (filter !== null) readFilter(filter.value, at);
  }

  function readFilter(value: ValueNode, at: Position): void {
    if (value.kind === Kind.VARIABLE) {
      note(value, { kind: "filter", root: at.root, entity: at.entity });
      addColumns(at);
    }
    if (value.kind === Kind.LIST) for (const item of value.values) readFilter(item, at);
    if (value.kind !== Kind.OBJECT) return;
    for (const { name, value: condition } of value.fields) {
      if (grammar.readFilterWord(name.value) !== null) {
        if (condition.kind !== Kind.VARIABLE) readFilter(condition, at);
        continue;
      }
      const [match] = grammar.readFilterName(name.value).flatMap(({ field, operator }) => {
        const facts = at.entity.fields.get(field);
        return facts === undefined ? [] : [{ facts, operator }];
      });
      if (match === undefined) continue;
      const { facts: field, operator } = match;
      if (operator.name === "related") {
        const target = field.kind === "column" ? undefined : facts.entity(field.target);
        if (target !== undefined)
          readFilter(condition, { ...at, entity: target, path: [...at.path, field.name] });
        continue;
      }
      const path = [...at.path, field.name, ...(field.kind === "reference" ? ["id"] : [])];
      const isListColumn = field.kind === "column" && field.type.isList;
      if (hasVariable(condition)) at.root.paths.add(path.join("."));
      note(condition, { kind: "column", root: at.root, path, operator, isListColumn });
    }
  }

  /** Reads all plain columns: values of whole filters and orders are built from them. */
  function addColumns({ root, entity, path }: Position): void {
    if (path.length > 0) return;
    for (const field of entity.fields.values()) {
      const isPlain = field.kind === "column" && !field.type.isList && PLAIN.has(field.type.name);
      if (isPlain && field.writtenType !== null && !grammar.isAmbiguous(field.name))
        root.paths.add(field.name);
    }
  }

  function readBelow(set: SelectionSetNode | undefined, at: Position): void {
    for (const field of set ? fieldsOf(set, fragments) : []) {
      const target = targetOf(at.entity, field.name.value, facts);
      if (target === undefined) continue;
      const below = { ...at, entity: target, path: [...at.path, field.name.value] };
      readArguments(field, below);
      readBelow(field.selectionSet, below);
    }
  }
}

type Position = { readonly root: RootPlace; readonly entity: EntityFacts; readonly path: readonly string[] };

/** The types whose values both styles write and compare alike. */
const PLAIN: ReadonlySet<string> = new Set(["BigInt", "Boolean", "Bytes", "Int", "String"]);

function isEquality(place: VariablePlace): boolean {
  return place.kind === "column" && place.operator.name === "equal" && !place.operator.isNegated;
}

const withVariables = new WeakMap<ValueNode, boolean>();

function hasVariable(value: ValueNode): boolean {
  return cached(withVariables, value, () => {
    if (value.kind === Kind.LIST) return value.values.some(hasVariable);
    if (value.kind === Kind.OBJECT) return value.fields.some((field) => hasVariable(field.value));
    return value.kind === Kind.VARIABLE;
  });
}

/** Returns a filter without the conditions that contain variables; null if nothing is left. */
function withoutVariables(value: ValueNode): ValueNode | null {
  if (!hasVariable(value)) return value;
  if (value.kind === Kind.LIST) {
    const values = value.values.map(withoutVariables).filter((item) => item !== null);
    return values.length === 0 ? null : { ...value, values };
  }
  if (value.kind !== Kind.OBJECT) return null;
  const fields = value.fields.flatMap((field) => {
    // One of several conditions is not necessary.
    const rest = field.name.value === "or" ? null : withoutVariables(field.value);
    return rest === null ? [] : [{ ...field, value: rest }];
  });
  return fields.length === 0 ? null : { ...value, fields };
}
