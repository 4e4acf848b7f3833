import { UsageError } from "../base/errors.ts";

/** One option of a command, with its parser. The key in the table is its name in camel case. */
export type Option<T = unknown> = {
  /** The name of the value in the help; null for a flag. */
  readonly value: string | null;
  readonly multiple: boolean;
  readonly description: string;
  /**
   * @param argument undefined if the option is absent, true for a flag.
   * @param flag the flag with its dashes: `--port`.
   * @throws UsageError
   */
  readonly parse: (argument: Argument, flag: string) => T;
};

/** The value of one option as `parseArgs` returns it. */
type Argument = string | boolean | readonly (string | boolean)[] | undefined;

export type OptionTable = Readonly<Record<string, Option>>;

/** The values of a table of options, by name. */
export type OptionValues<T extends OptionTable> = {
  readonly [Name in keyof T]: T[Name] extends Option<infer Value> ? Value : never;
};

/** Returns the flag of an option without dashes: `fail-on-health` for `failOnHealth`. */
export function flagOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Creates an option without a value. */
export function flag(description: string): Option<boolean> {
  return { value: null, multiple: false, description, parse: (argument) => argument === true };
}

/** Creates an option whose value `parse` reads; undefined if the option is absent. */
function valued<T>(
  value: string,
  description: string,
  parse: (text: string, flag: string) => T,
): Option<T | undefined> {
  return {
    value,
    multiple: false,
    description,
    parse: (argument, flag) => (typeof argument === "string" ? parse(argument, flag) : undefined),
  };
}

/** Creates an option that takes any text. */
export function text(value: string, description: string): Option<string | undefined> {
  return valued(value, description, (text) => text);
}

/** Creates an option that can be repeated, with any text each time. */
export function texts(value: string, description: string): Option<readonly string[]> {
  return {
    value,
    multiple: true,
    description,
    parse: (argument) => (Array.isArray(argument) ? argument.filter((item) => typeof item === "string") : []),
  };
}

/** Creates an option that takes names separated by commas. */
export function names(value: string, description: string): Option<readonly string[] | undefined> {
  return valued(value, description, (text) =>
    text
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  );
}

/** Creates an option that takes one of some words. */
export function choice<const T extends string>(
  choices: readonly T[],
  description: string,
  value: string = choices.join("|"),
): Option<T | undefined> {
  return valued(value, description, (text, flag) => {
    const chosen = choices.find((choice) => choice === text);
    if (chosen !== undefined) return chosen;
    const listed = `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
    throw new UsageError({ sentence: `${flag} must be ${listed}; got "${text}".` });
  });
}

/** Creates an option that can be repeated, with one of some words each time. */
export function choices<const T extends string>(
  words: readonly T[],
  description: string,
): Option<readonly T[]> {
  const option = choice(words, description);
  return {
    ...texts(option.value ?? "", description),
    parse: (argument, flag) =>
      (Array.isArray(argument) ? argument : []).flatMap(
        (word: string | boolean) => option.parse(word, flag) ?? [],
      ),
  };
}

/** The valid numbers of an option, and their name in the help. */
type NumberRange = { readonly least: number; readonly most: number; readonly value?: string };

/** Creates an option that takes an integer. */
export function number(range: NumberRange, description: string): Option<number | undefined> {
  return valued(range.value ?? "n", description, (text, flag) => parseNumber(text, flag, range));
}

/** Creates an option that takes an integer, or `none` for null. */
export function numberOrNone(range: NumberRange, description: string): Option<number | null | undefined> {
  return valued("n|none", description, (text, flag) =>
    text === "none" ? null : parseNumber(text, flag, range),
  );
}

function parseNumber(text: string, flag: string, { least, most }: NumberRange): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError({
    sentence: `${flag} must be an integer from ${least} to ${most}; got "${text}".`,
  });
}

/** Returns whether an option was given. */
export function isGiven(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== false;
}
