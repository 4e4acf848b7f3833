/** The shortest text of a `float8` as Postgres writes it: `1.5`, `1e-05`, `1.7976931348623157e+308`, `-0`. */
export function formatFloat8(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const [mantissa = "", exponentText = "0"] = shortestFloat8(value).split("e");
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < 15) return plain(mantissa, exponent);
  const sign = exponent < 0 ? "-" : "+";
  return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** The number with the fewest digits that is the same `float4`: 2147487821 gives 2147487700. */
export function shortestFloat4(value: number): number {
  const rounded = Math.fround(value);
  for (let digits = 1; digits < 10; digits++) {
    const candidate = Number(rounded.toPrecision(digits));
    if (Math.fround(candidate) === rounded && !isBetweenFloats4(candidate, rounded)) return candidate;
  }
  return rounded;
}

/** Postgres does not take a number just between two floats for one of them, as JavaScript does. */
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
  // Only among whole numbers can so few digits be just between two floats.
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
