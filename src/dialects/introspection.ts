import { cached } from "../base/collections.ts";
import {
  type ApiDirective,
  type ApiEnumValue,
  type ApiField,
  type ApiInputValue,
  type ApiSchema,
  type ApiType,
  indexTypes,
  isReserved,
  itemType,
} from "./api-schema.ts";
import { notIntrospection, requireSize, showValue, validateSchema } from "./validate-schema.ts";

/** Parses an introspection answer, which may be hostile. Throws if a snapshot of it could not be read back. */
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
    name: name(type["name"], `${place}.name`),
    description: text(type["description"], place),
  };
  if (isReserved(base.name)) {
    throw notIntrospection(`${place}.name is "${base.name}", a name that GraphQL reserves`);
  }
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
  const { member: field, name, place } = parseNamed(value, owner, "a field");
  return {
    name,
    description: text(field["description"], place),
    args: list(field["args"], `${place}.args`).map((item) => parseInputValue(item, place)),
    type: typeExpression(field["type"], place),
    deprecationReason: deprecation(field, place),
  };
}

function parseInputValue(value: unknown, owner: string): ApiInputValue {
  const { member: input, name, place } = parseNamed(value, owner, "an input");
  return {
    name,
    description: text(input["description"], place),
    type: typeExpression(input["type"], place),
    defaultValue: text(input["defaultValue"], `${place}.defaultValue`),
  };
}

function parseEnumValue(value: unknown, owner: string): ApiEnumValue {
  const { member, name, place } = parseNamed(value, owner, "a value");
  const description = text(member["description"], place);
  return { name, description, deprecationReason: deprecation(member, place) };
}

function parseNamed(value: unknown, owner: string, what: string) {
  const member = record(value, `${what} of ${owner}`);
  const memberName = name(member["name"], `${what} of ${owner}`);
  return { member, name: memberName, place: `${owner}.${memberName}` };
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

/** The classic query selects seven levels of `ofType`. Deeper types are cut off. */
const DEEPEST_TYPE = 8;

function typeExpression(value: unknown, place: string, depth = 0): string {
  const type = record(value, `the type of ${place}`);
  if (depth > DEEPEST_TYPE) throw notIntrospection(`the type of ${place} is nested too deeply`);
  if (type["kind"] === "NON_NULL") return `${typeExpression(type["ofType"], place, depth + 1)}!`;
  if (type["kind"] === "LIST") return `[${typeExpression(type["ofType"], place, depth + 1)}]`;
  return name(type["name"], `the type of ${place}`);
}

/** The length is limited because messages contain names. */
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

/** The classic query, which every release answers. Newer members would fail on older deployments. */
export const INTROSPECTION_QUERY = `query IntrospectionQuery {
  __schema {
    queryType { name }
    mutationType { name }
    subscriptionType { name }
    types { ...FullType }
    directives { name description locations args { ...InputValue } }
  }
}
fragment FullType on __Type {
  kind
  name
  description
  fields(includeDeprecated: true) {
    name
    description
    args { ...InputValue }
    type { ...TypeRef }
    isDeprecated
    deprecationReason
  }
  inputFields { ...InputValue }
  interfaces { ...TypeRef }
  enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
  possibleTypes { ...TypeRef }
}
fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue }
fragment TypeRef on __Type {
  kind
  name
  ofType {
    kind
    name
    ofType {
      kind
      name
      ofType {
        kind
        name
        ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } }
      }
    }
  }
}
`;

/** Builds the `data` of an introspection answer as both platforms do, in the order of the schema. */
export function buildIntrospection(schema: ApiSchema): { readonly __schema: Record<string, unknown> } {
  const types = indexTypes(schema);
  const implementers = new Map<string, string[]>();
  for (const type of schema.types) {
    if (type.kind !== "OBJECT") continue;
    for (const parent of type.interfaces) cached(implementers, parent, (): string[] => []).push(type.name);
  }

  function typeRef(type: string): unknown {
    if (type.endsWith("!")) return { kind: "NON_NULL", name: null, ofType: typeRef(type.slice(0, -1)) };
    if (type.startsWith("[")) return { kind: "LIST", name: null, ofType: typeRef(itemType(type)) };
    return { kind: types.get(type)?.kind ?? "SCALAR", name: type, ofType: null };
  }

  function inputValue(value: ApiInputValue): unknown {
    const { name, description, type, defaultValue } = value;
    return { name, description, type: typeRef(type), defaultValue };
  }

  function field({ name, description, args, type, deprecationReason }: ApiField): unknown {
    const isDeprecated = deprecationReason !== null;
    return {
      name,
      description,
      args: args.map(inputValue),
      type: typeRef(type),
      isDeprecated,
      deprecationReason,
    };
  }

  function enumValue({ name, description, deprecationReason }: ApiEnumValue): unknown {
    return { name, description, isDeprecated: deprecationReason !== null, deprecationReason };
  }

  function fullType(type: ApiType): unknown {
    const { kind, name, description } = type;
    const possibleTypes = kind === "UNION" || kind === "INTERFACE" ? type.possibleTypes : undefined;
    const implementing = kind === "INTERFACE" ? implementers.get(name) : undefined;
    return {
      kind,
      name,
      description,
      fields: kind === "OBJECT" || kind === "INTERFACE" ? type.fields.map(field) : null,
      inputFields: kind === "INPUT_OBJECT" ? type.fields.map(inputValue) : null,
      interfaces: kind === "OBJECT" ? type.interfaces.map(typeRef) : null,
      enumValues: kind === "ENUM" ? type.values.map(enumValue) : null,
      possibleTypes: (possibleTypes ?? implementing)?.map(typeRef) ?? null,
    };
  }

  const root = (name: string | null) => name && { name };
  return {
    __schema: {
      queryType: root(schema.queryType),
      mutationType: root(schema.mutationType),
      subscriptionType: root(schema.subscriptionType),
      types: schema.types.map(fullType),
      directives: schema.directives.map(({ name, description, locations, args }) => ({
        name,
        description,
        locations,
        args: args.map(inputValue),
      })),
    },
  };
}
