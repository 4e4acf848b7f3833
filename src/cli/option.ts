import { UsageError } from "../base/errors.ts";

/** One option of a command, and what its text means. In tables it stands under its name in camel case. */
export type Option<T = unknown> = {
  /** What the value is called in the help; null for a flag. */
  readonly value: string | null;
  readonly multiple: boolean;
  readonly description: string;
  /**
   * @param given undefined when the option was not given, true for a flag.
   * @param flag as it is written: `--port`.
   * @throws UsageError
   */
  readonly parse: (given: Given, flag: string) => T;
};

/** What `parseArgs` reads of one option. */
type Given = string | boolean | readonly (string | boolean)[] | undefined;

export type OptionTable = Readonly<Record<string, Option>>;

/** The values of a table of options, by name. */
export type OptionValues<T extends OptionTable> = {
  readonly [Name in keyof T]: T[Name] extends Option<infer Value> ? Value : never;
};

/** `failOnHealth` is written `--fail-on-health`; without the dashes before it. */
export function flagOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** An option without a value. */
export function flag(description: string): Option<boolean> {
  return { value: null, multiple: false, description, parse: (given) => given === true };
}

/** An option whose value is read by `parse`; undefined when it is not given. */
function valued<T>(
  value: string,
  description: string,
  parse: (text: string, flag: string) => T,
): Option<T | undefined> {
  return {
    value,
    multiple: false,
    description,
    parse: (given, flag) => (typeof given === "string" ? parse(given, flag) : undefined),
  };
}

/** Any text. */
export function text(value: string, description: string): Option<string | undefined> {
  return valued(value, description, (text) => text);
}

/** Any texts, one each time the option is given. */
export function texts(value: string, description: string): Option<readonly string[]> {
  return {
    value,
    multiple: true,
    description,
    parse: (given) => (Array.isArray(given) ? given.filter((one) => typeof one === "string") : []),
  };
}

/** Names with commas between. */
export function names(value: string, description: string): Option<readonly string[] | undefined> {
  return valued(value, description, (text) =>
    text
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  );
}

/** One of some words. */
export function choice<const T extends string>(
  choices: readonly T[],
  description: string,
  value: string = choices.join("|"),
): Option<T | undefined> {
  return valued(value, description, (text, flag) => {
    const chosen = choices.find((choice) => choice === text);
    if (chosen !== undefined) return chosen;
    const listed = `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
    throw new UsageError({ sentence: `${flag} takes ${listed}, not "${text}".` });
  });
}

/** Some of some words, one each time the option is given. */
export function choices<const T extends string>(
  known: readonly T[],
  description: string,
): Option<readonly T[]> {
  const one = choice(known, description);
  return {
    ...texts(one.value ?? "", description),
    parse: (given, flag) =>
      (Array.isArray(given) ? given : []).flatMap((word: string | boolean) => one.parse(word, flag) ?? []),
  };
}

/** The numbers that an option takes, and how the help calls them. */
type NumberRange = { readonly least: number; readonly most: number; readonly value?: string };

/** A whole number. */
export function number(range: NumberRange, description: string): Option<number | undefined> {
  return valued(range.value ?? "n", description, (text, flag) => parseNumber(text, flag, range));
}

/** A whole number, or `none` for null. */
export function numberOrNone(range: NumberRange, description: string): Option<number | null | undefined> {
  return valued("n|none", description, (text, flag) =>
    text === "none" ? null : parseNumber(text, flag, range),
  );
}

function parseNumber(text: string, flag: string, { least, most }: NumberRange): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError({
    sentence: `${flag} takes a whole number from ${least} to ${most}, not "${text}".`,
  });
}

/** Whether an option was given. */
export function isGiven(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== false;
}
