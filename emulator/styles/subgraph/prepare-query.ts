import {
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import { cacheQueries, type ExecutorOptions, ServerPanic } from "../served-style.ts";
import { type ErrorEntry, messages, QueryError, refuse } from "./messages.ts";
import { locationOf, parseDocument } from "./parse-document.ts";
import type { SchemaIndex } from "./schema-index.ts";
import { createStrictValidator } from "./validate-strictly.ts";

type ParsedQuery = {
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
};

/** A parsed query, and its validation error, which the server reports after errors in variables. */
type PreparedQuery = ParsedQuery & { readonly error: QueryError | ServerPanic | null };

/**
 * Creates a function that parses and validates a text, and caches the result. It throws a QueryError on a text that
 * does not parse, is invalid to a strict server or does not have exactly one operation.
 */
export function createQueryPreparer(
  { schema, settings }: Pick<ExecutorOptions, "schema" | "settings">,
  index: SchemaIndex,
): (text: string) => PreparedQuery {
  const validate = settings.strictValidation === true ? createStrictValidator(schema) : null;
  return cacheQueries((text) => {
    const document = parseDocument(text);
    validate?.(document);
    const operations: OperationDefinitionNode[] = [];
    const fragments = new Map<string, FragmentDefinitionNode>();
    for (const definition of document.definitions) {
      if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
      // The last of two with the same name counts.
      else if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    }
    const [operation, ...others] = operations;
    // The server never reads `operationName`.
    if (operation === undefined || others.length > 0) return refuse(messages.operationNameRequired);
    const query = { operation, fragments };
    return { ...query, error: findError(query, index, settings.maxComplexity ?? null) };
  });
}

/** Returns the error of what even a lenient server validates: that it is a query, its depth, complexity and fields. */
function findError(
  { operation, fragments }: ParsedQuery,
  index: SchemaIndex,
  maxComplexity: number | null,
): PreparedQuery["error"] {
  if (operation.operation !== "query") {
    const kind = operation.operation === "mutation" ? "Mutations" : "Subscriptions";
    return new QueryError([messages.notSupported(`${kind} are not supported`)]);
  }
  try {
    const { complexity, errors } = measureQuery(operation.selectionSet, fragments, index);
    if (maxComplexity !== null && complexity !== null && complexity > BigInt(maxComplexity)) {
      return new QueryError([messages.tooComplex(complexity, BigInt(maxComplexity))]);
    }
    return errors.length > 0 ? new QueryError(errors) : null;
  } catch (cause) {
    if (cause instanceof QueryError || cause instanceof ServerPanic) return cause;
    throw cause;
  }
}

/** The most errors of one query: those of a fragment are repeated for every spread. */
const MAX_ERRORS = 10_000;

/** The deepest nesting of selection sets, fragments included. */
const MAX_DEPTH = 255;

/** The size of a collection without a literal `first`. */
const DEFAULT_FIRST = 100n;

/** The server counts in 64 bits. */
const MOST = 2n ** 64n - 1n;

type Measure = { readonly complexity: bigint; readonly height: number; readonly isSingle?: true };

const NOTHING: Measure = { complexity: 0n, height: 0 };

type QueryMeasure = {
  /** Null if the server does not count it. */
  readonly complexity: bigint | null;
  /** Of fields, types and fragments that do not exist, skipped or not. */
  readonly errors: readonly ErrorEntry[];
};

/**
 * Measures a query as the server does before running it: a collection counts `first + first × its selection`, any
 * other field counts its selection.
 *
 * @throws QueryError when selection sets nest too deep, fragments spread in a circle or the number is out of bounds,
 *   and ServerPanic where a fragment is spread that is not defined.
 */
function measureQuery(
  root: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  index: SchemaIndex,
): QueryMeasure {
  const errors: ErrorEntry[] = [];
  // A fragment always costs the same, so repeated spreads are measured once: nested ones would multiply.
  const measures = new Map<string, Measure & Pick<QueryMeasure, "errors">>();
  const open = new Set<string>();
  // The server stops to measure at the selection of an unknown field or type, and only looks for more of these.
  let isMeasurable = true;

  function report(...problems: readonly ErrorEntry[]): void {
    errors.push(...problems.slice(0, MAX_ERRORS - errors.length));
  }

  /** Refuses the query, unless the server stopped to measure before and reports other errors. */
  function refuseMeasured(error: ErrorEntry): Measure {
    return isMeasurable || errors.length === 0 ? refuse(error) : NOTHING;
  }

  function bounded(complexity: bigint): bigint {
    return complexity > MOST && isMeasurable ? refuse(messages.tooComplex(MOST, 0n)) : complexity;
  }

  function measureSet(set: SelectionSetNode, type: string, depth: number): Measure {
    if (depth >= MAX_DEPTH) return refuseMeasured(messages.tooDeep(MAX_DEPTH));
    let complexity = 0n;
    let height = 0;
    for (const node of set.selections) {
      const measure = measureNode(node, type, depth);
      const sum = complexity + measure.complexity;
      // The cost of a single entity is not limited, and wraps to zero.
      complexity = measure.isSingle ? BigInt.asUintN(64, sum) : bounded(sum);
      height = Math.max(height, measure.height);
    }
    return { complexity, height: height + 1 };
  }

  function measureNode(node: SelectionNode, type: string, depth: number): Measure {
    switch (node.kind) {
      case Kind.FIELD:
        return measureField(node, type, depth);
      case Kind.FRAGMENT_SPREAD:
        return measureFragment(node.name.value, depth);
      case Kind.INLINE_FRAGMENT:
        return measureOn(node.selectionSet, node.typeCondition?.name.value ?? type, depth);
    }
  }

  function measureField(node: FieldNode, type: string, depth: number): Measure {
    const field = index.anyField(type, node.name.value);
    if (field === undefined) {
      report(messages.unknownField(type, node.name.value, locationOf(node)));
      if (node.selectionSet) isMeasurable = false;
      return NOTHING;
    }
    if (node.selectionSet === undefined) return NOTHING;
    const before = errors.length;
    const inside = measureSet(node.selectionSet, field.base, depth + 1);
    // The selection of a scalar is ignored.
    if (field.leaf) errors.length = before;
    if (!field.list) return { ...inside, isSingle: true };
    const first = firstOf(node);
    return { complexity: bounded(first + bounded(first * inside.complexity)), height: inside.height };
  }

  function measureFragment(name: string, depth: number): Measure {
    const fragment = fragments.get(name);
    if (fragment === undefined) {
      if (isMeasurable) throw new ServerPanic(`The fragment ${name} is not defined.`);
      report(messages.undefinedFragment(name));
      return NOTHING;
    }
    if (open.has(name)) return refuseMeasured(messages.fragmentCycle(name));
    const earlier = measures.get(name);
    if (earlier !== undefined) {
      report(...earlier.errors);
      return depth + 1 + earlier.height > MAX_DEPTH ? refuseMeasured(messages.tooDeep(MAX_DEPTH)) : earlier;
    }
    const before = errors.length;
    open.add(name);
    const measure = measureOn(fragment.selectionSet, fragment.typeCondition.name.value, depth);
    open.delete(name);
    measures.set(name, { ...measure, errors: errors.slice(before) });
    return measure;
  }

  function measureOn(set: SelectionSetNode, type: string, depth: number): Measure {
    const kind = index.type(type)?.kind;
    if (kind === "OBJECT" || kind === "INTERFACE") return measureSet(set, type, depth + 1);
    report(messages.unknownType(type));
    if (kind === undefined) isMeasurable = false;
    return NOTHING;
  }

  const { complexity } = measureSet(root, index.queryType, 0);
  return { complexity: isMeasurable ? complexity : null, errors };
}

/** Only a literal counts, not a variable. */
function firstOf(node: FieldNode): bigint {
  const value = node.arguments?.find((argument) => argument.name.value === "first")?.value;
  return value?.kind === Kind.INT ? BigInt.asUintN(64, BigInt(value.value)) : DEFAULT_FIRST;
}
