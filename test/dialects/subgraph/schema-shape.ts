import type { ApiField, ApiInputValue, ApiSchema, ApiType } from "../../../src/dialects/api-schema.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import type { DeriveOptions } from "../../../src/dialects/platform.ts";
import { deriveSubgraph } from "../../../src/dialects/subgraph/derive.ts";

/** Derives a schema from entity SDL. */
export function deriveFrom(sdl: string, options?: DeriveOptions): ApiSchema {
  return deriveSubgraph(parseEntities(sdl, "test.graphql"), options);
}

/** Returns the type with this name. */
export function typeOf(schema: ApiSchema, name: string): ApiType {
  const found = schema.types.find((type) => type.name === name);
  if (!found) throw new Error(`no type ${name}`);
  return found;
}

/** Returns the members of a type in order, one line of SDL each. */
export function shapeOf(schema: ApiSchema, name: string): string[] {
  const type = typeOf(schema, name);
  switch (type.kind) {
    case "ENUM":
      return type.values.map((value) => value.name);
    case "INPUT_OBJECT":
      return type.fields.map(inputShape);
    case "OBJECT":
    case "INTERFACE":
      return type.fields.map(fieldShape);
    default:
      return [];
  }
}

/** Returns the members of a filter for one field: `name: type` for each name `field` or `field_…`. */
export function filtersOf(schema: ApiSchema, type: string, field: string): string[] {
  return shapeOf(schema, `${type}_filter`).filter((line) => new RegExp(`^${field}[_:]`).test(line));
}

function fieldShape({ name, args, type }: ApiField): string {
  return `${name}${args.length === 0 ? "" : `(${args.map(inputShape).join(", ")})`}: ${type}`;
}

function inputShape({ name, type, defaultValue }: ApiInputValue): string {
  return `${name}: ${type}${defaultValue === null ? "" : ` = ${defaultValue}`}`;
}
