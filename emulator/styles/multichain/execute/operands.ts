import { type Decimal, parseDecimal } from "./decimal.ts";
import { messages } from "./messages.ts";
import { jsonTypeName, type QueryValue } from "./query-value.ts";

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
