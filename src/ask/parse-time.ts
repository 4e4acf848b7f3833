/**
 * Parses a time as people write it: `2025-04-01`, `2025-04-01T12:00Z`, `now`, or the time from now, such as `-7d`.
 *
 * @param now in milliseconds since 1970.
 * @returns seconds since 1970; null for other text.
 */
export function parseTime(text: string, now: number): number | null {
  if (text === "now") return Math.floor(now / 1000);
  const [, sign, count, unit = ""] = RELATIVE.exec(text) ?? [];
  if (count !== undefined) {
    const seconds = Number(count) * (UNITS[unit] ?? 0);
    return Math.floor(now / 1000) + (sign === "-" ? -seconds : seconds);
  }
  const [, day, time = "00:00", zone = "Z"] = DATE.exec(text) ?? [];
  if (day === undefined) return null;
  const written = Date.parse(`${day}T${time}Z`);
  // Some dates that do not exist are read as later ones.
  if (Number.isNaN(written) || !new Date(written).toISOString().startsWith(`${day}T${time}`)) return null;
  const parsed = Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(parsed) ? null : parsed / 1000;
}

/** Returns whether a text is a time that depends on the current one. */
export function isRelativeTime(text: string): boolean {
  return text === "now" || RELATIVE.test(text);
}

/** The forms of times, for messages. */
export const TIME_FORMS = "2025-04-01, 2025-04-01T12:00Z, now, -7d, or seconds since 1970";

const RELATIVE = /^([+-])(\d{1,6})([mhdw])$/;
const UNITS: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400, w: 604_800 };
const DATE = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(Z|[+-]\d\d:\d\d))?$/;
