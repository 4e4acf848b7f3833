import { replaceAt } from "../client/values.ts";

/**
 * Writes the numbers of an answer in one form: without an exponent, and without zeros at the beginning and the end. Lists
 * may have JSON numbers, which become text.
 *
 * @param places the paths of their response keys.
 * @returns the problem of a value that is not a number or may have lost digits; null without one.
 */
export function readNumbers(data: object, places: readonly string[]): string | null {
  let odd: string | null = null;
  for (const path of places) {
    replaceAt(data, path, (value, isItem) => {
      // `checkData` refuses a single JSON number, and says what to configure.
      if (value === null || (typeof value === "number" && !isItem)) return value;
      const written = isItem && Number.isSafeInteger(value) ? String(value) : plainNumber(value);
      // An object chooses its own text.
      const shown = Object(value) === value ? "an object" : String(value).slice(0, 50);
      if (written === undefined) odd ??= `an invalid number for ${path}: ${shown}`;
      return written;
    });
  }
  return odd;
}

/** Returns a number without an exponent and needless zeros; undefined for anything else. */
function plainNumber(value: unknown): string | undefined {
  const parts = typeof value === "string" && NUMBER.exec(value);
  if (!parts) return undefined;
  const [, sign = "", whole = "", part = "", exponent = ""] = parts;
  if (whole + part === "") return undefined;
  const point = whole.length + Number(exponent);
  const digits = "0".repeat(Math.max(0, -point)) + (whole + part).padEnd(point, "0");
  const integer = digits.slice(0, Math.max(0, point)).replace(/^0+/, "") || "0";
  // Linear, whatever the digits are: a pattern for the zeros at the end would not be.
  const [fraction = ""] = /^(0*[1-9])*/.exec(digits.slice(Math.max(0, point))) ?? [];
  const text = fraction === "" ? integer : `${integer}.${fraction}`;
  return sign === "-" && text !== "0" ? `-${text}` : text;
}

/** No column has a number with more digits in its exponent. */
const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,4}))?$/i;
