/**
 * A value of an indexer's row: big numbers as decimal strings, bytes as `0x…`, enum members by name, `Int` as
 * a number, a `Timestamp` as a decimal string of microseconds, a reference as the id of its target.
 */
export type NodeValue = string | number | boolean | null | readonly NodeValue[];

/**
 * Renders a value in the text format of `COPY`.
 *
 * @param type the column's type in PostgreSQL: `_bytea` is a list of `bytea`.
 */
export function copyText(value: NodeValue | undefined, type: string): string {
  if (value === null || value === undefined) return "\\N";
  return columnText(value, type).replace(/[\\\n\r\t]/g, (sign) => ESCAPES[sign] ?? sign);
}

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function columnText(value: NodeValue, type: string): string {
  if (Array.isArray(value)) {
    const items = (value as readonly NodeValue[]).map((item) => {
      if (item === null) return "NULL";
      return `"${columnText(item, type.slice(1)).replace(/["\\]/g, "\\$&")}"`;
    });
    return `{${items.join(",")}}`;
  }
  if (type === "bytea") return String(value).replace(/^0x/, "\\x");
  if (type === "timestamptz") return timestampText(BigInt(String(value)));
  return String(value);
}

/** Microseconds, which a `Date` does not have. */
function timestampText(microseconds: bigint): string {
  const rest = ((microseconds % MILLION) + MILLION) % MILLION;
  const seconds = new Date(Number((microseconds - rest) / 1000n)).toISOString();
  return seconds.replace(/\.\d+Z$/, `.${String(rest).padStart(6, "0")}+00`);
}

const MILLION = 1_000_000n;
