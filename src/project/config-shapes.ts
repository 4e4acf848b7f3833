import * as v from "valibot";
import { nearestName } from "../base/nearest-name.ts";

/** The message of a value that is not what it must be. */
export const mustBe = (what: string) => (issue: v.BaseIssue<unknown>) =>
  `must be ${what}, but is ${issue.received}`;

/** What a gateway may name a subgraph by: nothing of it can become another part of a URL. */
export const OPAQUE_ID = /^\w[\w.-]{0,199}$/;

/** A text that is not empty. */
export const text = v.pipe(v.string(mustBe("text")), v.nonEmpty("must not be empty"));

/** An object by any key, of which none is dropped: a validator would pass over those that every object has. */
export function record<T>(
  key: v.GenericSchema<string, string>,
  value: v.GenericSchema<unknown, T>,
  message: string,
): v.GenericSchema<unknown, Readonly<Record<string, T>>> {
  return v.pipe(
    plain(() => message),
    v.custom<Record<string, unknown>>(
      (input) => commonKey(input) === undefined,
      ({ input }) => `has the key "${commonKey(input)}", which every object has`,
    ),
    v.record(key, value, message),
  );
}

function commonKey(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  return ["__proto__", "constructor", "prototype"].find((key) => Object.hasOwn(input, key));
}

/** Refuses what a validator takes for an object without keys: lists, and whatever else holds its values elsewhere. */
function plain(message: (kind: string) => string) {
  return v.custom<unknown>(
    (input) => typeof input !== "object" || input === null || isPlain(input),
    ({ input }) => message(Array.isArray(input) ? "a list" : "an object with a prototype of its own"),
  );
}

function isPlain(input: object): boolean {
  const parent: unknown = Object.getPrototypeOf(input);
  return parent === null || Object.getPrototypeOf(parent) === null;
}

/** A schema for every key of a documented type: neither has a key, nor a type of one, that the other has not. */
type EntriesOf<T> = { readonly [K in keyof T]-?: v.GenericSchema<unknown, T[K]> };

/** An object that refuses keys it does not know and offers the nearest one it does. */
export function section<T>(entries: EntriesOf<T>): v.GenericSchema<unknown, T> {
  const schema = v.strictObject(entries, (issue) => {
    if (issue.expected !== "never") {
      return issue.received === "undefined" ? "is missing" : `must be an object, but is ${issue.received}`;
    }
    return suggest(String(issue.path?.at(-1)?.key ?? ""), Object.keys(entries));
  });
  return v.pipe(
    plain((kind) => `must be an object, but is ${kind}`),
    schema,
  ) as unknown as v.GenericSchema<unknown, T>;
}

/** What to write instead of a key that is not known. */
export function suggest(key: string, known: readonly string[]): string {
  const nearest = nearestName(key, known);
  return nearest ? `did you mean "${nearest}"?` : `known keys: ${known.join(", ")}.`;
}
