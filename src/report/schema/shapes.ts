import * as v from "valibot";
import { object } from "../../base/parse-json.ts";
import { STYLE_NAMES } from "../../dialects/surface.ts";

export const TEXT = v.string("is not a text");

export const NONEMPTY = v.pipe(TEXT, v.nonEmpty("is empty"));

export const TEXT_OR_NULL = v.nullable(TEXT);

export const COUNT = v.pipe(
  v.number("is not a number"),
  v.safeInteger("is not a number"),
  v.minValue(0, "is less than 0"),
);

export const LINE = v.pipe(COUNT, v.minValue(1, "is not a line number"));

export const FLAG = v.boolean("is neither true nor false");

export const TRUE = v.literal(true, "is not true");

/** Only UTC: without a zone, the same text means another time elsewhere. */
export const TIME = v.pipe(
  v.string("is not a time in UTC"),
  v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/, "is not a time in UTC"),
  v.check((time) => !Number.isNaN(Date.parse(time)), "is not a time in UTC"),
);

export const DAY = matching(/^\d{4}-\d{2}-\d{2}$/, "is not a day");

/** As in configurations. */
export const NAMES = unique(matching(/^[a-z0-9-]{1,200}$/, "is not a name"));

export const NAME = matching(/^[a-z0-9-]{1,200}$/, "is not a name");

export const PROTOCOL = about(
  matching(/^[a-z][a-z0-9-]*$/, "is not a protocol key"),
  "The key of a protocol.",
);

export const STYLE = v.picklist(STYLE_NAMES, "is not a style");

export const SURFACE = { protocol: PROTOCOL, style: STYLE };

export const FILE = about(NONEMPTY, "A path from the project's root.");

export function about<const T extends v.GenericSchema>(schema: T, description: string) {
  return v.pipe(schema, v.description(description));
}

export function part<const T extends v.ObjectEntries>(description: string, entries: T) {
  return about(object(entries), description);
}

export function maybe<const T extends v.GenericSchema>(schema: T, description: string) {
  return about(v.exactOptional(schema), description);
}

export function matching(pattern: RegExp, message: string) {
  return v.pipe(v.string(message), v.regex(pattern, message));
}

export function list<const T extends v.GenericSchema>(item: T) {
  return v.array(item, "is not a list");
}

export function unique<const T extends v.GenericSchema<unknown, string>>(item: T) {
  return v.pipe(
    list(item),
    v.check((names) => new Set(names).size === names.length, "has a duplicate"),
    v.metadata({ uniqueItems: true }),
  );
}
