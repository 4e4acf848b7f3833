import { type FragmentDefinitionNode, Kind, type SelectionSetNode } from "graphql";
import { messages } from "./messages.ts";
import { locationOf, type ParsedQuery } from "./parse-query.ts";
import { type QueryError, Refusal, refuse } from "./refusal.ts";
import type { SchemaIndex } from "./schema-index.ts";

/** How many selection sets may lie in each other; fragments count (B.10). */
const MAX_DEPTH = 255;

/**
 * Checks what even a lenient server checks before it runs a query: depth and fragment cycles first, then that
 * every field exists, skipped or not.
 *
 * @throws Refusal
 */
export function validateQuery({ operation, fragments }: ParsedQuery, index: SchemaIndex): void {
  checkDepth(operation.selectionSet, fragments);
  checkFields(operation.selectionSet, fragments, index);
}

function checkDepth(root: SelectionSetNode, fragments: ReadonlyMap<string, FragmentDefinitionNode>): void {
  const heights = new Map<string, number>();
  const open = new Set<string>();

  function height(set: SelectionSetNode, depth: number): number {
    if (depth >= MAX_DEPTH) refuse(messages.tooDeep(MAX_DEPTH));
    let most = 0;
    for (const node of set.selections) {
      if (node.kind === Kind.FRAGMENT_SPREAD)
        most = Math.max(most, fragmentHeight(node.name.value, depth + 1));
      else if (node.selectionSet) most = Math.max(most, height(node.selectionSet, depth + 1));
    }
    return most + 1;
  }

  function fragmentHeight(name: string, depth: number): number {
    if (open.has(name)) refuse(messages.fragmentCycle(name));
    const known = heights.get(name);
    if (known !== undefined) {
      if (depth + known > MAX_DEPTH) refuse(messages.tooDeep(MAX_DEPTH));
      return known;
    }
    const fragment = fragments.get(name);
    if (fragment === undefined) return 0;
    open.add(name);
    const found = height(fragment.selectionSet, depth);
    open.delete(name);
    heights.set(name, found);
    return found;
  }

  height(root, 0);
}

function checkFields(
  root: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  index: SchemaIndex,
): void {
  const errors: QueryError[] = [];
  // A fragment is checked once, however often it is spread: nested spreads would multiply otherwise.
  const checked = new Set<string>();

  function check(set: SelectionSetNode, type: string): void {
    for (const node of set.selections) {
      switch (node.kind) {
        case Kind.FIELD: {
          const field = index.field(type, node.name.value);
          if (field === undefined) {
            errors.push(messages.unknownField(type, node.name.value, locationOf(node)));
          } else if (node.selectionSet && !field.leaf) check(node.selectionSet, field.base);
          break;
        }
        case Kind.FRAGMENT_SPREAD: {
          const name = node.name.value;
          if (checked.has(name)) break;
          checked.add(name);
          const fragment = fragments.get(name);
          if (fragment) checkOn(fragment.selectionSet, fragment.typeCondition.name.value);
          else errors.push(messages.undefinedFragment(name));
          break;
        }
        case Kind.INLINE_FRAGMENT:
          checkOn(node.selectionSet, node.typeCondition?.name.value ?? type);
          break;
      }
    }
  }

  function checkOn(set: SelectionSetNode, type: string): void {
    const kind = index.type(type)?.kind;
    if (kind === "OBJECT" || kind === "INTERFACE") check(set, type);
    else errors.push(messages.unknownType(type));
  }

  check(root, index.queryType);
  if (errors.length > 0) throw new Refusal(errors);
}
