import { SchemaError } from "../base/errors/schema-error.ts";

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
