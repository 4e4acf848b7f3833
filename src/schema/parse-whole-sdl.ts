import { SchemaError } from "../base/errors/schema-error.ts";
import type { ApiSchema } from "./api-schema.ts";
import { parseSdl } from "./parse-sdl.ts";
import { validateSchema } from "./validate-schema.ts";

/**
 * Parses an API schema from a file that anybody may have edited: every type that it names has to be in it.
 *
 * @param place what to call the file in an error.
 * @throws SchemaError for what is no SDL, or no schema.
 */
export function parseWholeSdl(text: string, place: string): ApiSchema {
  const schema = parseSdl(text, place);
  try {
    validateSchema(schema);
  } catch (cause) {
    if (!(cause instanceof SchemaError)) throw cause;
    const { code, problems } = cause;
    throw new SchemaError({
      code,
      sentence: `${place} is no valid schema: ${problems[0]?.reason}.`,
      hint: "correct the file, or take it again from where it came.",
      problems,
      cause,
    });
  }
  return schema;
}
