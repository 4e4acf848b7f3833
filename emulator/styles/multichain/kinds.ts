import type { RowValue } from "../read-view.ts";
import { type Decimal, parseDecimal } from "./decimal.ts";
import { compareKeys, type Key } from "./keys.ts";
import { messages, type QueryError } from "./messages.ts";
import { jsonTypeName, type QueryValue } from "./query-value.ts";

/** How the values of a column behave: one for every scalar of the platform, and one for lists of each. */
export type ColumnKind = {
  /** What numeric operators compute with; null where the column is no number. */
  readonly arithmetic: "exact" | "float4" | "float8" | null;
  /** Whether numbers travel as JSON strings (C.6). */
  readonly stringified: boolean;
  /** The form a stored value is compared in. */
  readonly key: (value: Stored) => Key;
  /** The order of two stored values. */
  readonly compare: (a: Stored, b: Stored) => number;
  /**
   * Reads an operand. Null when the database refuses it: that error is postponed, and the result does not
   * matter any more.
   */
  readonly operand: (reading: Reading, input: QueryValue, type: string, path: string) => Key | null;
  /** The stored value that alone equals this operand; undefined when several may, as `1.0` and `1` do. */
  readonly stored: (key: Key) => Stored | undefined;
  /** The JSON of a stored value. */
  readonly serialize: (value: Stored) => unknown;
};

/** A value that is there. */
export type Stored = Exclude<RowValue, null>;

/** Completes a kind with what most kinds have in common. */
export function defineKind(own: Pick<ColumnKind, "key" | "operand"> & Partial<ColumnKind>): ColumnKind {
  const { key } = own;
  const compare = own.compare ?? ((a: Stored, b: Stored) => compareKeys(key(a), key(b)));
  return {
    arithmetic: null,
    stringified: false,
    compare,
    stored: () => undefined,
    serialize: (value) => value,
    ...own,
  };
}

/** What it takes to read the values of a request. */
export type Reading = {
  readonly variables: ReadonlyMap<string, Variable>;
  /**
   * Postpones an error that only the database would find. Validation of the whole request comes before it (D.3),
   * so the first one postponed is thrown when planning is over.
   */
  readonly postpone: (error: QueryError) => void;
};

export type Variable = {
  readonly name: string;
  /** The declared type as a type expression. */
  readonly type: string;
  /** Whether a default was written that is not null. */
  readonly hasDefault: boolean;
  /** Null when neither the request nor a default gives one. */
  readonly value: QueryValue;
};

/**
 * Puts variables in place inside a value that a column reads. What is inside such a value has no type of its own,
 * so neither is the declared type of the variable looked at.
 */
export function fillVariables(reading: Reading, input: QueryValue): QueryValue {
  switch (input.kind) {
    case "variable":
      return reading.variables.get(input.name)?.value ?? { kind: "null" };
    case "list":
      return input.json
        ? input
        : { ...input, items: input.items.map((item) => fillVariables(reading, item)) };
    case "object":
      return input.json
        ? input
        : {
            ...input,
            entries: input.entries.map(([key, value]) => [key, fillVariables(reading, value)] as const),
          };
    default:
      return input;
  }
}

/** Text, and nothing that could be taken for it; a bare enum value is text as well. */
export function textOperand(input: QueryValue, type: string, path: string, parsed = "Text"): string {
  refuseNull(input, type, path);
  const text = textOf(input);
  if (text === null) throw messages.parsingFailed(path, parsed, "String", jsonTypeName(input));
  return text;
}

/** The text of an operand that the database is to read; null where it is no text. */
export function textOf(input: QueryValue): string | null {
  return input.kind === "string" || input.kind === "enum" ? input.value : null;
}

/** A number written as one. @param parsed what the server says it tried to parse. */
export function numberOperand(input: QueryValue, parsed: string, path: string): Decimal {
  const decimal = input.kind === "integer" || input.kind === "float" ? parseDecimal(input.text) : null;
  if (decimal === null) throw messages.parsingFailed(path, parsed, "Number", jsonTypeName(input));
  return decimal;
}

export function refuseNull(input: QueryValue, type: string, path: string): void {
  if (input.kind === "null") throw messages.unexpectedNull(path, type.replaceAll(/[[\]!]/g, ""));
}
