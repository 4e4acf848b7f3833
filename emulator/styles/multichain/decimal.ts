/**
 * A `numeric`: `units / 10^scale`, exact. `rank` orders special values: -1 for `-Infinity`, 0 for numbers, 1 for
 * `Infinity`, 2 for `NaN`, which Postgres sorts last.
 */
export type Decimal = { readonly units: bigint; readonly scale: number; readonly rank: number };

export function integerDecimal(units: bigint): Decimal {
  return { units, scale: 0, rank: 0 };
}

/** Parses a `numeric` like Postgres; null if the text is invalid. */
export function parseDecimal(text: string): Decimal | null {
  const trimmed = text.trim().replaceAll(/(?<=\d)_(?=\d)/g, "");
  const based = /^([+-]?)(0(?:x(?:_?[\da-f])+|o(?:_?[0-7])+|b(?:_?[01])+))$/i.exec(trimmed);
  if (based) return integerDecimal(BigInt(`${based[2]}`.replaceAll("_", "")) * (based[1] === "-" ? -1n : 1n));
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,5}))?$/.exec(trimmed);
  if (!match) return parseSpecial(trimmed);
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  const digits = whole + fraction;
  if (digits === "") return null;
  const units = BigInt(digits) * (sign === "-" ? -1n : 1n);
  const scale = fraction.length - Number(exponent);
  return scale < 0 ? { units: units * power(-scale), scale: 0, rank: 0 } : { units, scale, rank: 0 };
}

/** Formats a number with exactly its scale: `1.10`. */
export function formatDecimal({ units, scale, rank }: Decimal): string {
  if (rank !== 0) return rank === 2 ? "NaN" : rank === 1 ? "Infinity" : "-Infinity";
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
  const sign = units < 0n ? "-" : "";
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Rounds to a scale, half away from zero, as a column of that scale does. */
export function rescaleDecimal({ units, scale, rank }: Decimal, wanted: number): Decimal {
  if (rank !== 0 || scale === wanted) return { units, scale, rank };
  const shifted =
    scale < wanted ? units * power(wanted - scale) : divideRounded(units, power(scale - wanted));
  return { units: shifted, scale: wanted, rank };
}

export function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.rank !== b.rank) return a.rank < b.rank ? -1 : 1;
  const [x, y] = alignUnits(a, b);
  return x < y ? -1 : x > y ? 1 : 0;
}

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  if (a.rank !== 0 || b.rank !== 0) return addSpecials(a.rank, b.rank);
  const [x, y] = alignUnits(a, b);
  return { units: x + y, scale: Math.max(a.scale, b.scale), rank: 0 };
}

export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  return { units: a.units * b.units, scale: a.scale + b.scale, rank: 0 };
}

/** Divides like Postgres: at least 16 significant digits, and no fewer decimals than the operands. */
export function divideDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = divisionScale(a, b);
  const numerator = a.units * power(scale + b.scale);
  return { units: divideRounded(numerator, b.units * power(a.scale)), scale, rank: 0 };
}

/** The root of a non-negative number, with the same number of decimals. */
export function rootDecimal({ units, scale }: Decimal): Decimal {
  // One extra digit for rounding.
  const root = integerRoot(units * power(scale + 2));
  return { units: divideRounded(root, 10n), scale, rank: 0 };
}

function parseSpecial(text: string): Decimal | null {
  if (/^nan$/i.test(text)) return special(2);
  if (/^\+?inf(?:inity)?$/i.test(text)) return special(1);
  if (/^-inf(?:inity)?$/i.test(text)) return special(-1);
  return null;
}

/** Infinity wins over numbers; opposite infinities and `NaN` give `NaN`. */
function addSpecials(a: number, b: number): Decimal {
  if (a === 2 || b === 2 || a + b === 0) return special(2);
  return special(a === 0 ? b : a);
}

function special(rank: number): Decimal {
  return { units: 0n, scale: 0, rank };
}

function alignUnits(a: Decimal, b: Decimal): readonly [bigint, bigint] {
  if (a.scale === b.scale) return [a.units, b.units];
  return a.scale < b.scale
    ? [a.units * power(b.scale - a.scale), b.units]
    : [a.units, b.units * power(a.scale - b.scale)];
}

