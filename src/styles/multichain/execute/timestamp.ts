const MICROSECONDS = 1_000_000n;

/** What a text stands for: microseconds since 1970, or why it is none. */
export type ParsedTimestamp = bigint | "malformed" | "out of range";

/** Reads a timestamp as Postgres does with the session in UTC: a date alone, a blank or `T`, any offset. */
export function parseTimestamp(text: string): ParsedTimestamp {
  const trimmed = text.trim();
  if (/^epoch$/i.test(trimmed)) return 0n;
  const match =
    /^(\d{4,6})-(\d{1,2})-(\d{1,2})(?:[T\s]\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d*))?)?)?\s*(Z|UTC|[+-]\d{1,2}(?::?\d{2})?)?$/i.exec(
      trimmed,
    );
  if (!match) return "malformed";
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", zone = "Z"] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const exists = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  if (!exists || Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60) return "out of range";
  const seconds =
    BigInt(date.getTime() / 1000) +
    BigInt(Number(hour) * 3600 + Number(minute) * 60 + Number(second) - zoneSeconds(zone));
  const microseconds = BigInt(Math.round(Number(`0.${fraction || "0"}`) * 1_000_000));
  return seconds * MICROSECONDS + microseconds;
}

/**
 * Writes a time as it travels: `2024-01-15T12:34:56.1+00:00`, the fraction only when there is one, without
 * trailing zeros; a `timestamp` has no offset.
 */
export function formatTimestamp(microseconds: bigint, withZone: boolean): string {
  const fraction = ((microseconds % MICROSECONDS) + MICROSECONDS) % MICROSECONDS;
  const date = new Date(Number((microseconds - fraction) / 1000n));
  const text = `${String(date.getUTCFullYear()).padStart(4, "0")}${date.toISOString().slice(-20, -5)}`;
  const decimals = fraction === 0n ? "" : `.${fraction.toString().padStart(6, "0").replace(/0+$/, "")}`;
  return `${text}${decimals}${withZone ? "+00:00" : ""}`;
}

function zoneSeconds(zone: string): number {
  const match = /^([+-])(\d{1,2}):?(\d{2})?$/.exec(zone);
  if (!match) return 0;
  const seconds = Number(match[2]) * 3600 + Number(match[3] ?? 0) * 60;
  return match[1] === "-" ? -seconds : seconds;
}
