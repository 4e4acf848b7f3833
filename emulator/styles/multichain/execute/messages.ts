import { type FaultCode, QueryFault } from "./query-error.ts";

/**
 * The error catalogue (D.3 and the messages inside C.3 to C.6), word for word: tools read these sentences,
 * so none is written anywhere else.
 */

export function invalidDocument(): QueryFault {
  return invalid("$.query", "not a valid graphql query");
}

export function operationNameInvalid(name: string): QueryFault {
  return malformed("$.operationName", `${name} is not valid GraphQL name`);
}

export function operationAmbiguous(): QueryFault {
  return invalid(
    "$",
    "exactly one operation has to be present in the document when operationName is not specified",
  );
}

export function operationMissing(name: string): QueryFault {
  return invalid("$", `no such operation found in the document: "${name}"`);
}

export function operationAnonymous(): QueryFault {
  return invalid("$", "operationName cannot be used when an anonymous operation exists in the document");
}

export function mutationRefused(): QueryFault {
  return invalid("$", "no mutations exist");
}

export function subscriptionRefused(): QueryFault {
  return new QueryFault(
    "unexpected-payload",
    "$",
    "subscriptions are not supported over HTTP, use websockets instead",
  );
}

export function subscriptionRootsMany(): QueryFault {
  return invalid("$", "subscriptions must select one top level field");
}

export function fragmentUndefined(path: string, name: string): QueryFault {
  return invalid(path, `reference to undefined fragment "${name}"`);
}

/** @param names of the fragments that form the cycle, in the order they were met. */
export function fragmentCycle(path: string, names: readonly string[]): QueryFault {
  const listed = names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names.join(", ");
  return invalid(path, `the fragment definition(s) ${listed} form a cycle`);
}

export function directiveUndefined(path: string, name: string): QueryFault {
  return invalid(path, `directive '${name}' is not defined in the schema`);
}

/** @param place `a query`, `a field`, `a fragment spread` or `an inline fragment`. */
export function directiveMisplaced(path: string, name: string, place: string): QueryFault {
  return invalid(path, `directive '${name}' is not allowed on ${place}`);
}

export function directiveRepeated(path: string, names: readonly string[]): QueryFault {
  return invalid(path, `the following directives are used more than once: ${quoteList(names)}`);
}

export function fieldNotFound(path: string, name: string, type: string): QueryFault {
  return invalid(path, `field '${name}' not found in type: '${type}'`);
}

export function argumentUnknown(path: string, field: string, name: string): QueryFault {
  return invalid(path, `'${field}' has no argument named '${name}'`);
}

export function requiredMissing(path: string, name: string): QueryFault {
  return invalid(path, `missing required field '${name}'`);
}

export function selectionMissing(path: string, type: string): QueryFault {
  return invalid(path, `missing selection set for '${type}'`);
}

export function selectionOnLeaf(path: string): QueryFault {
  return invalid(path, "unexpected subselection set for non-object field");
}

export function argumentsConflict(path: string, field: string): QueryFault {
  return invalid(path, `inconsistent arguments between multiple selections of field '${field}'`);
}

export function responseNameConflict(path: string, first: string, second: string, key: string): QueryFault {
  return invalid(
    path,
    `selection of both '${first}' and '${second}' specify the same response name, '${key}'`,
  );
}

export function unexpectedNull(path: string, type: string): QueryFault {
  return invalid(path, `unexpected null value for type '${type}'`);
}

/** @param expected with its article: `an object`; @param found likewise. */
export function kindMismatch(path: string, expected: string, type: string, found: string): QueryFault {
  return invalid(path, `expected ${expected} for type '${type}', but found ${found}`);
}

/** A key of a JSON object that no field can have. */
export function keyIllegal(path: string, key: string): QueryFault {
  return invalid(path, `variable value contains object with key "${key}", which is not a legal GraphQL name`);
}

export function listExpected(path: string, found: string): QueryFault {
  return invalid(path, `expected a list, but found ${found}`);
}

export function enumValueUnknown(
  path: string,
  values: readonly string[],
  type: string,
  found: string,
): QueryFault {
  return invalid(
    path,
    `expected one of the values ${quoteList(values)} for type '${type}', but found '${found}'`,
  );
}

export function variableRepeated(name: string): QueryFault {
  return malformed("$", `multiple definitions for variable "${name}"`);
}

export function variableUnbound(name: string): QueryFault {
  return invalid("$", `unbound variable "${name}"`);
}

