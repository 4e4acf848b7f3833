import type { Aggregate, RollUp } from "../../emulator/dataset/seeded/row-plan.ts";
import { sqlName } from "../../src/dialects/subgraph/rules/table-rules.ts";

/** A roll-up and the place of its rows. */
export type RolledUp = {
  readonly name: string;
  readonly rollUp: RollUp;
  /** The columns that it copies from its source. */
  readonly dimensions: readonly string[];
  /** The schema of the tables, and the types of a table's columns. */
  readonly schema: string;
  readonly typeOf: (table: string, column: string) => string;
};

/** The length of an interval's buckets, in seconds. */
export const BUCKET_SECONDS: Readonly<Record<string, number>> = { hour: 3600, day: 86_400 };

/**
 * Renders what a node runs when a bucket is over: `$1` is when it began, `$2` when it ended, in seconds, and `$3` the
 * block. What goes on from bucket to bucket is put together with the last bucket of the same dimensions before.
 */
export function renderRollUp(
  { name, rollUp, dimensions, schema, typeOf }: RolledUp,
  interval: string,
): string {
  const table = sqlName(`${name}_${interval}`);
  const own = dimensions.map((dimension) => `"${dimension}"`);
  const aggregates = [...rollUp.aggregates].map(([field, aggregate]) => ({
    column: sqlName(field),
    ...aggregate,
  }));
  const fold = ({ column, fn }: Aggregate & { readonly column: string }, value: string, by: string) => {
    const type = typeOf(table, column);
    if (fn === "first" || fn === "last") {
      return `arg_${fn === "first" ? "min" : "max"}_${type}((${value}, ${by})) AS "${column}"`;
    }
    return `${fn}(${value}) AS "${column}"`;
  };
  const sources = [...new Set(aggregates.flatMap(({ arg }) => (arg === null ? [] : [sqlName(arg)])))];
  const columns = list(["id", "timestamp", ...own]);
  const bucket = `SELECT ${list([
    "max(id) AS id",
    "timestamp",
    ...own,
    ...aggregates.map((one) => fold(one, one.arg === null ? "*" : `"${sqlName(one.arg)}"`, "id")),
  ])} FROM (SELECT ${list([
    "id",
    `date_bin('${BUCKET_SECONDS[interval]}s', timestamp, 'epoch'::timestamptz) AS timestamp`,
    ...own,
    ...sources.map((source) => `"${source}"`),
  ])} FROM "${schema}"."${sqlName(rollUp.source)}"
    WHERE timestamp >= to_timestamp($1::int8) AND timestamp < to_timestamp($2::int8) ORDER BY timestamp) data
    GROUP BY ${list(["timestamp", ...own])}`;
  const names = aggregates.map(({ column }) => `"${column}"`);
  const into = `INSERT INTO "${schema}"."${table}" (${list(["id", "timestamp", ...own, ...names, "block$"])})`;
  const written = list(["id", "timestamp", ...own, ...names, "$3::int4"]);
  if (!aggregates.some(({ cumulative }) => cumulative)) {
    return `${into} SELECT ${written} FROM (${bucket}) bucket`;
  }
  const before = aggregates.map(({ column, cumulative }) =>
    cumulative ? `prev."${column}"` : `NULL::${typeOf(table, column)} AS "${column}"`,
  );
  const same = own.map((dimension) => ` AND prev.${dimension} = bucket.${dimension}`).join("");
  const combined = aggregates.map((one) =>
    fold(one.fn === "count" ? { ...one, fn: "sum" } : one, `"${one.column}"`, "seq"),
  );
  return `WITH bucket AS (${bucket}),
    prev AS (SELECT ${list(["bucket.id", "bucket.timestamp", ...own.map((one) => `bucket.${one}`), ...before])}
      FROM bucket CROSS JOIN LATERAL (SELECT * FROM "${schema}"."${table}" prev
        WHERE prev.timestamp < to_timestamp($1::int8)${same} ORDER BY prev.timestamp DESC LIMIT 1) prev),
    combined AS (SELECT ${list([columns, ...combined])}
      FROM (SELECT *, 1 AS seq FROM prev UNION ALL SELECT *, 2 AS seq FROM bucket) both_of_them GROUP BY ${columns})
    ${into} SELECT ${written} FROM combined`;
}

function list(parts: readonly string[]): string {
  return parts.join(", ");
}
