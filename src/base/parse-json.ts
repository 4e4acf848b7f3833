import * as v from "valibot";
import { displayText } from "./text.ts";

/** Whether a parsed JSON value is an object, and neither a list nor null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Parses a JSON file that people or other machines may have written.
 *
 * @param schema the message of each part is a clause about it: `is not a list`.
 * @param nouns what one item of a list is, by the key of the list, to say in which something is wrong.
 * @param invalid builds the error to throw, from a clause that says what is wrong and where.
 */
export function parseShape<T>(
  text: string,
  schema: v.GenericSchema<unknown, T>,
  nouns: Readonly<Record<string, string>>,
  invalid: (reason: string) => Error,
): T {
  const value = parseJson(text);
  if (value === undefined) throw invalid("it is no JSON");
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  throw invalid(describe(result.issues[0], nouns));
}

/** Where something is wrong by the path to it, and what it is not. */
function describe(
  { path, expected, message }: v.BaseIssue<unknown>,
  nouns: Readonly<Record<string, string>>,
): string {
  const items: string[] = [];
  let member: string | undefined;
  for (const { key } of path ?? []) {
    if (typeof key === "string") member = key;
    else if (member !== undefined && nouns[member] !== undefined) {
      items.push(`${nouns[member]} ${Number(key) + 1}`);
      member = undefined;
    }
  }
  const item = items.join(", ");
  if (expected === "never")
    return `${item || "the file"} has an unknown key "${displayText(member ?? "", [])}"`;
  if (member === undefined) return `${item || "the file"} ${message}`;
  return `${item && `in ${item}, `}"${member}" ${message}`;
}

/** A text of one form. */
export function text(isOf: (text: string) => boolean, message: v.ErrorMessage<v.CustomIssue>) {
  return v.custom<string>((value) => typeof value === "string" && isOf(value), message);
}

/** An object of which other members play no part. */
export function object<const T extends v.ObjectEntries>(entries: T) {
  return v.pipe(OBJECT, v.object(entries, messageOf(entries)));
}

/** An object without other members. */
export function closedObject<const T extends v.ObjectEntries>(entries: T) {
  return v.pipe(OBJECT, v.strictObject(entries, messageOf(entries)));
}

/** To valibot alone, a list is an object. */
const OBJECT = v.custom<Record<string, unknown>>(isObject, "is not an object");

/** A member that is not there is as wrong as one that is undefined. */
function messageOf(entries: v.ObjectEntries) {
  return ({ path }: v.BaseIssue<unknown>): string => {
    const key = String(path?.at(-1)?.key);
    const entry = Object.hasOwn(entries, key) ? entries[key] : undefined;
    return (entry && v.safeParse(entry, undefined).issues?.[0].message) ?? "is not there";
  };
}

/** The value of a JSON text, with or without a byte order mark; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}
