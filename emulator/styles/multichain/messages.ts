import { compareCodeUnits } from "../../../src/base/collections.ts";
import { baseTypeName } from "../../../src/dialects/api-schema.ts";
import { describeInput, jsonTypeName, type TypedValue } from "./query-value.ts";

/**
 * The error catalogue, word for word. Tools parse these sentences, so they are all
 * here.
 */
export const messages = {
  invalidDocument: () => invalid("$.query", "not a valid graphql query"),
  operationAmbiguous: () =>
    invalid(
      "$",
      "exactly one operation has to be present in the document when operationName is not specified",
    ),
  operationMissing: (name: string) => invalid("$", `no such operation found in the document: "${name}"`),
  operationAnonymous: () =>
    invalid("$", "operationName cannot be used when an anonymous operation exists in the document"),
  mutationRefused: () => invalid("$", "no mutations exist"),
  subscriptionRefused: () =>
    new QueryError(
      "unexpected-payload",
      "$",
      "subscriptions are not supported over HTTP, use websockets instead",
    ),

  fragmentUndefined: (path: string, name: string) =>
    invalid(path, `reference to undefined fragment "${name}"`),
  /** @param names of the fragments that form the cycle, in the order they were met. */
  fragmentCycle: (path: string, names: readonly string[]) => {
    const listed =
      names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names.join(", ");
    return invalid(path, `the fragment definition(s) ${listed} form a cycle`);
  },
  directiveUndefined: (path: string, name: string) =>
    invalid(path, `directive '${name}' is not defined in the schema`),
  /** @param place `a query`, `a field`, `a fragment spread` or `an inline fragment`. */
  directiveMisplaced: (path: string, name: string, place: string) =>
    invalid(path, `directive '${name}' is not allowed on ${place}`),
  directiveRepeated: (path: string, names: readonly string[]) =>
    invalid(path, `the following directives are used more than once: ${quoteList(names)}`),

  fieldNotFound: (path: string, name: string, type: string) =>
    invalid(path, `field '${name}' not found in type: '${type}'`),
  argumentUnknown: (path: string, field: string, name: string) =>
    invalid(path, `'${field}' has no argument named '${name}'`),
  requiredMissing: (path: string, name: string) => invalid(path, `missing required field '${name}'`),
  selectionMissing: (path: string, type: string) => invalid(path, `missing selection set for '${type}'`),
  selectionOnLeaf: (path: string) => invalid(path, "unexpected subselection set for non-object field"),
  argumentsConflict: (path: string, field: string) =>
    invalid(path, `inconsistent arguments between multiple selections of field '${field}'`),
  responseNameConflict: (path: string, key: string, [first, second]: readonly string[]) =>
    invalid(path, `selection of both '${first}' and '${second}' specify the same response name, '${key}'`),

  unexpectedNull: ({ path, type }: TypedValue) =>
    invalid(path, `unexpected null value for type '${baseTypeName(type)}'`),
  /** @param expected with its article: `an object`. */
  kindMismatch: ({ path, type, value }: TypedValue, expected: string) =>
    invalid(path, `expected ${expected} for type '${baseTypeName(type)}', but found ${describeInput(value)}`),
  /** A key of a JSON object that cannot be a field name. */
  keyIllegal: (path: string, key: string) =>
    invalid(path, `variable value contains object with key "${key}", which is not a legal GraphQL name`),
  listExpected: (path: string, actual: string) => invalid(path, `expected a list, but found ${actual}`),
  enumValueUnknown: ({ path, type }: TypedValue, values: readonly string[], actual: string) =>
    invalid(
      path,
      `expected one of the values ${quoteList(values)} for type '${baseTypeName(type)}', but found '${actual}'`,
    ),

  variableRepeated: (name: string) => malformed("$", `multiple definitions for variable "${name}"`),
  variableUnbound: (name: string) => invalid("$", `unbound variable "${name}"`),
  variableMissing: (name: string) => invalid("$", `expecting a value for non-nullable variable: "${name}"`),
  variableNull: (type: string) => invalid("$", `null value found for non-nullable type: "${type}"`),
  variablesUnexpected: (names: readonly string[]) =>
    invalid("$", `unexpected variables in variableValues: ${names.join(", ")}`),
  variableMistyped: ({ path, type }: TypedValue, name: string, declared: string) =>
    invalid(path, `variable '${name}' is declared as '${declared}', but used where '${type}' is expected`),

  predicatesMany: (path: string) => invalid(path, "exactly one predicate should be specified"),
  distinctOnMismatch: (path: string) =>
    invalid(path, '"distinct_on" columns must match initial "order_by" columns'),
  jsonPathInvalid: (path: string, jsonPath: string) =>
    invalid(
      path,
      `parse json path error: ${jsonPath}. Accept letters, digits, underscore (_) or hyphen (-) only. Use quotes enclosed in bracket (["..."]) if there is any special character`,
    ),

  /**
   * A value that does not parse as its column's type: `parsing Text failed, expected String, but encountered Number`.
   */
  parsingFailed: ({ path, value }: TypedValue, what: string, expected: string) =>
    malformed(path, `parsing ${what} failed, expected ${expected}, but encountered ${jsonTypeName(value)}`),
  integerOutside: (path: string, shown: string) =>
    malformed(
      path,
      `The value ${shown} lies outside the bounds or is not an integer. Maybe it is a float, or is there integer overflow?`,
    ),
  floatOutside: (path: string, shown: string) =>
    malformed(path, `The value ${shown} lies outside the bounds. Is it overflowing the float bounds?`),
  boolExpected: (path: string, actual: string) => malformed(path, `expected Bool, but encountered ${actual}`),
  /** For enums, which exist only in Postgres. */
  stringExpected: (path: string, type: string) => malformed(path, `A string is expected for type: ${type}`),

  inputSyntax: (type: string, text: string) => refused(`invalid input syntax for type ${type}: "${text}"`),
  byteaSyntax: () => refused("invalid input syntax for type bytea"),
  hexDigitInvalid: (digit: string) => refused(`invalid hexadecimal digit: "${digit}"`),
  hexDigitsOdd: () => refused("invalid hexadecimal data: odd number of digits"),
  jsonSyntax: () => refused("invalid input syntax for type json"),
  outOfRange: (type: string, text: string) => refused(`value "${text}" is out of range for type ${type}`),
  floatOutOfRange: (text: string, type: string) => refused(`"${text}" is out of range for type ${type}`),
  floatOverflow: () => refused("value out of range: overflow"),
  timeOutOfRange: (text: string) => refused(`date/time field value out of range: "${text}"`),
  timestampOutOfRange: (text: string) => refused(`timestamp out of range: "${text}"`),
  zoneOutOfRange: (text: string) => refused(`time zone displacement out of range: "${text}"`),
  enumMemberUnknown: (type: string, text: string) =>
    refused(`invalid input value for enum ${type}: "${text}"`),
  arrayMalformed: (text: string) => refused(`malformed array literal: "${text}"`),
  offsetNegative: () => refused("OFFSET must not be negative"),
  regexInvalid: (reason: string) => refused(`invalid regular expression: ${reason}`),
  regexUnsupported: (pattern: string) =>
    new QueryError(
      "not-supported",
      "$",
      `the emulator does not support the regular expression ${JSON.stringify(pattern)}`,
    ),
  likeUnsupported: (pattern: string) =>
    new QueryError(
      "not-supported",
      "$",
      `the emulator does not support a LIKE pattern that ends with a backslash: ${JSON.stringify(pattern)}`,
    ),
  databaseFailed: () => new QueryError("unexpected", "$", "database query error"),
} as const;

