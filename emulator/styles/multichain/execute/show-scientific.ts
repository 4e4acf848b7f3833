import type { Decimal } from "./decimal.ts";

/** A number as the server shows it in a message: `1.5`, `42.0`, `2.147483648e9`, `1.0e-3`. */
export function showScientific({ units, scale }: Decimal): string {
  if (units === 0n) return "0.0";
  const written = (units < 0n ? -units : units).toString();
  const sign = units < 0n ? "-" : "";
  const digits = written.replace(/0+$/, "");
  // The place of the point: the number is 0.digits times ten to this power.
  const point = written.length - scale;
  if (point < 0 || point > 7) return `${sign}${digits[0]}.${digits.slice(1) || "0"}e${point - 1}`;
  if (point === 0) return `${sign}0.${digits}`;
  return `${sign}${digits.slice(0, point).padEnd(point, "0")}.${digits.slice(point) || "0"}`;
}
