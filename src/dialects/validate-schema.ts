import { SchemaError } from "../base/errors.ts";
import {
  type ApiDirective,
  type ApiInputValue,
  type ApiSchema,
  type ApiType,
  baseTypeName,
  DIRECTIVE_LOCATIONS,
  META_TYPES,
  ROOTS,
  STANDARD_DIRECTIVES,
  STANDARD_SCALARS,
} from "./api-schema.ts";
import { visitMembers } from "./members.ts";
import { parseValue, type Value } from "./values.ts";

/** Validates a server's schema, so that its SDL can be read back. Meta-types are skipped, because Hasura's are not exact. */
export function validateSchema(schema: ApiSchema): void {
  const kinds = kindsOf(schema.types);
  for (const root of ROOTS) {
    const name = schema[`${root}Type`];
    if (name !== null) requireKind(name, ["OBJECT"], `the ${root} root`, kinds);
  }
  for (const type of schema.types) if (!META_TYPES.has(type.name)) validateType(type, kinds);
  for (const directive of schema.directives) validateDirective(directive, kinds);
  requireFiniteDefaults(schema);
}

type Kind = ApiType["kind"];
type Kinds = ReadonlyMap<string, Kind>;

/** Indexes kinds by type. The first of two types with one name wins. Servers may omit standard scalars and meta-types. */
function kindsOf(types: readonly ApiType[]): Kinds {
  const kinds = new Map<string, Kind>(META_TYPES);
  for (const scalar of STANDARD_SCALARS) kinds.set(scalar, "SCALAR");
  for (const { name, kind } of types) if (!kinds.has(name)) kinds.set(name, kind);
  return kinds;
}

function validateType(type: ApiType, kinds: Kinds): void {
  const { name, kind } = type;
  if (STANDARD_SCALARS.has(name) && kind !== "SCALAR") {
    throw notIntrospection(`${name} is of kind ${kind}, but should be of kind SCALAR`);
  }
  if ("fields" in type) requireSome(type.fields, "fields", name);
  if (kind === "ENUM") requireSome(type.values, "values", name);
  if (kind === "UNION") requireSome(type.possibleTypes, "members", name);
  if ("interfaces" in type)
    for (const parent of type.interfaces) requireKind(parent, ["INTERFACE"], name, kinds);
  if (kind === "UNION") for (const member of type.possibleTypes) requireKind(member, ["OBJECT"], name, kinds);
  visitMembers(type, (place, _, __, member) => {
    if ("args" in member) requireType(member.type, OUTPUT_KINDS, place, kinds);
    else if ("type" in member) validateInput(member, place, kinds);
    else if (LITERALS.has(member.name)) {
      throw notIntrospection(`${name} has the value "${member.name}", which is not a valid name of a value`);
    }
  });
}

function validateDirective({ name, locations, args }: ApiDirective, kinds: Kinds): void {
  requireSome(locations, "locations", `@${name}`);
  // Standard directives have new locations in newer versions of GraphQL, and are not in snapshots.
  if (STANDARD_DIRECTIVES.has(name)) return;
  for (const location of locations) {
    if (!DIRECTIVE_LOCATIONS.has(location)) {
      throw notIntrospection(`@${name} has the unknown location ${showValue(location)}`);
    }
  }
  for (const arg of args) validateInput(arg, `@${name}(${arg.name}:)`, kinds);
}

function validateInput({ type, defaultValue }: ApiInputValue, place: string, kinds: Kinds): void {
  requireType(type, INPUT_KINDS, place, kinds);
  if (defaultValue === null || parseValue(defaultValue) !== null) return;
  throw notIntrospection(
    `the default of ${place} is ${showValue(defaultValue)}, which is not a GraphQL value`,
  );
}

function requireType(type: string, allowed: readonly Kind[], place: string, kinds: Kinds): void {
  if (type.includes("!!")) throw notIntrospection(`${place} has the type "${type}", required twice`);
  requireKind(baseTypeName(type), allowed, place, kinds);
}

function requireKind(name: string, allowed: readonly Kind[], place: string, kinds: Kinds): void {
  const kind = kinds.get(name);
  if (kind === undefined) throw incomplete(`${place} refers to type "${name}", which is missing`);
  if (allowed.includes(kind)) return;
  throw notIntrospection(
    `${place} refers to type "${name}" of kind ${kind}, but only ${allowed.join(", ")} are valid there`,
  );
}

function requireSome(items: readonly unknown[], what: string, place: string): void {
  if (items.length === 0) throw incomplete(`${place} has no ${what}`);
}

const OUTPUT_KINDS: readonly Kind[] = ["SCALAR", "OBJECT", "INTERFACE", "UNION", "ENUM"];
const INPUT_KINDS: readonly Kind[] = ["SCALAR", "ENUM", "INPUT_OBJECT"];

const LITERALS: ReadonlySet<string> = new Set(["true", "false", "null"]);