function invalid(path: string, message: string): QueryError {
  return new QueryError("validation-failed", path, message);
}

function malformed(path: string, message: string): QueryError {
  return new QueryError("parse-failed", path, message);
}

/** Errors of the database have no path. */
function refused(message: string): QueryError {
  return new QueryError("data-exception", "$", message);
}

function quoteList(names: readonly string[]): string {
  return `[${names.map((name) => `'${name}'`).join(", ")}]`;
}

type QueryErrorCode =
  | "validation-failed"
  | "parse-failed"
  | "data-exception"
  | "unexpected-payload"
  | "not-supported"
  | "unexpected";

/**
 * The refusal of a query. It is an answer of the dialect, not an error of Lockflow, and never leaves the executor:
 * {@link errorBody} renders it.
 */
export class QueryError extends Error {
  /** In the server's notation: `$.selectionSet.Stream.args.where`. */
  readonly path: string;
  readonly code: QueryErrorCode;

  constructor(code: QueryErrorCode, path: string, message: string) {
    super(message);
    this.name = "QueryError";
    this.path = path;
    this.code = code;
  }
}

/** The whole body of a failed request: one error, no `data`, keys in this order. */
export function errorBody(error: QueryError): Readonly<Record<string, unknown>> {
  return {
    errors: [{ message: error.message, extensions: { path: error.path, code: error.code } }],
  };
}

/**
 * The platform keeps keys and columns in a hash map without a guaranteed order. As observed, the table's
 * key came first and the rest in ASCII order.
 */
export function inPlatformOrder<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  return [...items].sort(
    (a, b) =>
      Number(nameOf(b) === "id") - Number(nameOf(a) === "id") || compareCodeUnits(nameOf(a), nameOf(b)),
  );
}
