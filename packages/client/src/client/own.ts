/** Returns the member of an object, but not an inherited one. */
export function own<Row>(rows: Readonly<Record<string, Row>>, key: unknown): Row | undefined {
  return typeof key === "string" && Object.keys(rows).includes(key) ? rows[key] : undefined;
}