/** Throws if a default value is infinite, as in `input A { a: A = {} }`, or far larger than any real one. */
function requireFiniteDefaults(schema: ApiSchema): void {
  const inputs = new Map(
    schema.types.flatMap((type) => (type.kind === "INPUT_OBJECT" ? [[type.name, type.fields] as const] : [])),
  );
  /** The number of values in the default of an input; infinite while it is being counted. */
  const sizes = new Map<ApiInputValue, number>();

  for (const type of schema.types) {
    visitMembers(type, (place, _, __, member) => {
      if ("defaultValue" in member) sizeOf(member, place, 0);
    });
  }
  for (const { name, args } of schema.directives) {
    for (const arg of args) sizeOf(arg, `@${name}(${arg.name}:)`, 0);
  }

  function sizeOf(input: ApiInputValue, place: string, depth: number): number {
    const type = baseTypeName(input.type);
    if (input.defaultValue === null || !inputs.has(type)) return 1;
    let size = sizes.get(input);
    if (size === undefined) {
      sizes.set(input, Number.POSITIVE_INFINITY);
      // A chain of defaults has at least as many values as levels. Checking the depth first protects the stack.
      size = depth > MOST_VALUES ? depth : sizeOfValue(parseValue(input.defaultValue), type, depth + 1);
      sizes.set(input, size);
    }
    if (size <= MOST_VALUES) return size;
    throw notIntrospection(`the default of ${place} contains itself or has more than ${MOST_VALUES} values`);
  }

  function sizeOfValue(value: Value | null, type: string, depth: number): number {
    if (value?.kind === "list") {
      return value.items.reduce((size, item) => size + sizeOfValue(item, type, depth), 1);
    }
    if (value?.kind !== "object") return 1;
    // Each field has a value, so that the first ones show whether there are too many.
    const fields = (inputs.get(type) ?? []).slice(0, MOST_VALUES);
    return fields.reduce((size, field) => {
      const member = value.members.get(field.name);
      const inner =
        member === undefined
          ? sizeOf(field, `${type}.${field.name}`, depth)
          : sizeOfValue(member, baseTypeName(field.type), depth);
      return size + inner;
    }, 1);
  }
}

/** Defaults of real schemas have only a few values. */
const MOST_VALUES = 1000;

/** The maximum number of types in an answer. Hasura makes about ten per table, and few databases have a thousand tables. */
export const MOST_TYPES = 20_000;

/** The maximum number of members of all types and directives. 16 MB of JSON have fewer. */
export const MOST_MEMBERS = 150_000;

/** Throws if `__schema` has too many types or members. It runs before parsing, so that a huge answer costs little. */
export function requireSize(schema: Readonly<Record<string, unknown>>): void {
  const types = itemsOf(schema, "types");
  if (types.length > MOST_TYPES) throw tooLarge(types.length, "types", MOST_TYPES);
  let members = 0;
  for (const owner of [...types, ...itemsOf(schema, "directives")]) {
    for (const list of LISTS) {
      const items = itemsOf(owner, list);
      members += items.length;
      if (list === "fields") for (const field of items) members += itemsOf(field, "args").length;
    }
  }
  if (members > MOST_MEMBERS) throw tooLarge(members, "members", MOST_MEMBERS);
}

const LISTS = ["fields", "inputFields", "enumValues", "interfaces", "possibleTypes", "args", "locations"];

function itemsOf(owner: unknown, list: string): readonly unknown[] {
  const items = typeof owner === "object" && owner !== null ? (owner as Record<string, unknown>)[list] : null;
  return Array.isArray(items) ? items : [];
}

function tooLarge(count: number, what: string, most: number): SchemaError {
  return new SchemaError({
    code: "SCHEMA_TOO_LARGE",
    sentence: `The schema has ${count} ${what}, and the limit is ${most}, so it was not read.`,
    hint: "check that the URL is the endpoint of this deployment; if it is, report the answer to its operator.",
  });
}

/** Creates the error for an answer that breaks the rules of introspection or GraphQL. `problem` names the place. */
export function notIntrospection(problem: string): SchemaError {
  return new SchemaError({
    code: "SCHEMA_NOT_INTROSPECTION",
    sentence: `The answer is not an introspection result: ${problem}.`,
    hint: "check that the URL is a GraphQL endpoint of this deployment.",
    problems: [{ reason: problem, line: null, column: null }],
  });
}

/** Creates the error for an incomplete answer. `problem` names the place. */
function incomplete(problem: string): SchemaError {
  return new SchemaError({
    code: "SCHEMA_INCOMPLETE",
    sentence: `The schema is incomplete: ${problem}.`,
    hint: "the server sent only a part of its schema; try again later, or report it to its operator.",
    problems: [{ reason: problem, line: null, column: null }],
  });
}

/** Describes an unexpected value in a few words on one line. */
export function showValue(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  // `JSON.stringify` copies the slice. A slice itself would keep the whole string in memory.
  if (typeof value === "string" && value.length > 60) return `${JSON.stringify(value.slice(0, 60))}…`;
  return JSON.stringify(value);
}
