import { SchemaError } from "../base/errors.ts";
import { parseJson } from "../base/parse-json.ts";
import type { ApiSchema } from "./api-schema.ts";
import { canonicalize } from "./canonicalize.ts";
import { parseIntrospection } from "./introspection.ts";
import { parseWholeSdl } from "./parse-sdl.ts";

/**
 * Parses SDL, or the result of an introspection with or without the `data` around it, to its canonical form.
 *
 * @param name the name of the text in errors.
 * @throws SchemaError
 */
export function parseSchema(text: string, name: string): ApiSchema {
  if (!isJson(text)) return canonicalize(parseWholeSdl(text, name));
  const value = parseJson(text);
  if (value === undefined) {
    throw new SchemaError({
      code: "SCHEMA_NOT_INTROSPECTION",
      sentence: `${name} starts with "{" but is not valid JSON.`,
      hint: "save the result of the introspection again.",
    });
  }
  const { data } = value as { readonly data?: unknown };
  return canonicalize(parseIntrospection(data ?? value));
}

/** Returns whether the text of a schema is JSON, and not SDL. */
export function isJson(text: string): boolean {
  return text.trimStart().startsWith("{");
}
