import type { Column, Relation } from "./schema.ts";

/** An operator of a comparison, and its operand as JSON text. */
export type Test = {
  readonly operator: string;
  readonly operand: string;
  readonly sent: "literal" | "variable";
};

/** What the operators of a test compare: a value of a column, an item of a list, or an aggregate. */
export type Compared = Pick<Column, "type" | "list" | "scalar">;

/** A `where`. */
export type Where =
  | { readonly is: "all" | "any" | "beside"; readonly of: readonly Where[] }
  | { readonly is: "not"; readonly of: Where }
  | { readonly is: "column"; readonly column: Column; readonly tests: readonly Test[] }
  /** A comparison of the text of a `jsonb`. */
  | { readonly is: "cast"; readonly column: Column; readonly test: Test }
  | { readonly is: "related"; readonly relation: Relation; readonly of: Where }
  | ({ readonly is: "aggregate"; readonly relation: Relation } & Predicate);

/** A condition on an aggregate of related rows. */
export type Predicate = {
  readonly operator: string;
  /** None, one, or for `corr` and `covar_samp` two. */
  readonly columns: readonly Column[];
  readonly distinct: boolean;
  readonly filter: Where | null;
  readonly compared: Compared;
  readonly test: Test;
};

export type Direction = "asc" | "desc" | `${"asc" | "desc"}_nulls_${"first" | "last"}`;

/** By a column of the row or of one it refers to, or by an aggregate of the rows that refer to it. */
export type Order = {
  readonly path: readonly Relation[];
  readonly aggregate: { readonly relation: Relation; readonly operator: string } | null;
  /** Null to count. */
  readonly column: Column | null;
  readonly direction: Direction;
};

export type Page = {
  readonly where: Where | null;
  readonly order: readonly Order[];
  readonly distinctOn: readonly Column[];
  readonly limit: number | null;
  readonly offset: number | null;
};

/** A selected field of a row, under one of the keys `k0`, `k1`…. */
export type Selected =
  | { readonly is: "column"; readonly column: Column; readonly path: readonly string[] | null }
  | { readonly is: "one"; readonly relation: Relation; readonly of: readonly Selected[] }
  | {
      readonly is: "many";
      readonly relation: Relation;
      readonly page: Page;
      readonly of: readonly Selected[];
    }
  | { readonly is: "aggregate"; readonly relation: Relation; readonly page: Page; readonly of: Aggregated };

export type Aggregated = {
  readonly values: readonly AggregateValue[];
  readonly nodes: readonly Selected[] | null;
};

export type AggregateValue =
  | { readonly is: "count"; readonly columns: readonly Column[]; readonly distinct: boolean }
  | { readonly is: "value"; readonly operator: string; readonly column: Column };

/** A root field. */
export type Question = { readonly table: string } & (
  | { readonly is: "rows"; readonly page: Page; readonly of: readonly Selected[] }
  | { readonly is: "aggregate"; readonly page: Page; readonly of: Aggregated }
  | { readonly is: "one"; readonly key: Test; readonly of: readonly Selected[] }
);
