/**
 * Parses a time: a whole number of microseconds since the epoch, or an ISO 8601 time, which is in UTC where it
 * names no zone.
 *
 * @returns the microseconds in decimal; null for anything else.
 */
export function parseTimestamp(text: string): string | null {
  if (/^-?\d{1,18}$/.test(text)) return BigInt(text).toString();
  const match = ISO.exec(text);
  if (match === null) return null;
  const [, date = "", hour = "00", minute = "00", second = "00", fraction = "", zone = "Z"] = match;
  // A leap second is to databases the first one of the next minute.
  const leap = second === "60" ? 1 : 0;
  const seconds = Date.parse(`${date}T${hour}:${minute}:${leap ? "59" : second}Z`) / 1000;
  // An impossible day, such as 30 February, would otherwise pass as a later one.
  if (!Number.isFinite(seconds) || !new Date(seconds * 1000).toISOString().startsWith(date)) return null;
  const micros = BigInt(seconds + leap - offsetSeconds(zone)) * 1_000_000n;
  return (micros + microseconds(fraction)).toString();
}

const ISO =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/** Of up to nine decimals of a second; what is finer is rounded. */
function microseconds(fraction: string): bigint {
  return (BigInt(fraction.padEnd(9, "0")) + 500n) / 1000n;
}

function offsetSeconds(zone: string): number {
  if (zone === "Z") return 0;
  const [hours = 0, minutes = 0] = [zone.slice(1, 3), zone.slice(3).replace(":", "") || "0"].map(Number);
  return (zone.startsWith("-") ? -1 : 1) * (hours * 3600 + minutes * 60);
}
