import {
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type InlineFragmentNode,
  Kind,
  type SelectionSetNode,
} from "graphql";
import type { Budget } from "../served-style.ts";
import { type Arguments, coerceArguments } from "./coerce.ts";
import { type Location, messages, refuse } from "./messages.ts";
import { locationOf } from "./parse-document.ts";
import { readLiteral, type Variables } from "./query-value.ts";
import type { IndexedField, SchemaIndex } from "./schema-index.ts";

/** A selected field: arguments coerced, fragments expanded, skipped fields dropped. */
export type SelectedField = {
  readonly key: string;
  readonly name: string;
  readonly field: IndexedField;
  readonly args: Arguments;
  readonly location: Location;
  /** The sub-selection for each possible object type; empty for leaves. */
  readonly selection: Selection;
  /** Has a sub-selection whose fields are all skipped or of other types: the server then fetches nothing. */
  readonly hollow: boolean;
};

/** Fields in response order, by object type. */
export type Selection = ReadonlyMap<string, readonly SelectedField[]>;

type SelectContext = {
  readonly budget: Budget;
  readonly index: SchemaIndex;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Variables;
};

/**
 * Prepares the root selection set. The whole query is prepared before any of it runs, in the order of the text, so
 * that a misfit argument anywhere fails the request.
 *
 * @throws QueryError with the arguments of one field that do not fit: the server looks no further than that.
 */
export function selectRoot(root: SelectionSetNode, context: SelectContext): readonly SelectedField[] {
  const { budget, index, fragments, variables } = context;

  /** @param types the possible object types. */
  function select(set: SelectionSetNode, type: string, types: readonly string[]): Selection {
    const fieldsByType = new Map(types.map((each) => [each, new Map<string, SelectedField>()]));
    const spread = new Set<string>();
    const selectOn = (on: FragmentDefinitionNode | InlineFragmentNode) => {
      if (isSkipped(on.directives, variables)) return;
      const condition = on.typeCondition?.name.value ?? type;
      const within = index.concreteTypes(condition).filter((each) => fieldsByType.has(each));
      for (const [each, fields] of select(on.selectionSet, condition, within)) {
        for (const field of fields) merge(fieldsByType.get(each), field);
      }
    };
    for (const node of set.selections) {
      if (node.kind === Kind.INLINE_FRAGMENT) selectOn(node);
      else if (node.kind === Kind.FIELD) {
        const field = selectField(node, type);
        if (field) for (const fields of fieldsByType.values()) merge(fields, field);
      } else if (!spread.has(node.name.value)) {
        spread.add(node.name.value);
        // Directives count on the definition of a fragment, not on its spread.
        const fragment = fragments.get(node.name.value);
        if (fragment) selectOn(fragment);
      }
    }
    return new Map([...fieldsByType].map(([each, fields]) => [each, [...fields.values()]]));
  }

  function selectField(node: FieldNode, type: string): SelectedField | undefined {
    const field = index.field(type, node.name.value);
    if (field === undefined) return refuse(messages.unknownField(type, node.name.value, locationOf(node)));
    // The server ignores directives of `__typename`, which is not a field to it.
    if (node.name.value !== "__typename" && isSkipped(node.directives, variables)) return undefined;
    budget.spend(PREPARING);
    const args = coerceArguments(node, field, context);
    // An object without a sub-selection is dropped; the sub-selection of a leaf is ignored (lenient).
    if (!field.leaf && node.selectionSet === undefined) return undefined;
    const key = node.alias?.value ?? field.name;
    const selection =
      field.leaf || node.selectionSet === undefined
        ? NO_SELECTION
        : select(node.selectionSet, field.base, index.concreteTypes(field.base));
    const location = locationOf(node);
    return { key, name: field.name, field, args, location, selection, hollow: isHollow(field, selection) };
  }

  /**
   * Of several fields under one key the first wins, with the sub-selections of all. They may be different
   * fields, of object types that the first can have.
   */
  function merge(fields: Map<string, SelectedField> | undefined, { key, ...other }: SelectedField): void {
    const first = fields?.get(key);
    if (first === undefined) return void fields?.set(key, { key, ...other });
    const merged = new Map(first.selection);
    for (const [type, added] of other.selection) {
      const fields = merged.get(type) ?? refuse(messages.notMergeable(type));
      budget.spend(fields.length);
      const all = new Map(fields.map((each) => [each.key, each]));
      for (const each of added) merge(all, each);
      merged.set(type, [...all.values()]);
    }
    fields?.set(key, { ...first, selection: merged, hollow: isHollow(first.field, merged) });
  }

  return select(root, index.queryType, [index.queryType]).get(index.queryType) ?? [];
}

/** Preparing a field costs as much as this many values. */
const PREPARING = 20;

const NO_SELECTION: Selection = new Map();

function isHollow({ leaf }: IndexedField, selection: Selection): boolean {
  return !leaf && [...selection.values()].every((fields) => fields.length === 0);
}

function isSkipped(directives: readonly DirectiveNode[] | undefined, variables: Variables): boolean {
  return (directives ?? []).some((directive) => {
    const name = directive.name.value;
    if (name !== "skip" && name !== "include") return false;
    const condition = directive.arguments?.find((argument) => argument.name.value === "if")?.value;
    const value = condition && readLiteral(condition, variables);
    // Without a condition the directive applies; a condition that is not a boolean counts as false.
    const applies = value === undefined || (value.kind === "Boolean" && value.value);
    return applies === (name === "skip");
  });
}
