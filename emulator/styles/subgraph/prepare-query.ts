import { type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from "graphql";
import { createMemo, type ExecutorOptions, ServerPanic } from "../served-style.ts";
import { type ErrorEntry, messages, QueryError, refuse } from "./messages.ts";
import { locationOf } from "./parse-document.ts";
import { type ParsedQuery, parseQuery } from "./parse-query.ts";
import type { SchemaIndex } from "./schema-index.ts";
import { createStrictValidator } from "./validate-strictly.ts";

/** A parsed query, and its validation error, which the server reports after errors in variables. */
type PreparedQuery = ParsedQuery & { readonly error: QueryError | ServerPanic | null };

/** Parses and validates a text; the same text returns the same object while it is cached. */
type QueryPreparer = (text: string) => PreparedQuery;

/** Least recently used queries go first. */
const MOST_QUERIES = 256;

/** Longer texts are parsed on every request. */
const LONGEST = 50_000;

/**
 * Creates a preparer that caches, so that asking a text again costs a look-up.
 *
 * @throws QueryError on a text that does not parse, is invalid to a strict server or has not one operation. (The
 * preparer throws, not the creation of it.)
 */
export function createQueryPreparer(
  { schema, settings }: Pick<ExecutorOptions, "schema" | "settings">,
  index: SchemaIndex,
): QueryPreparer {
  const queries = createMemo<string, PreparedQuery | QueryError>(MOST_QUERIES);
  const strict = settings.strictValidation === true ? createStrictValidator(schema) : null;

  function prepare(text: string): PreparedQuery | QueryError {
    try {
      const parsed = parseQuery(text, strict);
      return {
        ...parsed,
        error: findError(() => validateQuery(parsed, index, settings.maxComplexity ?? null)),
      };
    } catch (cause) {
      if (cause instanceof QueryError) return cause;
      throw cause;
    }
  }

  return (text) => {
    const prepared = text.length > LONGEST ? prepare(text) : queries.get(text, () => prepare(text));
    if (prepared instanceof QueryError) throw prepared;
    return prepared;
  };
}

function findError(validate: () => void): PreparedQuery["error"] {
  try {
    validate();
    return null;
  } catch (cause) {
    if (cause instanceof QueryError || cause instanceof ServerPanic) return cause;
    throw cause;
  }
}

/**
 * Checks what even a lenient server validates: first that it is a query, then depth and complexity, then that every
 * field exists, skipped or not.
 *
 * @throws QueryError, and ServerPanic where it cannot be measured for want of a fragment.
 */
function validateQuery(
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

/** The most errors of one query: those of a fragment are repeated for every spread. */
const MAX_ERRORS = 10_000;

/** The deepest chain of fragments that is followed. */
const MAX_SPREADS = 500;

function checkFields(
  root: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  index: SchemaIndex,
): readonly ErrorEntry[] {
  // A fragment is checked once, however often it is spread: nested spreads would multiply.
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
    // A query that could not be measured may have circular or very deep spreads.
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

/** The deepest nesting of selection sets, fragments included. */
const MAX_DEPTH = 255;

/** The size of a collection without a literal `first`. */
const DEFAULT_FIRST = 100n;

/** The server counts in 64 bits. */
const MOST = 2n ** 64n - 1n;

/**
 * The complexity of a query as the server computes it before running it: a collection counts `first + first × its
 * selection`, any other field counts its selection. Null for a query with unknown fields, which validation
 * reports.
 *
 * @throws QueryError when selection sets nest too deep, fragments spread in a circle or the number is out of bounds,
 *   and ServerPanic where a fragment is spread that is not defined.
 */
function measureComplexity(
  root: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  index: SchemaIndex,
): bigint | null {
  // A fragment always costs the same, so repeated spreads are measured once.
  const known = new Map<string, Measure>();
  const open = new Set<string>();
  let isMeasurable = true;
  // The server stops counting above its limit.
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
      // The cost of a single entity is not limited, and wraps to zero.
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
      // The server stops at a selection on a scalar; a circle elsewhere would never end.
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

/** A selected field is not in the schema. */
class Unmeasurable extends Error {}

/** Only a literal counts, not a variable. */
function firstOf(node: FieldNode): bigint {
  const value = node.arguments?.find((argument) => argument.name.value === "first")?.value;
  return value?.kind === Kind.INT ? BigInt.asUintN(64, BigInt(value.value)) : DEFAULT_FIRST;
}
