import type { Comparable } from "./comparison-exp.ts";
import { type Column, columnType, type Table } from "./tables.ts";

/** An aggregate operator of a table. */
export type Operator = {
  readonly name: string;
  /** The columns it can be asked of. */
  readonly columns: readonly Column[];
  /** The type of its result on a column. */
  readonly resultType: (column: Column) => string;
};

/** The aggregate operators a table has, `count` aside, which needs no column. */
export function operators(table: Table): Operator[] {
  const comparable = table.columns.filter(isComparable);
  const numeric = table.columns.filter(isNumeric);
  const all: Operator[] = [
    ...["max", "min"].map((name) => ({ name, columns: comparable, resultType: columnType })),
    { name: "sum", columns: numeric, resultType: columnType },
    ...STATISTICS.map((name) => ({ name, columns: numeric, resultType: () => "Float" })),
  ];
  return all.filter((operator) => operator.columns.length > 0);
}

const STATISTICS: readonly string[] = [
  "avg",
  "stddev",
  "stddev_pop",
  "stddev_samp",
  "var_pop",
  "var_samp",
  "variance",
];

/** Postgres has an order for everything but these; for lists whatever their items are. */
function isComparable({ scalar, list }: Comparable): boolean {
  return list || (scalar !== "Boolean" && scalar !== "jsonb");
}

function isNumeric({ scalar, list }: Comparable): boolean {
  return !list && NUMERIC_SCALARS.has(scalar);
}

const NUMERIC_SCALARS: ReadonlySet<string> = new Set(["Float", "Int", "bigint", "float8", "numeric"]);

/** Which columns an operator takes, by its name; undefined for no operator. */
export function operandsOf(operator: string): ((column: Comparable) => boolean) | undefined {
  if (operator === "max" || operator === "min") return isComparable;
  return operator === "sum" || STATISTICS.includes(operator) ? isNumeric : undefined;
}
