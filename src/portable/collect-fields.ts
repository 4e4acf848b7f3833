import {
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  print,
  type SelectionSetNode,
} from "graphql";
import { compareCodeUnits } from "../base/compare-code-units.ts";
import { once } from "../base/once.ts";
import { responseKey } from "../schema/make-node.ts";

/** A key of an answer, and the fields that are selected under it. */
export type CollectedField = {
  readonly key: string;
  readonly node: FieldNode;
  /** Whether it may be skipped while what it is a field of is there. */
  readonly isConditional: boolean;
  /** What is below it, over all places where it is selected. */
  readonly below: () => CollectedFields;
};

/** What a selection set gives. */
export type CollectedFields = {
  readonly fields: readonly CollectedField[];
  /** Whether all of it may be skipped while what it belongs to is there. */
  readonly mayBeEmpty: boolean;
};

type Part = {
  readonly set: SelectionSetNode;
  readonly condition: string;
  /** The fragments it stands in: one that is in itself, which no schema accepts, is not followed again. */
  readonly within: ReadonlySet<string>;
};

/** Collects what a selection set gives, with its fragments, in the order of their first places. */
export function collectFields(
  set: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): CollectedFields {
  return collectParts([{ set, condition: "", within: new Set() }]);

  function collectParts(parts: readonly Part[]): CollectedFields {
    // The conditions under which something is there for certain.
    const sure = new Set<string>();
    const places = new Map<string, (Omit<Part, "set"> & { readonly node: FieldNode })[]>();
    // A fragment gives nothing more where it is spread again under the same conditions.
    const spread = new Set<string>();
    for (const part of parts) visit(part);
    const fields = [...places].map(([key, found]): CollectedField => {
      const conditions = new Set(found.map(({ condition }) => condition));
      // Under one condition all of it is there or nothing.
      const isOne = conditions.size === 1;
      const inner = found.flatMap(({ node, condition, within }) =>
        node.selectionSet === undefined
          ? []
          : [{ set: node.selectionSet, condition: isOne ? "" : condition, within }],
      );
      return {
        key,
        node: (found[0] as (typeof found)[number]).node,
        isConditional: !conditions.has(""),
        below: once(() => collectParts(inner)),
      };
    });
    // Each part is there under its own condition, and so is what it has without another one.
    return { fields, mayBeEmpty: !sure.has("") && parts.some(({ condition }) => !sure.has(condition)) };

    function visit({ set: { selections }, condition: outer, within }: Part): void {
      for (const node of selections) {
        const own = conditionOf(node.directives ?? []);
        if (own === null) continue;
        const condition = joinConditions(outer, own);
        if (node.kind === Kind.INLINE_FRAGMENT) visit({ set: node.selectionSet, condition, within });
        else if (node.kind === Kind.FRAGMENT_SPREAD) {
          const name = node.name.value;
          const fragment = fragments.get(name);
          const key = `${name} ${condition}`;
          if (fragment === undefined || within.has(name) || spread.has(key)) continue;
          spread.add(key);
          visit({ set: fragment.selectionSet, condition, within: new Set([...within, name]) });
        } else {
          const key = responseKey(node);
          const known = places.get(key);
          const place = { node, condition, within };
          sure.add(condition);
          if (known === undefined) places.set(key, [place]);
          else known.push(place);
        }
      }
    }
  }
}

/** All conditions that hold, each once and in one order. */
function joinConditions(outer: string, own: readonly string[]): string {
  return own.length === 0
    ? outer
    : [...new Set([...outer.split(AND), ...own])].filter(Boolean).sort(compareCodeUnits).join(AND);
}

const AND = " and ";

/** What decides at run time whether a node is there; null where it never is. */
function conditionOf(directives: readonly DirectiveNode[]): string[] | null {
  const conditions: string[] = [];
  for (const { name, arguments: args = [] } of directives) {
    if (name.value !== "skip" && name.value !== "include") continue;
    const value = args.find((arg) => arg.name.value === "if")?.value;
    if (value?.kind === Kind.BOOLEAN) {
      if (value.value === (name.value === "skip")) return null;
    } else if (value !== undefined) conditions.push(`${name.value} ${print(value)}`);
  }
  return conditions;
}
