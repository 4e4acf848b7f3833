/** Formats microseconds since the epoch, the form of rows and subgraphs, as Postgres does. */
export function formatTime(micros: string): string {
  const value = BigInt(micros);
  const part = ((value % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = new Date(Number((value - part) / 1000n)).toISOString().slice(0, 19);
  return `${seconds}.${part.toString().padStart(6, "0")}+00:00`;
}

/** Parses a time in the format of Postgres to microseconds. */
export function parseTime(text: string): string {
  const [, seconds = "", part = ""] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00:00$/.exec(text) ?? [];
  if (seconds === "") throw new Error(`Not a time: ${text}`);
  return (BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(part.padEnd(6, "0"))).toString();
}
