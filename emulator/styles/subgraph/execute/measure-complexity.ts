import { type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from "graphql";
import { ServerPanic } from "../../server-panic.ts";
import { messages } from "./messages.ts";
import { refuse } from "./query-error.ts";
import type { SchemaIndex } from "./schema-index.ts";

/** How many selection sets may lie in each other; fragments count (B.10). */
const MAX_DEPTH = 255;

/** What a collection counts as that does not say how many it wants, in so many figures. */
const DEFAULT_FIRST = 100n;

/** The server counts in 64 bits. */
const MOST = 2n ** 64n - 1n;

/**
 * How many entities a query can give at most, as the server reckons before it runs one: a collection counts
 * `first + first × what is selected of it`, and everything else what is selected of it (B.10). Null for a query
 * that asks for what is not there, which is another check's to say.
 *
 * @throws QueryError when selection sets nest too deep, fragments spread in a circle or the number is out of bounds,
 *   and ServerPanic where a fragment is spread that is not defined.
 */
export function measureComplexity(
  root: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  index: SchemaIndex,
): bigint | null {
  // A fragment always costs the same, and one that is spread again and again is measured once.
  const known = new Map<string, Measure>();
  const open = new Set<string>();
  let isMeasurable = true;
  // Behind what it gives up at, the server counts nothing.
  const bounded = (complexity: bigint) =>
    complexity > MOST && isMeasurable ? refuse(messages.tooComplex(MOST, 0n)) : complexity;

  function measureSet(set: SelectionSetNode, type: string, depth: number): Measure {
    if (depth >= MAX_DEPTH) refuse(messages.tooDeep(MAX_DEPTH));
    let complexity = 0n;
    let height = 0;
    for (const node of set.selections) {
      let found: Measure | undefined;
      switch (node.kind) {
        case Kind.FIELD:
          found = measureField(node, type, depth);
          break;
        case Kind.FRAGMENT_SPREAD:
          found = measureFragment(node.name.value, depth);
          break;
        case Kind.INLINE_FRAGMENT: {
          const condition = node.typeCondition?.name.value ?? type;
          if (index.type(condition) === undefined) throw new Unmeasurable();
          found = measureSet(node.selectionSet, condition, depth + 1);
          break;
        }
      }
      if (found === undefined) continue;
      const sum = complexity + found.complexity;
      // What a single entity adds is not held against the bounds, and begins again at nothing.
      complexity = found.isSingle ? BigInt.asUintN(64, sum) : bounded(sum);
      height = Math.max(height, found.height);
    }
    return { complexity, height: height + 1 };
  }

  function measureField(node: FieldNode, type: string, depth: number): Measure | undefined {
    if (node.selectionSet === undefined) return undefined;
    const field = index.anyField(type, node.name.value);
    if (field === undefined || index.type(field.base) === undefined) throw new Unmeasurable();
    let inside: Measure;
    try {
      inside = measureSet(node.selectionSet, field.base, depth + 1);
    } catch (cause) {
      if (!field.leaf || !(cause instanceof Unmeasurable)) throw cause;
      // The server gives up at what is selected of what a scalar has; a circle elsewhere would send it round for ever.
      isMeasurable = false;
      return undefined;
    }
    if (!field.list) return { ...inside, isSingle: true };
    const first = firstOf(node);
    return { complexity: bounded(first + bounded(first * inside.complexity)), height: inside.height };
  }

  function measureFragment(name: string, depth: number): Measure {
    const fragment = fragments.get(name);
    if (fragment === undefined && isMeasurable) throw new ServerPanic(`The fragment ${name} is not defined.`);
    const condition = fragment?.typeCondition.name.value ?? "";
    if (fragment === undefined || index.type(condition) === undefined) throw new Unmeasurable();
    if (open.has(name)) refuse(messages.fragmentCycle(name));
    let measure = known.get(name);
    if (measure === undefined) {
      open.add(name);
      measure = measureSet(fragment.selectionSet, condition, depth + 1);
      open.delete(name);
      known.set(name, measure);
    } else if (depth + 1 + measure.height > MAX_DEPTH) refuse(messages.tooDeep(MAX_DEPTH));
    return measure;
  }

  try {
    const { complexity } = measureSet(root, index.queryType, 0);
    return isMeasurable ? complexity : null;
  } catch (cause) {
    if (cause instanceof Unmeasurable) return null;
    throw cause;
  }
}

type Measure = { readonly complexity: bigint; readonly height: number; readonly isSingle?: true };

/** What a query asks for is not in the schema. */
class Unmeasurable extends Error {}

/** Only a literal counts; a variable is not looked at. */
function firstOf(node: FieldNode): bigint {
  const value = node.arguments?.find((argument) => argument.name.value === "first")?.value;
  return value?.kind === Kind.INT ? BigInt.asUintN(64, BigInt(value.value)) : DEFAULT_FIRST;
}
