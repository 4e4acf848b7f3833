import { refuseValue } from "./refuse-value.ts";

/**
 * Reads a value as both styles read it alike: bytes in lower case, big numbers as text.
 *
 * @param kind `x` bytes, `n` BigInt, `N` BigInt of 32 bits, `d` BigDecimal, `i` ID, `#` Int, `b` Boolean, `o` a direction; `I` an ID and `S` a text that have bytes among their parts; anything else is text.
 * @param path where it stands, for the error.
 */
export function readValue(kind: string, value: unknown, path: string): unknown {
  const [type, form] = FORMS[kind] ?? TEXT;
  // What is an object has a text of its own choice.
  const typed = Object(value) === value ? "" : `${typeof value} ${String(value)}`;
  // A big number where the other style has one of 32 bits is in reach of both, or of neither.
  const isTooBig = kind === "N" && Number(value) >> 0 !== Number(value);
  if (!form.test(typed) || UNFIT.test(typed) || isTooBig) refuseValue(path, type);
  if (/[#b]/.test(kind)) return value;
  const text = String(value);
  // Some lists of numbers are compared as text, so that zeros before a number matter.
  if (/n/i.test(kind)) return String(BigInt(text));
  if (/[IS]/.test(kind)) return text.replace(/0x[\da-f]+/gi, (bytes) => bytes.toLowerCase());
  return kind === "x" ? text.toLowerCase().replace(/^(0x)*/, "0x") : text;
}

/** Reads a list of values. A single value is refused, because only one of the styles accepts it. */
export function readValues(kind: string, value: unknown, path: string): unknown[] {
  return readList(value, path, (item) => readValue(kind, item, path));
}

/** Reads a list of anything. */
export function readList(value: unknown, path: string, read: (item: unknown) => unknown): unknown[] {
  // What is left out of a list has to be refused, too.
  return Array.isArray(value) ? Array.from(value, (item) => read(item)) : refuseValue(path, "list");
}

/** No database takes the one, no encoding the other. */
const UNFIT = /[\0\p{Cs}]/u;

/** The type of GraphQL, and the forms of values with the type of JavaScript before them. */
type Form = readonly [type: string, form: RegExp];

const TEXT: Form = ["String", /^string /];

/** Digits that a number of JavaScript has lost are not made up: it has 15 of them for certain. */
const WHOLE = /^(string|bigint|number(?= -?\d{1,15}$)) [+-]?\d+$/;

const ID: Form = ["ID", /^(string |(number|bigint) -?\d+$)/];

const FORMS: Readonly<Record<string, Form>> = {
  "#": ["Int", /^number -?\d{1,10}$/],
  b: ["Boolean", /^boolean /],
  d: ["BigDecimal", /^(string|number|bigint) [+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/],
  i: ID,
  I: ID,
  N: ["BigInt of 32 bits", WHOLE],
  n: ["BigInt", WHOLE],
  o: ["OrderDirection", /^string (a|de)sc$/],
  x: ["Bytes", /^string (0x)*([\da-fA-F]{2})*$/],
};

/** How values of a type are read: what is not told apart is text. */
export function kindOf(type: string): string {
  return Object.keys(FORMS).find((kind) => FORMS[kind]?.[0] === type) ?? "";
}
