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
import { parseValue, type Value } from "./values.ts";

/** Validates a server's schema so that its SDL can be read back; Hasura's loose meta-types are passed over. */
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

/** Of two types with one name the first counts. Servers may leave out the standard scalars and meta-types. */
function kindsOf(types: readonly ApiType[]): Kinds {
  const kinds = new Map<string, Kind>(META_TYPES);
  for (const scalar of STANDARD_SCALARS) kinds.set(scalar, "SCALAR");
  for (const { name, kind } of types) if (!kinds.has(name)) kinds.set(name, kind);
  return kinds;
}

function validateType(type: ApiType, kinds: Kinds): void {
  if (STANDARD_SCALARS.has(type.name) && type.kind !== "SCALAR") {
    throw notIntrospection(`${type.name} is of kind ${type.kind}, but should be of kind SCALAR`);
  }
  switch (type.kind) {
    case "OBJECT":
    case "INTERFACE":
      requireSome(type.fields, "fields", type.name);
      for (const parent of type.interfaces) requireKind(parent, ["INTERFACE"], type.name, kinds);
      for (const field of type.fields) {
        const place = `${type.name}.${field.name}`;
        requireType(field.type, OUTPUT_KINDS, place, kinds);
        for (const arg of field.args) validateInput(arg, `${place}(${arg.name}:)`, kinds);
      }
      break;
    case "UNION":
      requireSome(type.possibleTypes, "members", type.name);
      for (const member of type.possibleTypes) requireKind(member, ["OBJECT"], type.name, kinds);
      break;
    case "ENUM":
      requireSome(type.values, "values", type.name);
      for (const { name } of type.values) {
        if (!LITERALS.has(name)) continue;
        throw notIntrospection(`${type.name} has the value "${name}", which cannot name one`);
      }
      break;
    case "INPUT_OBJECT":
      requireSome(type.fields, "fields", type.name);
      for (const field of type.fields) validateInput(field, `${type.name}.${field.name}`, kinds);
      break;
    case "SCALAR":
      break;
  }
}

function validateDirective({ name, locations, args }: ApiDirective, kinds: Kinds): void {
  requireSome(locations, "locations", `@${name}`);
  // Those of GraphQL itself get new places with its versions, and no snapshot has them.
  if (STANDARD_DIRECTIVES.has(name)) return;
  for (const location of locations) {
    if (!DIRECTIVE_LOCATIONS.has(location)) {
      throw notIntrospection(`@${name} has the location ${showValue(location)}, which GraphQL does not know`);
    }
  }
  for (const arg of args) validateInput(arg, `@${name}(${arg.name}:)`, kinds);
}

function validateInput({ type, defaultValue }: ApiInputValue, place: string, kinds: Kinds): void {
  requireType(type, INPUT_KINDS, place, kinds);
  if (defaultValue === null || parseValue(defaultValue) !== null) return;
  throw notIntrospection(`the default of ${place} is ${showValue(defaultValue)}, which is no GraphQL value`);
}

function requireType(type: string, allowed: readonly Kind[], place: string, kinds: Kinds): void {
  if (type.includes("!!")) throw notIntrospection(`${place} has the type "${type}", required twice`);
  requireKind(baseTypeName(type), allowed, place, kinds);
}

function requireKind(name: string, allowed: readonly Kind[], place: string, kinds: Kinds): void {
  const kind = kinds.get(name);
  if (kind === undefined) throw incomplete(`${place} refers to type "${name}", which is not in it`);
  if (allowed.includes(kind)) return;
  throw notIntrospection(
    `${place} refers to type "${name}" of kind ${kind}, but only ${allowed.join(", ")} can stand there`,
  );
}

function requireSome(items: readonly unknown[], what: string, place: string): void {
  if (items.length === 0) throw incomplete(`${place} has no ${what}`);
}

const OUTPUT_KINDS: readonly Kind[] = ["SCALAR", "OBJECT", "INTERFACE", "UNION", "ENUM"];
const INPUT_KINDS: readonly Kind[] = ["SCALAR", "ENUM", "INPUT_OBJECT"];

const LITERALS: ReadonlySet<string> = new Set(["true", "false", "null"]);

