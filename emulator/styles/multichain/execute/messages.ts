import { QueryError, type QueryErrorCode } from "./query-error.ts";

/**
 * The error catalogue (D.3 and the messages inside C.3 to C.6), word for word: tools read these sentences,
 * so none is written anywhere else.
 */

export function invalidDocument(): QueryError {
  return invalid("$.query", "not a valid graphql query");
}

export function operationNameInvalid(name: string): QueryError {
  return malformed("$.operationName", `${name} is not valid GraphQL name`);
}

export function operationAmbiguous(): QueryError {
  return invalid(
    "$",
    "exactly one operation has to be present in the document when operationName is not specified",
  );
}

export function operationMissing(name: string): QueryError {
  return invalid("$", `no such operation found in the document: "${name}"`);
}

export function operationAnonymous(): QueryError {
  return invalid("$", "operationName cannot be used when an anonymous operation exists in the document");
}

export function mutationRefused(): QueryError {
  return invalid("$", "no mutations exist");
}

export function subscriptionRefused(): QueryError {
  return new QueryError(
    "unexpected-payload",
    "$",
    "subscriptions are not supported over HTTP, use websockets instead",
  );
}

export function subscriptionRootsMany(): QueryError {
  return invalid("$", "subscriptions must select one top level field");
}

export function fragmentUndefined(path: string, name: string): QueryError {
  return invalid(path, `reference to undefined fragment "${name}"`);
}

/** @param names of the fragments that form the cycle, in the order they were met. */
export function fragmentCycle(path: string, names: readonly string[]): QueryError {
  const listed = names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names.join(", ");
  return invalid(path, `the fragment definition(s) ${listed} form a cycle`);
}

export function directiveUndefined(path: string, name: string): QueryError {
  return invalid(path, `directive '${name}' is not defined in the schema`);
}

/** @param place `a query`, `a field`, `a fragment spread` or `an inline fragment`. */
export function directiveMisplaced(path: string, name: string, place: string): QueryError {
  return invalid(path, `directive '${name}' is not allowed on ${place}`);
}

export function directiveRepeated(path: string, names: readonly string[]): QueryError {
  return invalid(path, `the following directives are used more than once: ${quoteList(names)}`);
}

export function fieldNotFound(path: string, name: string, type: string): QueryError {
  return invalid(path, `field '${name}' not found in type: '${type}'`);
}

export function argumentUnknown(path: string, field: string, name: string): QueryError {
  return invalid(path, `'${field}' has no argument named '${name}'`);
}

export function requiredMissing(path: string, name: string): QueryError {
  return invalid(path, `missing required field '${name}'`);
}

export function selectionMissing(path: string, type: string): QueryError {
  return invalid(path, `missing selection set for '${type}'`);
}

export function selectionOnLeaf(path: string): QueryError {
  return invalid(path, "unexpected subselection set for non-object field");
}

export function argumentsConflict(path: string, field: string): QueryError {
  return invalid(path, `inconsistent arguments between multiple selections of field '${field}'`);
}

export function responseNameConflict(path: string, first: string, second: string, key: string): QueryError {
  return invalid(
    path,
    `selection of both '${first}' and '${second}' specify the same response name, '${key}'`,
  );
}

export function unexpectedNull(path: string, type: string): QueryError {
  return invalid(path, `unexpected null value for type '${type}'`);
}

/** @param expected with its article: `an object`; @param found likewise. */
export function kindMismatch(path: string, expected: string, type: string, found: string): QueryError {
  return invalid(path, `expected ${expected} for type '${type}', but found ${found}`);
}

/** A key of a JSON object that no field can have. */
export function keyIllegal(path: string, key: string): QueryError {
  return invalid(path, `variable value contains object with key "${key}", which is not a legal GraphQL name`);
}

export function listExpected(path: string, found: string): QueryError {
  return invalid(path, `expected a list, but found ${found}`);
}

export function enumValueUnknown(
  path: string,
  values: readonly string[],
  type: string,
  found: string,
): QueryError {
  return invalid(
    path,
    `expected one of the values ${quoteList(values)} for type '${type}', but found '${found}'`,
  );
}

export function variableRepeated(name: string): QueryError {
  return malformed("$", `multiple definitions for variable "${name}"`);
}

export function variableUnbound(name: string): QueryError {
  return invalid("$", `unbound variable "${name}"`);
}

