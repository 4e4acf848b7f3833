/** The shortest text of a `float8` as Postgres writes it: `1.5`, `1e-05`, `1.7976931348623157e+308`, `-0`. */
export function formatFloat8(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const [mantissa = "", exponentText = "0"] = value.toExponential().split("e");
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
    if (Math.fround(candidate) === rounded) return candidate;
  }
  return rounded;
}

function plain(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith("-") ? "-" : "";
  const digits = mantissa.replace(/[-.]/g, "");
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const fraction = digits.slice(exponent + 1);
  return fraction === "" ? sign + whole : `${sign}${whole}.${fraction}`;
}