export function variableMissing(name: string): QueryFault {
  return invalid("$", `expecting a value for non-nullable variable: "${name}"`);
}

export function variableNull(type: string): QueryFault {
  return invalid("$", `null value found for non-nullable type: "${type}"`);
}

export function variablesUnexpected(names: readonly string[]): QueryFault {
  return invalid("$", `unexpected variables in variableValues: ${names.join(", ")}`);
}

export function variableMistyped(path: string, name: string, declared: string, expected: string): QueryFault {
  return invalid(
    path,
    `variable '${name}' is declared as '${declared}', but used where '${expected}' is expected`,
  );
}

export function predicatesMany(path: string): QueryFault {
  return invalid(path, "exactly one predicate should be specified");
}

export function cursorsMany(path: string): QueryFault {
  return invalid(path, "multiple column cursors are not supported yet");
}

export function cursorMissing(path: string): QueryFault {
  return invalid(path, "one streaming column field is expected");
}

export function distinctOnMismatch(path: string): QueryFault {
  return invalid(path, '"distinct_on" columns must match initial "order_by" columns');
}

export function jsonPathInvalid(path: string, given: string): QueryFault {
  return invalid(
    path,
    `parse json path error: ${given}. Accept letters, digits, underscore (_) or hyphen (-) only. Use quotes enclosed in bracket (["..."]) if there is any special character`,
  );
}

/** A value that does not parse as its column's type: `parsing Text failed, expected String, but encountered Number`. */
export function parsingFailed(path: string, what: string, expected: string, found: string): QueryFault {
  return malformed(path, `parsing ${what} failed, expected ${expected}, but encountered ${found}`);
}

export function integerOutside(path: string, shown: string): QueryFault {
  return malformed(
    path,
    `The value ${shown} lies outside the bounds or is not an integer. Maybe it is a float, or is there integer overflow?`,
  );
}

export function floatOutside(path: string, shown: string): QueryFault {
  return malformed(path, `The value ${shown} lies outside the bounds. Is it overflowing the float bounds?`);
}

export function boolExpected(path: string, found: string): QueryFault {
  return malformed(path, `expected Bool, but encountered ${found}`);
}

/** Of an enum, which only Postgres knows. */
export function stringExpected(path: string, type: string): QueryFault {
  return malformed(path, `A string is expected for type: ${type}`);
}

export function inputSyntax(type: string, text: string): QueryFault {
  return refused(`invalid input syntax for type ${type}: "${text}"`);
}

export function jsonSyntax(): QueryFault {
  return refused("invalid input syntax for type json");
}

export function outOfRange(type: string, text: string): QueryFault {
  return refused(`value "${text}" is out of range for type ${type}`);
}

export function floatOutOfRange(text: string, type: string): QueryFault {
  return refused(`"${text}" is out of range for type ${type}`);
}

export function floatOverflow(): QueryFault {
  return refused("value out of range: overflow");
}

export function timeOutOfRange(text: string): QueryFault {
  return refused(`date/time field value out of range: "${text}"`);
}

export function timestampOutOfRange(text: string): QueryFault {
  return refused(`timestamp out of range: "${text}"`);
}

export function zoneOutOfRange(text: string): QueryFault {
  return refused(`time zone displacement out of range: "${text}"`);
}

export function enumMemberUnknown(type: string, text: string): QueryFault {
  return refused(`invalid input value for enum ${type}: "${text}"`);
}

export function arrayMalformed(text: string): QueryFault {
  return refused(`malformed array literal: "${text}"`);
}

export function offsetNegative(): QueryFault {
  return refused("OFFSET must not be negative");
}

export function regexInvalid(reason: string): QueryFault {
  return refused(`invalid regular expression: ${reason}`);
}

export function likeEscapeDangling(): QueryFault {
  return new QueryFault("bad-request", "$", "LIKE pattern must not end with escape character");
}

export function databaseFailed(): QueryFault {
  return new QueryFault("unexpected", "$", "database query error");
}

function invalid(path: string, message: string): QueryFault {
  return fault("validation-failed", path, message);
}

function malformed(path: string, message: string): QueryFault {
  return fault("parse-failed", path, message);
}

/** What only the database finds; it cannot tell where in the query. */
function refused(message: string): QueryFault {
  return fault("data-exception", "$", message);
}

function fault(code: FaultCode, path: string, message: string): QueryFault {
  return new QueryFault(code, path, message);
}

function quoteList(names: readonly string[]): string {
  return `[${names.map((name) => `'${name}'`).join(", ")}]`;
}
