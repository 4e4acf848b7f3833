import {
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from "graphql";
import { type Arguments, coerceArguments } from "./coerce.ts";
import { locationOf } from "./parse-query.ts";
import { readLiteral, type Variables } from "./query-value.ts";
import { type Location, type QueryError, Refusal } from "./refusal.ts";
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
};

/** Fields in the order of the answer, by the object type they are asked of. */
export type Selection = ReadonlyMap<string, readonly SelectedField[]>;

export type SelectContext = {
  readonly index: SchemaIndex;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Variables;
};

/**
 * Prepares the root selection set. The whole query is prepared before any of it runs, so an argument that does
 * not fit fails the request wherever it stands.
 *
 * @throws Refusal with the arguments of one field that do not fit: the server looks no further than that.
 */
export function selectRoot(root: SelectionSetNode, context: SelectContext): readonly SelectedField[] {
  const { index, fragments, variables } = context;
  const coerced = new Map<FieldNode, Map<IndexedField, Arguments>>();

  function select(sets: readonly SelectionSetNode[], type: string): Selection {
    return new Map(index.concreteTypes(type).map((concrete) => [concrete, fieldsFor(concrete, sets, type)]));
  }

  function fieldsFor(
    concrete: string,
    sets: readonly SelectionSetNode[],
    type: string,
  ): readonly SelectedField[] {
    const found = new Map<string, Occurrence[]>();
    const spread = new Set<string>();
    for (const set of sets) collect(set, type, concrete, found, spread);
    const fields: SelectedField[] = [];
    for (const [key, occurrences] of found) {
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
          const before = found.get(key);
          if (before) before.push({ node, field });
          else found.set(key, [{ node, field }]);
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

  /** Of several fields under one key the first wins, with the sub-selections of all. */
  function selectField(key: string, occurrences: readonly Occurrence[]): SelectedField | undefined {
    const [first] = occurrences;
    if (first === undefined) return undefined;
    const args = occurrences.map((occurrence) => argumentsOf(occurrence))[0] ?? new Map();
    const { node, field } = first;
    const sets = occurrences.flatMap((occurrence) =>
      occurrence.node.selectionSet && occurrence.field.base === field.base
        ? [occurrence.node.selectionSet]
        : [],
    );
    // An object without a sub-selection is dropped, a sub-selection of a leaf ignored (B.1, lenient).
    if (!field.leaf && sets.length === 0) return undefined;
    return {
      key,
      name: field.name,
      field,
      args,
      location: locationOf(node),
      selection: field.leaf ? NO_SELECTION : select(sets, field.base),
    };
  }

  function argumentsOf({ node, field }: Occurrence): Arguments {
    const known = coerced.get(node);
    const found = known?.get(field);
    if (found) return found;
    const errors: QueryError[] = [];
    const args = coerceArguments(node, field, variables, index, errors);
    if (errors.length > 0) throw new Refusal(errors);
    if (known) known.set(field, args);
    else coerced.set(node, new Map([[field, args]]));
    return args;
  }

  return fieldsFor(index.queryType, [root], index.queryType);
}

type Occurrence = { readonly node: FieldNode; readonly field: IndexedField };

const NO_SELECTION: Selection = new Map();

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
