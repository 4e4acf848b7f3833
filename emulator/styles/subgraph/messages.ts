import type { RowValue } from "../read-view.ts";
import { type QueryValue, showValue } from "./query-value.ts";

/** The derived schema defines arguments without source text, so the server reports this position. */
const NOWHERE: Location = { line: 0, column: 0 };

/** A field of the request. */
type Place = { readonly name: string; readonly location: Location };

type EnumType = { readonly name: string; readonly values: readonly string[] };

/** The server's messages, byte for byte. */
export const messages = {
  emulatorLacks: (what: string) => ({ message: `the emulator does not support ${what}` }),
  operationNameRequired: { message: "Operation name required" },
  notSupported: (what: string) => ({ message: `Not supported: ${what}` }),
  fragmentCycle: (name: string) => ({ message: `query has fragment cycle including \`${name}\`` }),
  undefinedFragment: (name: string) => ({ message: `fragment \`${name}\` is not defined` }),
  tooDeep: (limit: number) => ({ message: `query has a depth that exceeds the limit of \`${limit}\`` }),
  tooComplex: (complexity: bigint, limit: bigint) => ({
    message: `query potentially returns \`${complexity}\` entities or more and thereby exceeds the limit of \`${limit}\` entities. Possible solutions are reducing the depth of the query, querying fewer relationships or using \`first\` to return smaller collections`,
  }),
  timedOut: { message: "Query timed out" },
  unknownType: (name: string) => ({ message: `Failed to resolve named type \`${name}\`` }),
  unknownField: (type: string, field: string, location: Location) =>
    at(location, `Type \`${type}\` has no field \`${field}\``),

  notMergeable: (type: string) => ({
    message: `invalid query: can not merge fields because type \`${type}\` showed up unexpectedly`,
  }),

  invalidArgument: (name: string, value: QueryValue, location: Location = NOWHERE) =>
    at(location, `Invalid value provided for argument \`${name}\`: ${showValue(value)}`),
  missingArgument: (name: string) => at(NOWHERE, `No value provided for required argument: \`${name}\``),
  missingVariable: (name: string, location: Location) =>
    at(location, `No value provided for required variable \`${name}\``),
  notInputType: (name: string, location: Location) =>
    at(location, `Variable \`${name}\` must have an input type`),

  notStarted: (deployment: string) => ({
    message: `Store error: query execution failed: Subgraph \`${deployment}\` has not started syncing yet. Wait for it to ingest a few blocks before querying it`,
  }),
  notIndexed: (deployment: string, head: number, wanted: bigint) =>
    `subgraph ${deployment} has only indexed up to block number ${head} and data for block number ${wanted} is therefore not yet available`,
  pruned: (deployment: string, earliest: number, wanted: bigint) =>
    `subgraph ${deployment} only has data starting at block number ${earliest} and data for block number ${wanted} is therefore not available`,
  indexingError: { message: "indexing_error" },
  panic: (what: string) => ({ message: `panic processing query: ${what}` }),
  fulltextSyntax: (query: string) => ({
    message: `Invalid fulltext search query syntax. Error: syntax error in tsquery: "${query}". Hint: Search terms with spaces need to be enclosed in single quotes`,
  }),
  range: (argument: string, limit: number, actual: bigint) => ({
    message: `The \`${argument}\` argument must be between 0 and ${limit}, but is ${actual}`,
  }),
  orderNotSupported: (type: string, field: string) => ({
    message: `Ordering by \`${field}\` is not supported for type \`${type}\``,
  }),
  nothingToOrderBy: {
    message: "internal error: Cannot order by child interface with no implementing entity types",
  },
  nothingFetched: (type: string, field: string) => ({
    message: `Failed to get entities from store: internal error resolving ${type}.${field}: expected prefetched result, but found nothing`,
  }),
  storeError: (what: string) => ({ message: `Store error: store error: ${what}` }),
  store: (what: string) => ({ message: `Failed to get entities from store: ${what}` }),

  filterNotObject: { message: "Filter must by an object" },
  mixedOr: (columns: readonly string[]) => {
    const list = columns.map((column) => `'${column}'`).join(", ");
    return {
      message:
        `Cannot mix column filters with 'or' operator at the same level. Found column filter(s) ${list} alongside 'or' operator.\n\n` +
        `Instead of:\nwhere: { ${list}, or: [...] }\n\nUse:\nwhere: { or: [{ ${list}, ... }, { ${list}, ... }] }`,
    };
  },
  noAttribute: (type: string, attribute: string) => ({
    message: `Entity \`${type}\` has no attribute \`${attribute}\``,
  }),
  notAList: (suffix: string) => ({ message: `Non-list value passed to \`${suffix}\` filter` }),
  unsupportedFilter: (filter: string, value: string) => ({
    message: `Store error: unsupported filter \`${filter}\` for value \`${value}\``,
  }),
  childNesting: (attribute: string, filter: string) => ({
    message: `Child filter nesting not supported by value \`${attribute}\`: \`${filter}\``,
  }),
  wrongValueType: (value: string, type: string) => ({
    message: `Query contains value with invalid type \`${type}\`: \`${value}\``,
  }),
  undecodable: (type: string, reason: string) => ({
    message: `Failed to decode \`${type}\` value: \`${reason}\``,
  }),

  nullResolved: (field: string, location: Location) =>
    at(location, `Null value resolved for non-null field \`${field}\``),
  ambiguousDerived: ({ name, location }: Place, target: string, via: string) =>
    at(
      location,
      `Ambiguous result for derived field \`${name}\`: Multiple \`${target}\` entities refer back via \`${via}\``,
    ),
  wrongEnum: ({ name, location }: Place, value: RowValue, type: EnumType) =>
    at(
      location,
      `Failed to coerce value \`${JSON.stringify(value)}\` of field \`${name}\` to enum type \`${type.name}\`. Possible values are: ${type.values.join(", ")}`,
    ),
  wrongScalar: ({ name, location }: Place, value: RowValue, type: string) =>
    at(
      location,
      `Failed to coerce value \`${JSON.stringify(value)}\` of field \`${name}\` to scalar type \`${type}\``,
    ),

  logsCombined: {
    message: "The _logs query cannot be combined with other entity queries in the same request",
  },
} as const;

function at(location: Location, message: string): ErrorEntry {
  return { locations: [location], message };
}

/** An entry of `errors`. The order of its keys is part of the dialect: locations, then message. */
export type ErrorEntry = {
  readonly locations?: readonly Location[];
  readonly message: string;
};

export type Location = { readonly line: number; readonly column: number };

/**
 * Ends a request, or one group of its root fields, with these errors. Never leaves the executor: a refused query is an
 * answer, not an exception.
 */
export class QueryError extends Error {
  readonly errors: readonly ErrorEntry[];
  /** The rest of the group is neither answered nor refused, like after a panic. */
  readonly isFatal: boolean;
  constructor(errors: readonly ErrorEntry[], isFatal = false) {
    super(errors.map((error) => error.message).join("\n"));
    this.name = "QueryError";
    this.errors = errors;
    this.isFatal = isFatal;
  }
}

export function refuse(error: ErrorEntry): never {
  throw new QueryError([error]);
}
