import { type FragmentDefinitionNode, Kind, type SelectionSetNode } from "graphql";
import { measureComplexity } from "./measure-complexity.ts";
import { messages } from "./messages.ts";
import { locationOf, type ParsedQuery } from "./parse-query.ts";
import { type ErrorEntry, QueryError, refuse } from "./query-error.ts";
import type { SchemaIndex } from "./schema-index.ts";

/**
 * Checks what even a lenient server checks before it runs a query: that it is a query at all, then how deep and
 * how complex it is, then that every field exists, skipped or not.
 *
 * @throws QueryError, and ServerPanic where it cannot be measured for want of a fragment.
 */
export function validateQuery(
  { operation, fragments }: ParsedQuery,
  index: SchemaIndex,
  maxComplexity: number | null,
): void {
  if (operation.operation === "mutation") refuse(messages.notSupported("Mutations are not supported"));
  if (operation.operation === "subscription") {
    refuse(messages.notSupported("Subscriptions are not supported"));
  }
  const complexity = measureComplexity(operation.selectionSet, fragments, index);
  if (maxComplexity !== null && complexity !== null && complexity > BigInt(maxComplexity)) {
    refuse(messages.tooComplex(complexity, BigInt(maxComplexity)));
  }
  const errors = checkFields(operation.selectionSet, fragments, index);
  if (errors.length > 0) throw new QueryError(errors);
}

/** The most errors that are reported of one query: those of a fragment are reported wherever it is spread. */
const MAX_ERRORS = 10_000;

/** How many fragments are looked into from within each other. */
const MAX_SPREADS = 500;

function checkFields(
  root: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  index: SchemaIndex,
): readonly ErrorEntry[] {
  // A fragment is checked once, however often it is spread: nested spreads would multiply otherwise.
  const checked = new Map<string, readonly ErrorEntry[]>();
  let open = 0;

  function check(set: SelectionSetNode, type: string): readonly ErrorEntry[] {
    const errors: ErrorEntry[] = [];
    for (const node of set.selections) {
      switch (node.kind) {
        case Kind.FIELD: {
          const name = node.name.value;
          const field = index.anyField(type, name);
          if (field === undefined) {
            errors.push(messages.unknownField(type, name, locationOf(node)));
          } else if (node.selectionSet && !field.leaf) errors.push(...check(node.selectionSet, field.base));
          break;
        }
        case Kind.FRAGMENT_SPREAD:
          errors.push(...checkFragment(node.name.value));
          break;
        case Kind.INLINE_FRAGMENT:
          errors.push(...checkOn(node.selectionSet, node.typeCondition?.name.value ?? type));
          break;
      }
      if (errors.length > MAX_ERRORS) return errors.slice(0, MAX_ERRORS);
    }
    return errors;
  }

  function checkFragment(name: string): readonly ErrorEntry[] {
    const known = checked.get(name);
    if (known) return known;
    const fragment = fragments.get(name);
    // A query that could not be measured may spread in a circle, or deeper than our stack.
    checked.set(name, []);
    if (open > MAX_SPREADS) return [];
    open++;
    const errors = fragment
      ? checkOn(fragment.selectionSet, fragment.typeCondition.name.value)
      : [messages.undefinedFragment(name)];
    open--;
    checked.set(name, errors);
    return errors;
  }

  function checkOn(set: SelectionSetNode, type: string): readonly ErrorEntry[] {
    const kind = index.type(type)?.kind;
    return kind === "OBJECT" || kind === "INTERFACE" ? check(set, type) : [messages.unknownType(type)];
  }

  return check(root, index.queryType);
}