function power(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

/** Postgres estimates the quotient's size from the first base-10000 digit of each operand. */
function divisionScale(a: Decimal, b: Decimal): number {
  const numerator = leadingDigit(a);
  const denominator = leadingDigit(b);
  const weight = numerator.weight - denominator.weight - (numerator.digit <= denominator.digit ? 1 : 0);
  return Math.min(1000, Math.max(16 - 4 * weight, a.scale, b.scale, 0));
}

function leadingDigit({ units, scale }: Decimal): { readonly weight: number; readonly digit: number } {
  if (units === 0n) return { weight: 0, digit: 0 };
  const digits = (units < 0n ? -units : units).toString();
  const weight = Math.floor((digits.length - scale - 1) / 4);
  const length = digits.length - scale - 4 * weight;
  return { weight, digit: Number(digits.slice(0, length).padEnd(length, "0")) };
}

/** Half away from zero. */
function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n !== denominator < 0n;
  const n = numerator < 0n ? -numerator : numerator;
  const d = denominator < 0n ? -denominator : denominator;
  const quotient = (2n * n + d) / (2n * d);
  return negative ? -quotient : quotient;
}

function integerRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** The shortest text of a `float8` in Postgres' format: `1.5`, `1e-05`, `1.7976931348623157e+308`, `-0`. */
export function formatFloat8(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const [mantissa = "", exponentText = "0"] = shortestFloat8(value).split("e");
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < 15) return plain(mantissa, exponent);
  const sign = exponent < 0 ? "-" : "+";
  return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** The number with the fewest digits that rounds to the same `float4`: 2147487821 gives 2147487700. */
export function shortestFloat4(value: number): number {
  const rounded = Math.fround(value);
  for (let digits = 1; digits < 10; digits++) {
    const candidate = Number(rounded.toPrecision(digits));
    if (Math.fround(candidate) === rounded && !isBetweenFloats4(candidate, rounded)) return candidate;
  }
  return rounded;
}

/** Postgres, unlike JavaScript, does not round the exact middle of two floats to one of them. */
function isBetweenFloats4(candidate: number, rounded: number): boolean {
  const floats = new Float32Array([rounded, rounded]);
  const bits = new Int32Array(floats.buffer);
  bits[0] = (bits[0] ?? 0) + 1;
  bits[1] = (bits[1] ?? 0) - 1;
  return floats.some((neighbour) => candidate === (rounded + neighbour) / 2);
}

function shortestFloat8(value: number): string {
  const shortest = value.toExponential();
  if (Math.abs(value) < 2 ** 53) return shortest;
  // Only whole numbers can have so few digits at the middle of two floats.
  const digits = shortest.replace(/e.*/, "").replace(/[-.]/g, "").length;
  if (!isBetweenFloats8(shortest, value)) return shortest;
  for (let more = digits; more < 17; more++) {
    const candidate = value.toExponential(more);
    if (Number(candidate) === value && !isBetweenFloats8(candidate, value)) return candidate;
  }
  return shortest;
}

function isBetweenFloats8(text: string, value: number): boolean {
  const [mantissa = "", exponent = "0"] = text.split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const zeros = Number(exponent) - fraction.length;
  if (zeros < 0) return false;
  const distance = BigInt(whole + fraction) * 10n ** BigInt(zeros) - BigInt(value);
  const bits = BigInt(Math.abs(value)).toString(2).length;
  const gap = 1n << BigInt(Math.max(0, bits - 53));
  return 2n * (distance < 0n ? -distance : distance) === gap;
}

function plain(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith("-") ? "-" : "";
  const digits = mantissa.replace(/[-.]/g, "");
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const fraction = digits.slice(exponent + 1);
  return fraction === "" ? sign + whole : `${sign}${whole}.${fraction}`;
}

/** A number as the server prints it in messages: `1.5`, `42.0`, `2.147483648e9`, `1.0e-3`. */
export function showScientific({ units, scale }: Decimal): string {
  if (units === 0n) return "0.0";
  const written = (units < 0n ? -units : units).toString();
  const sign = units < 0n ? "-" : "";
  const digits = written.replace(/0+$/, "");
  // The exponent: the number is 0.digits times ten to this power.
  const point = written.length - scale;
  if (point < 0 || point > 7) return `${sign}${digits[0]}.${digits.slice(1) || "0"}e${point - 1}`;
  if (point === 0) return `${sign}0.${digits}`;
  return `${sign}${digits.slice(0, point).padEnd(point, "0")}.${digits.slice(point) || "0"}`;
}
