import type {
  ApiDirective,
  ApiEnumValue,
  ApiField,
  ApiInputValue,
  ApiSchema,
  ApiType,
} from "./api-schema.ts";
import { notIntrospection, showValue } from "./introspection-error.ts";
import { requireSize } from "./require-size.ts";
import { isReserved } from "./standard-names.ts";
import { validateSchema } from "./validate-schema.ts";

/** Parses a hostile introspection answer; what no snapshot could be read back from is refused. */
export function parseIntrospection(data: unknown): ApiSchema {
  const schema = record(record(data, "data")["__schema"], "__schema");
  requireSize(schema);
  const parsed: ApiSchema = {
    queryType: name(record(schema["queryType"], "__schema.queryType")["name"], "__schema.queryType.name"),
    mutationType: optionalTypeName(schema["mutationType"], "__schema.mutationType"),
    subscriptionType: optionalTypeName(schema["subscriptionType"], "__schema.subscriptionType"),
    types: list(schema["types"], "__schema.types").map((type, index) => parseType(type, `types[${index}]`)),
    directives: list(schema["directives"] ?? [], "__schema.directives").map((directive, index) =>
      parseDirective(directive, `directives[${index}]`),
    ),
  };
  validateSchema(parsed);
  return parsed;
}

function parseType(value: unknown, place: string): ApiType {
  const type = record(value, place);
  const base = {
    name: typeName(type["name"], `${place}.name`),
    description: text(type["description"], place),
  };
  const at = (member: string) => `${base.name}.${member}`;
  const names = (items: unknown, member: string) =>
    list(items, at(member)).map((item) => namedType(item, base.name));
  switch (type["kind"]) {
    case "SCALAR":
      return {
        kind: "SCALAR",
        ...base,
        ...(typeof type["specifiedByURL"] === "string" ? { specifiedBy: type["specifiedByURL"] } : {}),
      };
    case "OBJECT":
    case "INTERFACE":
      return {
        kind: type["kind"],
        ...base,
        interfaces: names(type["interfaces"] ?? [], "interfaces"),
        fields: list(type["fields"], at("fields")).map((field) => parseField(field, base.name)),
        ...(type["kind"] === "INTERFACE" && Array.isArray(type["possibleTypes"])
          ? { possibleTypes: names(type["possibleTypes"], "possibleTypes") }
          : {}),
      };
    case "UNION":
      return { kind: "UNION", ...base, possibleTypes: names(type["possibleTypes"], "possibleTypes") };
    case "ENUM":
      return {
        kind: "ENUM",
        ...base,
        values: list(type["enumValues"], at("enumValues")).map((item) => parseEnumValue(item, base.name)),
      };
    case "INPUT_OBJECT":
      return {
        kind: "INPUT_OBJECT",
        ...base,
        fields: list(type["inputFields"], at("inputFields")).map((item) => parseInputValue(item, base.name)),
        ...(type["isOneOf"] === true ? { oneOf: true } : {}),
      };
    default:
      throw notIntrospection(`${at("kind")} is ${showValue(type["kind"])}`);
  }
}

function parseField(value: unknown, owner: string): ApiField {
  const [field, name, place] = parseNamed(value, owner, "a field");
  return {
    name,
    description: text(field["description"], place),
    args: list(field["args"], `${place}.args`).map((item) => parseInputValue(item, place)),
    type: typeExpression(field["type"], place),
    deprecationReason: deprecation(field, place),
  };
}

function parseInputValue(value: unknown, owner: string): ApiInputValue {
  const [input, name, place] = parseNamed(value, owner, "an input");
  return {
    name,
    description: text(input["description"], place),
    type: typeExpression(input["type"], place),
    defaultValue: text(input["defaultValue"], `${place}.defaultValue`),
  };
}

function parseEnumValue(value: unknown, owner: string): ApiEnumValue {
  const [member, name, place] = parseNamed(value, owner, "a value");
  const description = text(member["description"], place);
  return { name, description, deprecationReason: deprecation(member, place) };
}

/** A member of a type, its name, and its place. */
function parseNamed(value: unknown, owner: string, what: string) {
  const member = record(value, `${what} of ${owner}`);
  const own = name(member["name"], `${what} of ${owner}`);
  const place = `${owner}.${own}`;
  return [member, own, place] as const;
}

function parseDirective(value: unknown, place: string): ApiDirective {
  const directive = record(value, place);
  const directiveName = name(directive["name"], `${place}.name`);
  return {
    name: directiveName,
    description: text(directive["description"], place),
    locations: list(directive["locations"], `@${directiveName}.locations`).map((item) =>
      name(item, `@${directiveName}.locations`),
    ),
    args: list(directive["args"], `@${directiveName}.args`).map((item) =>
      parseInputValue(item, `@${directiveName}`),
    ),
  };
}

function deprecation(member: Record<string, unknown>, place: string): string | null {
  return member["isDeprecated"] === true ? (text(member["deprecationReason"], place) ?? "") : null;
}

function namedType(value: unknown, place: string): string {
  return name(record(value, place)["name"], place);
}

function optionalTypeName(value: unknown, place: string): string | null {
  return value === null || value === undefined ? null : namedType(value, place);
}

/** The classic query follows seven levels of `ofType`; a deeper type arrives cut off. */
const DEEPEST_TYPE = 8;

function typeExpression(value: unknown, place: string, depth = 0): string {
  const type = record(value, `the type of ${place}`);
  if (depth > DEEPEST_TYPE) throw notIntrospection(`the type of ${place} is nested too deeply`);
  if (type["kind"] === "NON_NULL") return `${typeExpression(type["ofType"], place, depth + 1)}!`;
  if (type["kind"] === "LIST") return `[${typeExpression(type["ofType"], place, depth + 1)}]`;
  return name(type["name"], `the type of ${place}`);
}

function typeName(value: unknown, place: string): string {
  const checked = name(value, place);
  if (!isReserved(checked)) return checked;
  throw notIntrospection(`${place} is "${checked}", a name that GraphQL reserves`);
}

/** Names go into messages, so there is an end to them. */
const NAME = /^[_A-Za-z][_0-9A-Za-z]{0,999}$/;

function name(value: unknown, place: string): string {
  if (typeof value === "string" && NAME.test(value)) return value;
  throw notIntrospection(`${place} should be a GraphQL name, but is ${showValue(value)}`);
}

function text(value: unknown, place: string): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value;
  throw notIntrospection(`${place} should have text or null, but has ${showValue(value)}`);
}

function record(value: unknown, place: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw notIntrospection(`${place} should be an object, but is ${showValue(value)}`);
}

function list(value: unknown, place: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw notIntrospection(`${place} should be a list, but is ${showValue(value)}`);
}