export function variableMissing(name: string): QueryError {
  return invalid("$", `expecting a value for non-nullable variable: "${name}"`);
}

export function variableNull(type: string): QueryError {
  return invalid("$", `null value found for non-nullable type: "${type}"`);
}

export function variablesUnexpected(names: readonly string[]): QueryError {
  return invalid("$", `unexpected variables in variableValues: ${names.join(", ")}`);
}

export function variableMistyped(path: string, name: string, declared: string, expected: string): QueryError {
  return invalid(
    path,
    `variable '${name}' is declared as '${declared}', but used where '${expected}' is expected`,
  );
}

export function predicatesMany(path: string): QueryError {
  return invalid(path, "exactly one predicate should be specified");
}

export function cursorsMany(path: string): QueryError {
  return invalid(path, "multiple column cursors are not supported yet");
}

export function cursorMissing(path: string): QueryError {
  return invalid(path, "one streaming column field is expected");
}

export function distinctOnMismatch(path: string): QueryError {
  return invalid(path, '"distinct_on" columns must match initial "order_by" columns');
}

export function jsonPathInvalid(path: string, given: string): QueryError {
  return invalid(
    path,
    `parse json path error: ${given}. Accept letters, digits, underscore (_) or hyphen (-) only. Use quotes enclosed in bracket (["..."]) if there is any special character`,
  );
}

/** A value that does not parse as its column's type: `parsing Text failed, expected String, but encountered Number`. */
export function parsingFailed(path: string, what: string, expected: string, found: string): QueryError {
  return malformed(path, `parsing ${what} failed, expected ${expected}, but encountered ${found}`);
}

export function integerOutside(path: string, shown: string): QueryError {
  return malformed(
    path,
    `The value ${shown} lies outside the bounds or is not an integer. Maybe it is a float, or is there integer overflow?`,
  );
}

export function floatOutside(path: string, shown: string): QueryError {
  return malformed(path, `The value ${shown} lies outside the bounds. Is it overflowing the float bounds?`);
}

export function boolExpected(path: string, found: string): QueryError {
  return malformed(path, `expected Bool, but encountered ${found}`);
}

/** Of an enum, which only Postgres knows. */
export function stringExpected(path: string, type: string): QueryError {
  return malformed(path, `A string is expected for type: ${type}`);
}

export function inputSyntax(type: string, text: string): QueryError {
  return refused(`invalid input syntax for type ${type}: "${text}"`);
}

export function jsonSyntax(): QueryError {
  return refused("invalid input syntax for type json");
}

export function outOfRange(type: string, text: string): QueryError {
  return refused(`value "${text}" is out of range for type ${type}`);
}

export function floatOutOfRange(text: string, type: string): QueryError {
  return refused(`"${text}" is out of range for type ${type}`);
}

export function floatOverflow(): QueryError {
  return refused("value out of range: overflow");
}

export function timeOutOfRange(text: string): QueryError {
  return refused(`date/time field value out of range: "${text}"`);
}

export function timestampOutOfRange(text: string): QueryError {
  return refused(`timestamp out of range: "${text}"`);
}

export function zoneOutOfRange(text: string): QueryError {
  return refused(`time zone displacement out of range: "${text}"`);
}

export function enumMemberUnknown(type: string, text: string): QueryError {
  return refused(`invalid input value for enum ${type}: "${text}"`);
}

export function arrayMalformed(text: string): QueryError {
  return refused(`malformed array literal: "${text}"`);
}

export function offsetNegative(): QueryError {
  return refused("OFFSET must not be negative");
}

export function regexInvalid(reason: string): QueryError {
  return refused(`invalid regular expression: ${reason}`);
}

export function likeEscapeDangling(): QueryError {
  return new QueryError("bad-request", "$", "LIKE pattern must not end with escape character");
}

export function databaseFailed(): QueryError {
  return new QueryError("unexpected", "$", "database query error");
}

function invalid(path: string, message: string): QueryError {
  return queryError("validation-failed", path, message);
}

function malformed(path: string, message: string): QueryError {
  return queryError("parse-failed", path, message);
}

/** What only the database finds; it cannot tell where in the query. */
function refused(message: string): QueryError {
  return queryError("data-exception", "$", message);
}

function queryError(code: QueryErrorCode, path: string, message: string): QueryError {
  return new QueryError(code, path, message);
}

function quoteList(names: readonly string[]): string {
  return `[${names.map((name) => `'${name}'`).join(", ")}]`;
}
