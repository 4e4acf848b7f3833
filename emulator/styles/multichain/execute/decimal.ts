/**
 * A `numeric`: `units / 10^scale`, exact. `rank` orders what is no number among the others: -1 for
 * `-Infinity`, 0 for a number, 1 for `Infinity`, 2 for `NaN`, which Postgres takes for the greatest of all.
 */
export type Decimal = { readonly units: bigint; readonly scale: number; readonly rank: number };

/** A whole number. */
export function integerDecimal(units: bigint): Decimal {
  return { units, scale: 0, rank: 0 };
}

/** Parses what Postgres reads as a `numeric`; null when it is none. */
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

/** The text of a number with exactly its scale: `1.10`. */
export function formatDecimal({ units, scale, rank }: Decimal): string {
  if (rank !== 0) return rank === 2 ? "NaN" : rank === 1 ? "Infinity" : "-Infinity";
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
  const sign = units < 0n ? "-" : "";
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** The number with so many decimals, rounded half away from zero as a column of that scale does. */
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

/** Divides as Postgres does: at least 16 significant digits, never fewer decimals than went in. */
export function divideDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = divisionScale(a, b);
  const numerator = a.units * power(scale + b.scale);
  return { units: divideRounded(numerator, b.units * power(a.scale)), scale, rank: 0 };
}

/** The root of a number that is not negative, with as many decimals. */
export function rootDecimal({ units, scale }: Decimal): Decimal {
  // One digit more than wanted decides the rounding.
  const root = integerRoot(units * power(scale + 2));
  return { units: divideRounded(root, 10n), scale, rank: 0 };
}

function parseSpecial(text: string): Decimal | null {
  if (/^nan$/i.test(text)) return special(2);
  if (/^\+?inf(?:inity)?$/i.test(text)) return special(1);
  if (/^-inf(?:inity)?$/i.test(text)) return special(-1);
  return null;
}

/** An infinity swallows numbers; opposite ones, and `NaN` with anything, give `NaN`. */
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

/** Postgres estimates the quotient's size from the first of its base-10000 digits on either side. */
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
