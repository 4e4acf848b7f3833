import { baseTypeName } from "../base/type-expression.ts";
import type { ApiDirective, ApiInputValue, ApiSchema, ApiType } from "./api-schema.ts";
import { incomplete, notIntrospection, showValue } from "./introspection-error.ts";
import { parseValue } from "./parse-value.ts";
import { requireFiniteDefaults } from "./require-finite-defaults.ts";
import { ROOTS } from "./roots.ts";
import { DIRECTIVE_LOCATIONS, META_TYPES, STANDARD_DIRECTIVES, STANDARD_SCALARS } from "./standard-names.ts";

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
