import { compareCodeUnits, distinctByName } from "../base/collections.ts";
import { hash } from "../base/hash.ts";
import {
  type ApiInputValue,
  type ApiSchema,
  type ApiType,
  ROOTS,
  STANDARD_DIRECTIVES,
  STANDARD_SCALARS,
} from "./api-schema.ts";
import { inputSignature, KEYWORDS, visitMembers } from "./members.ts";
import { dedent, parseValue, type Value } from "./values.ts";

/** Returns the canonical form of a schema, which snapshots contain and hashes are computed from. The first of two members with one name wins. */
export function canonicalize(schema: ApiSchema): ApiSchema {
  return {
    queryType: schema.queryType,
    mutationType: schema.mutationType,
    subscriptionType: schema.subscriptionType,
    types: distinctByName(schema.types)
      .filter((type) => !type.name.startsWith("__") && !STANDARD_SCALARS.has(type.name))
      .map(canonicalType),
    directives: distinctByName(schema.directives)
      .filter((directive) => !STANDARD_DIRECTIVES.has(directive.name))
      .map((directive) => ({
        name: directive.name,
        description: normalizeDescription(directive.description),
        locations: [...directive.locations].sort(compareCodeUnits),
        args: canonicalInputs(directive.args),
      })),
  };
}

function canonicalType(type: ApiType): ApiType {
  const description = normalizeDescription(type.description);
  switch (type.kind) {
    case "SCALAR":
      return { ...type, description };
    case "OBJECT":
    case "INTERFACE":
      return {
        kind: type.kind,
        name: type.name,
        description,
        interfaces: [...type.interfaces].sort(compareCodeUnits),
        fields: distinctByName(type.fields).map((field) => ({
          name: field.name,
          description: normalizeDescription(field.description),
          args: canonicalInputs(field.args),
          type: field.type,
          // Lone surrogates are not valid in a GraphQL document.
          deprecationReason: field.deprecationReason?.toWellFormed() ?? null,
        })),
      };
    case "UNION":
      return { ...type, description, possibleTypes: [...type.possibleTypes].sort(compareCodeUnits) };
    case "ENUM":
      return {
        ...type,
        description,
        values: distinctByName(type.values).map((value) => ({
          name: value.name,
          description: normalizeDescription(value.description),
          deprecationReason: value.deprecationReason?.toWellFormed() ?? null,
        })),
      };
    case "INPUT_OBJECT":
      return { ...type, description, fields: canonicalInputs(type.fields) };
  }
}

/** Members are copied without spread, because spread is many times slower here. */
function canonicalInputs(inputs: readonly ApiInputValue[]): ApiInputValue[] {
  return distinctByName(inputs).map((input) => ({
    name: input.name,
    description: normalizeDescription(input.description),
    type: input.type,
    defaultValue: input.defaultValue === null ? null : normalizeValue(input.defaultValue),
  }));
}

/** Normalizes the white space of a description, which differs between releases of one platform. Null if it is empty. */
export function normalizeDescription(description: string | null): string | null {
  if (description === null) return null;
  // Most descriptions are one plain line, and testing for that is several times faster.
  if (PLAIN_LINE.test(description)) return description;
  const lines = description
    .toWellFormed()
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll("\t", "  ")
    // Other control characters are not allowed in a GraphQL document at all.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it removes them
    .replaceAll(/[\u0000-\u0009\u000b-\u001f]/g, "")
    .split("\n")
    .map((line) => line.trimEnd());
  // The indentation of the first line counts too, unlike in a block string.
  return dedent(["", ...lines], /\S/) || null;
}

/** ASCII without control characters, and without blanks at its ends. */
const PLAIN_LINE = /^[!-~](?:[ -~]*[!-~])?$/;

/** Normalizes a default value as snapshots print it. A value that cannot be parsed is only trimmed. */
export function normalizeValue(text: string): string {
  const value = parseValue(text);
  return value === null ? text.trim() : render(value);
}

function render(value: Value): string {
  if (value.kind === "leaf") return value.text;
  if (value.kind === "list") return `[${value.items.map(render).join(", ")}]`;
  if (value.members.size === 0) return "{}";
  const sorted = [...value.members].sort(([a], [b]) => (a < b ? -1 : 1));
  return `{ ${sorted.map(([key, member]) => `${key}: ${render(member)}`).join(", ")} }`;
}

/** Two hashes of a canonical schema, so that changed descriptions never look like a changed API. */
export type SchemaHashes = {
  /** Of every coordinate and its signature; 64 hex digits. */
  readonly schema: string;
  /** Of every coordinate and its description; 64 hex digits. */
  readonly docs: string;
};

/** Hashes a canonical schema by its members, not its SDL, so that the result does not depend on a printer. */
export function hashSchema(schema: ApiSchema): SchemaHashes {
  const members = flattenSchema(schema);
  const shape = members.map(({ coordinate, signature }) => `${coordinate}\t${signature}\n`);
  const docs = members
    .filter(({ description }) => description !== null)
    .map(({ coordinate, description }) => `${coordinate}\t${JSON.stringify(description)}\n`);
  return { schema: hash(shape.join("")), docs: hash(docs.join("")) };
}

/** One member of a schema, with its coordinate in the notation of the GraphQL specification. */
export type SchemaMember = {
  readonly coordinate: string;
  /** Everything about the member except its description, as text: `[Stream!]!`, `Int = 100`. */
  readonly signature: string;
  readonly description: string | null;
};

/** Flattens a canonical schema to its members in code-unit order of their coordinates. */
export function flattenSchema(schema: ApiSchema): SchemaMember[] {
  const members: SchemaMember[] = [];
  const add = (coordinate: string, signature: string, description: string | null) =>
    members.push({ coordinate, signature, description });
  for (const root of ROOTS) {
    const name = schema[`${root}Type`];
    if (name !== null) add(root, name, null);
  }
  for (const type of schema.types) {
    add(type.name, headOf(type), type.description);
    visitMembers(type, (coordinate, signature, kind, { description, deprecationReason = null }) => {
      const shown = kind === "enum-value-added" ? "value" : signature;
      add(coordinate, deprecationReason === null ? shown : `${shown} deprecated`, description);
    });
  }
  for (const { name, description, locations, args } of schema.directives) {
    add(`@${name}`, locations.join(" "), description);
    for (const arg of args) add(`@${name}(${arg.name}:)`, inputSignature(arg), arg.description);
  }
  return members.sort((a, b) => compareCodeUnits(a.coordinate, b.coordinate));
}

/** Returns the signature of a type without its members. */
function headOf(type: ApiType): string {
  const keyword = KEYWORDS[type.kind];
  if ("interfaces" in type) return [keyword, ...type.interfaces].join(" ");
  if (type.kind === "UNION") return [keyword, ...type.possibleTypes].join(" ");
  return type.kind === "INPUT_OBJECT" && type.oneOf ? `${keyword} oneOf` : keyword;
}