/** Requires that every default ends: whoever works out `input A { a: A = {} }` never comes back. */
export function requireFiniteDefaults(schema: ApiSchema): void {
  const inputs = new Map(
    schema.types.flatMap((type) => (type.kind === "INPUT_OBJECT" ? [[type.name, type.fields] as const] : [])),
  );
  /** How many values the default of an input comes to; null while that is being counted. */
  const sizes = new Map<ApiInputValue, number | null>();

  for (const [name, fields] of inputs) for (const field of fields) sizeOf(field, `${name}.${field.name}`, 0);
  for (const type of schema.types) {
    if (!("interfaces" in type)) continue;
    for (const { name, args } of type.fields) {
      for (const arg of args) sizeOf(arg, `${type.name}.${name}(${arg.name}:)`, 0);
    }
  }
  for (const { name, args } of schema.directives) {
    for (const arg of args) sizeOf(arg, `@${name}(${arg.name}:)`, 0);
  }

  function sizeOf(input: ApiInputValue, place: string, depth: number): number {
    const { type, defaultValue } = input;
    const fields = inputs.get(baseTypeName(type));
    if (defaultValue === null || fields === undefined) return 1;
    const known = sizes.get(input);
    if (known === null) throw notIntrospection(`the default of ${place} holds itself`);
    if (known !== undefined) return known;
    sizes.set(input, null);
    // As deep as large: each default on the way is one value more, and would exhaust the stack before it is counted.
    const size =
      depth > MOST_VALUES
        ? depth
        : sizeOfValue(parseValue(defaultValue), baseTypeName(type), fields, depth + 1);
    if (size > MOST_VALUES) {
      throw notIntrospection(`the default of ${place} comes to more than ${MOST_VALUES} values`);
    }
    sizes.set(input, size);
    return size;
  }

  function sizeOfValue(
    value: Value | null,
    type: string,
    fields: readonly ApiInputValue[] | undefined,
    depth: number,
  ): number {
    if (value?.kind === "list") {
      return value.items.reduce((size, item) => size + sizeOfValue(item, type, fields, depth), 1);
    }
    if (value?.kind !== "object" || fields === undefined) return 1;
    let size = 1;
    for (const field of fields) {
      const own = value.members.get(field.name);
      const inner = baseTypeName(field.type);
      size +=
        own === undefined
          ? sizeOf(field, `${type}.${field.name}`, depth)
          : sizeOfValue(own, inner, inputs.get(inner), depth);
      if (size > MOST_VALUES) return size;
    }
    return size;
  }
}

/** Defaults of real schemas come to a handful. */
const MOST_VALUES = 1000;

/** The most types of an answered schema. Hasura makes about ten of a table, and databases of a thousand are rare. */
export const MOST_TYPES = 20_000;

/** The most members of types and directives together; as platforms send them, 16 MB hold fewer. */
export const MOST_MEMBERS = 150_000;

/** Counts what `__schema` lists before it is read, so that an endless list keeps nobody busy. */
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
    hint: "check that the URL is the endpoint of this deployment, and report it to its operator.",
  });
}

/** The error for an answer that breaks the rules of introspection or of GraphQL; `problem` names the place. */
export function notIntrospection(problem: string): SchemaError {
  return new SchemaError({
    code: "SCHEMA_NOT_INTROSPECTION",
    sentence: `The answer is not an introspection result: ${problem}.`,
    hint: "check that the URL is a GraphQL endpoint of this deployment.",
    problems: [{ reason: problem, line: null, column: null }],
  });
}

/** The error for an answer that lacks a part; `problem` names the place. */
export function incomplete(problem: string): SchemaError {
  return new SchemaError({
    code: "SCHEMA_INCOMPLETE",
    sentence: `The schema is incomplete: ${problem}.`,
    hint: "the server sent part of its schema; try again later, and report it to its operator if it stays so.",
    problems: [{ reason: problem, line: null, column: null }],
  });
}

/** What stands where something else should, in a few words and on one line. */
export function showValue(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  // Cut before it is copied: a part of a string keeps the whole of it in memory.
  if (typeof value === "string" && value.length > 60) return `${JSON.stringify(value.slice(0, 60))}…`;
  return JSON.stringify(value);
}
