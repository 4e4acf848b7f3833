import { SchemaError } from "../base/errors/schema-error.ts";
import { MOST_TYPES } from "./require-size.ts";

/** Some hundred times what is deployed anywhere. A text's tree takes thirty times its memory. */
const MOST = { characters: 8_000_000, definitions: MOST_TYPES };

/**
 * Requires that an entity schema is no larger than one can be.
 *
 * @param place names the text in the error.
 * @throws SchemaError `SCHEMA_TOO_LARGE`
 */
export function requireEntitySize(count: number, what: keyof typeof MOST, place: string): void {
  if (count <= MOST[what]) return;
  throw new SchemaError({
    code: "SCHEMA_TOO_LARGE",
    sentence: `${place} has ${count} ${what}, and the limit is ${MOST[what]}, so it was not read.`,
    hint: "name the entity schema that is deployed.",
  });
}
