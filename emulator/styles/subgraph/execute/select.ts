import {
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from "graphql";
import type { Budget } from "../../budget.ts";
import { type Arguments, coerceArguments } from "./coerce.ts";
import { messages } from "./messages.ts";
import { locationOf } from "./parse-query.ts";
import { type ErrorEntry, type Location, QueryError, refuse } from "./query-error.ts";
import { readLiteral, type Variables } from "./query-value.ts";
import type { IndexedField, SchemaIndex } from "./schema-index.ts";

/** A field to answer: its arguments coerced, fragments expanded, skipped fields gone. */
export type SelectedField = {
  readonly key: string;
  readonly name: string;
  readonly field: IndexedField;
  readonly args: Arguments;
  readonly location: Location;
  /** The sub-selection for each object type that can occur; empty for leaves. */
  readonly selection: Selection;
  /** There is a sub-selection, and all of it is skipped: what the server then fetches nothing for. */
  readonly hollow: boolean;
};

/** Fields in the order of the answer, by the object type they are asked of. */
export type Selection = ReadonlyMap<string, readonly SelectedField[]>;

export type SelectContext = {
  readonly budget: Budget;
  readonly index: SchemaIndex;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Variables;
};

/**
 * Prepares the root selection set. The whole query is prepared before any of it runs, so an argument that does
 * not fit fails the request wherever it stands.
 *
 * @throws QueryError with the arguments of one field that do not fit: the server looks no further than that.
 */
export function selectRoot(root: SelectionSetNode, context: SelectContext): readonly SelectedField[] {
  const { budget, index, fragments, variables } = context;
  const coerced = new Map<FieldNode, Map<IndexedField, Arguments>>();

  function select(sets: readonly TypedSet[], type: string): Selection {
    return new Map(index.concreteTypes(type).map((concrete) => [concrete, fieldsFor(concrete, sets)]));
  }

  function fieldsFor(concrete: string, sets: readonly TypedSet[]): readonly SelectedField[] {
    const found = new Map<string, Occurrence[]>();
    const spread = new Set<string>();
    for (const { set, type } of sets) {
      if (index.concreteTypes(type).includes(concrete)) collect(set, type, concrete, found, spread);
    }
    const fields: SelectedField[] = [];
    for (const [key, occurrences] of found) {
      budget.spend(PREPARING * occurrences.length);
      const selected = selectField(key, occurrences);
      if (selected) fields.push(selected);
    }
    return fields;
  }

  function collect(
    set: SelectionSetNode,
    type: string,
    concrete: string,
    found: Map<string, Occurrence[]>,
    spread: Set<string>,
  ): void {
    for (const node of set.selections) {
      switch (node.kind) {
        case Kind.FIELD: {
          const field = index.field(type, node.name.value);
          // The server looks at no directive of `__typename`, which is no field to it.
          const skipped = node.name.value !== "__typename" && isSkipped(node.directives, variables);
          if (field === undefined || skipped) break;
          const key = node.alias?.value ?? node.name.value;
          const before = found.get(key) ?? [];
          // What is dropped keeps no place in the answer.
          if (isAnswered({ node, field }) && !before.some(isAnswered)) found.delete(key);
          found.set(key, [...before, { node, field }]);
          break;
        }
        case Kind.FRAGMENT_SPREAD: {
          // Directives count on the definition of a fragment, not where it is spread (B.1).
          const name = node.name.value;
          const fragment = fragments.get(name);
          if (fragment === undefined || spread.has(name)) break;
          spread.add(name);
          if (isSkipped(fragment.directives, variables)) break;
          const condition = fragment.typeCondition.name.value;
          if (!index.concreteTypes(condition).includes(concrete)) break;
          collect(fragment.selectionSet, condition, concrete, found, spread);
          break;
        }
        case Kind.INLINE_FRAGMENT: {
          if (isSkipped(node.directives, variables)) break;
          const condition = node.typeCondition?.name.value ?? type;
          if (!index.concreteTypes(condition).includes(concrete)) break;
          collect(node.selectionSet, condition, concrete, found, spread);
          break;
        }
      }
    }
  }

  /**
   * Of several fields under one key the first wins, with the sub-selections of all (B.1). They need not be of one
   * field, only of object types the first can have.
   */
  function selectField(key: string, occurrences: readonly Occurrence[]): SelectedField | undefined {
    const args = occurrences.map((occurrence) => argumentsOf(occurrence));
    // An object without a sub-selection is dropped, as if it had not been asked for (B.1, lenient).
    const at = occurrences.findIndex(isAnswered);
    const first = occurrences[at];
    if (first === undefined) return undefined;
    const { node, field } = first;
    const sets: TypedSet[] = [];
    for (const { node: each, field: of } of occurrences.slice(at)) {
      // The sub-selection of a leaf is ignored.
      if (of.leaf || each.selectionSet === undefined) continue;
      checkMergeable(field, of, each.selectionSet);
      sets.push({ set: each.selectionSet, type: of.base });
    }
    const selection = field.leaf ? NO_SELECTION : select(sets, field.base);
    return {
      key,
      name: field.name,
      field,
      args: args[at] ?? new Map(),
      location: locationOf(node),
      selection,
      hollow: selection.size > 0 && [...selection.values()].every((fields) => fields.length === 0),
    };
  }

  function checkMergeable(first: IndexedField, other: IndexedField, set: SelectionSetNode): void {
    if (!first.leaf && first.base === other.base) return;
    const types = first.leaf ? [] : index.concreteTypes(first.base);
    const strange = index.concreteTypes(other.base).find((type) => !types.includes(type));
    if (strange === undefined) return;
    // What is wrong inside is found first.
    select([{ set, type: other.base }], other.base);
    refuse(messages.notMergeable(strange));
  }

  function argumentsOf({ node, field }: Occurrence): Arguments {
    const known = coerced.get(node);
    const found = known?.get(field);
    if (found) return found;
    const errors: ErrorEntry[] = [];
    const args = coerceArguments(node, field, variables, index, errors);
    if (errors.length > 0) throw new QueryError(errors);
    if (known) known.set(field, args);
    else coerced.set(node, new Map([[field, args]]));
    return args;
  }

  return fieldsFor(index.queryType, [{ set: root, type: index.queryType }]);
}

/** To prepare a field costs as much as so many values. */
const PREPARING = 20;

/** A sub-selection and the type it is made of. */
type TypedSet = { readonly set: SelectionSetNode; readonly type: string };

type Occurrence = { readonly node: FieldNode; readonly field: IndexedField };

const NO_SELECTION: Selection = new Map();

/** An object without a sub-selection is not. */
function isAnswered({ node, field }: Occurrence): boolean {
  return field.leaf || node.selectionSet !== undefined;
}

function isSkipped(directives: readonly DirectiveNode[] | undefined, variables: Variables): boolean {
  return (directives ?? []).some((directive) => {
    const name = directive.name.value;
    if (name !== "skip" && name !== "include") return false;
    const condition = directive.arguments?.find((argument) => argument.name.value === "if")?.value;
    const value = condition && readLiteral(condition, variables);
    // Without a condition the directive applies; a condition that is no boolean counts as false.
    const applies = value === undefined || (value.kind === "Boolean" && value.value);
    return applies === (name === "skip");
  });
}
