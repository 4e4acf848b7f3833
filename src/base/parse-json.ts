import * as v from "valibot";
import { displayText } from "./text.ts";

/** Returns whether a parsed JSON value is an object, and neither a list nor null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Parses the text of a JSON file that may not be valid.
 *
 * @param schema the message of each part is a clause: `is not a list`.
 * @param nouns the noun for an item of a list in messages, by the key of the list.
 * @param invalid builds the error to throw from a clause that says what is wrong and where.
 */
export function parseShape<T>(
  text: string,
  schema: v.GenericSchema<unknown, T>,
  nouns: Readonly<Record<string, string>>,
  invalid: (reason: string) => Error,
): T {
  const value = parseJson(text);
  if (value === undefined) throw invalid("it is not valid JSON");
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  throw invalid(describe(result.issues[0], nouns));
}

/** Describes a problem and its place as a clause. */
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

/** Accepts a text that passes a test. */
export function text(isOf: (text: string) => boolean, message: v.ErrorMessage<v.CustomIssue>) {
  return v.custom<string>((value) => typeof value === "string" && isOf(value), message);
}

/** Accepts an object, and drops its other members. */
export function object<const T extends v.ObjectEntries>(entries: T) {
  return v.pipe(OBJECT, v.object(entries, messageOf(entries)));
}

/** Accepts an object without other members. */
export function closedObject<const T extends v.ObjectEntries>(entries: T) {
  return v.pipe(OBJECT, v.strictObject(entries, messageOf(entries)));
}

/** Without this, valibot takes a list for an object. */
const OBJECT = v.custom<Record<string, unknown>>(isObject, "is not an object");

/** Gives a missing member the message of an undefined one. */
function messageOf(entries: v.ObjectEntries) {
  return ({ path }: v.BaseIssue<unknown>): string => {
    const key = String(path?.at(-1)?.key);
    const entry = Object.hasOwn(entries, key) ? entries[key] : undefined;
    return (entry && v.safeParse(entry, undefined).issues?.[0].message) ?? "is missing";
  };
}

/** Parses JSON with or without a byte order mark; undefined if it is not valid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}
