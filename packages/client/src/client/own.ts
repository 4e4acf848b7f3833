/** A row by its key; what every object inherits is no row. */
export function own<Row>(rows: Readonly<Record<string, Row>>, key: unknown): Row | undefined {
  return typeof key === "string" && Object.keys(rows).includes(key) ? rows[key] : undefined;
}
