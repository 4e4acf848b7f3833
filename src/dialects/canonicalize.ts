import { compareCodeUnits, indexByName, sortByName } from "../base/collections.ts";
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
import { parseValue, type Value } from "./values.ts";

/** The form that snapshots hold and hashes are taken of; of two members with one name the first counts. */
export function canonicalize(schema: ApiSchema): ApiSchema {
  return {
    queryType: schema.queryType,
    mutationType: schema.mutationType,
    subscriptionType: schema.subscriptionType,
    types: distinct(schema.types)
      .filter((type) => !type.name.startsWith("__") && !STANDARD_SCALARS.has(type.name))
      .map(canonicalType),
    directives: distinct(schema.directives)
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
        fields: distinct(type.fields).map((field) => ({
          name: field.name,
          description: normalizeDescription(field.description),
          args: canonicalInputs(field.args),
          type: field.type,
          deprecationReason: wellFormed(field.deprecationReason),
        })),
      };
    case "UNION":
      return { ...type, description, possibleTypes: [...type.possibleTypes].sort(compareCodeUnits) };
    case "ENUM":
      return {
        ...type,
        description,
        values: distinct(type.values).map((value) => ({
          name: value.name,
          description: normalizeDescription(value.description),
          deprecationReason: wellFormed(value.deprecationReason),
        })),
      };
    case "INPUT_OBJECT":
      return { ...type, description, fields: canonicalInputs(type.fields) };
  }
}

/** Half of a surrogate pair can be written in no document of GraphQL. */
function wellFormed(reason: string | null): string | null {
  return reason?.toWellFormed() ?? null;
}

/** Spelled out, as fields are: to spread what members share takes many times as long. */
function canonicalInputs(inputs: readonly ApiInputValue[]): ApiInputValue[] {
  return distinct(inputs).map((input) => ({
    name: input.name,
    description: normalizeDescription(input.description),
    type: input.type,
    defaultValue: input.defaultValue === null ? null : normalizeValue(input.defaultValue),
  }));
}

function distinct<T extends { readonly name: string }>(items: readonly T[]): readonly T[] {
  // What is in order is so without repetitions, and of a snapshot all is.
  const isAscending = items.every(({ name }, at) => at === 0 || (items[at - 1]?.name ?? "") < name);
  return isAscending ? items : sortByName([...indexByName(items).values()]);
}

/** A description as snapshots keep it; releases of one platform differ in white space. Null when empty. */
export function normalizeDescription(description: string | null): string | null {
  if (description === null) return null;
  // Most are a line that has nothing to mend, and to see that is several times faster than to mend it.
  if (PLAIN_LINE.test(description)) return description;
  const lines = description
    .toWellFormed()
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll("\t", "  ")
    // Other control characters are not allowed in a GraphQL document at all.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being removed
    .replaceAll(/[\u0000-\u0009\u000b-\u001f]/g, "")
    .split("\n")
    .map((line) => line.trimEnd());
  const first = lines.findIndex((line) => line !== "");
  if (first < 0) return null;
  const last = lines.findLastIndex((line) => line !== "");
  let common = Number.POSITIVE_INFINITY;
  for (const line of lines) if (line !== "") common = Math.min(common, line.search(/\S/));
  return lines
    .slice(first, last + 1)
    .map((line) => line.slice(common))
    .join("\n");
}

/** ASCII with neither control characters nor blanks at its ends. */
const PLAIN_LINE = /^[!-~](?:[ -~]*[!-~])?$/;

/** A default as snapshots print it; a value that cannot be parsed stays as it is. */
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

/** Two hashes of a canonical schema, so that a change of wording never looks like a change of shape. */
export type SchemaHashes = {
  /** Of every coordinate and its signature; 64 hex digits. */
  readonly schema: string;
  /** Of every coordinate and its description; 64 hex digits. */
  readonly docs: string;
};

/** Hashes a canonical schema by its members, not by its SDL text, so that the result depends on no printer. */
export function hashSchema(schema: ApiSchema): SchemaHashes {
  const members = flattenSchema(schema);
  const shape = members.map(({ coordinate, signature }) => `${coordinate}\t${signature}\n`);
  const docs = members
    .filter(({ description }) => description !== null)
    .map(({ coordinate, description }) => `${coordinate}\t${JSON.stringify(description)}\n`);
  return { schema: hash(shape.join("")), docs: hash(docs.join("")) };
}

/** One member of a schema: its coordinate in the notation of the GraphQL specification, and what it is. */
export type SchemaMember = {
  readonly coordinate: string;
  /** All that matters of the member but its description, as text: `[Stream!]!`, `Int = 100`. */
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

/** A type without its members. */
function headOf(type: ApiType): string {
  const keyword = KEYWORDS[type.kind];
  if ("interfaces" in type) return [keyword, ...type.interfaces].join(" ");
  if (type.kind === "UNION") return [keyword, ...type.possibleTypes].join(" ");
  return type.kind === "INPUT_OBJECT" && type.oneOf ? `${keyword} oneOf` : keyword;
}
