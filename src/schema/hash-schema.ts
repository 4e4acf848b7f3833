import { compareCodeUnits } from "../base/compare-code-units.ts";
import { hash } from "../base/hash.ts";
import type { ApiSchema, ApiType } from "./api-schema.ts";
import { inputSignature, KEYWORDS, visitMembers } from "./members.ts";
import { ROOTS } from "./roots.ts";

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
