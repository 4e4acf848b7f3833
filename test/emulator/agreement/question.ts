import type { Column, Relation } from "./facts.ts";

/** A comparison with an operator of the multichain style, and its operand as JSON text. */
export type Test = {
  readonly operator: string;
  readonly operand: string;
  /** In the text of the query, there with members of an enum as names, or as a variable. */
  readonly sent: "literal" | "name" | "variable";
};

export type Where =
  | { readonly is: "all" | "any"; readonly of: readonly Where[] }
  /** Conditions on different columns in one object. */
  | { readonly is: "beside"; readonly of: readonly Where[] }
  | { readonly is: "not"; readonly of: Where }
  | { readonly is: "column"; readonly column: Column; readonly tests: readonly Test[] }
  /** A comparison of the text of JSON. */
  | { readonly is: "cast"; readonly column: Column; readonly test: Test }
  /** Some related row meets the condition. */
  | { readonly is: "related"; readonly relation: Relation; readonly of: Where }
  /** A condition on an aggregate of related rows. */
  | {
      readonly is: "aggregate";
      readonly relation: Relation;
      readonly operator: string;
      /** None, one, or for `corr` and `covar_samp` two. */
      readonly columns: readonly Column[];
      readonly distinct: boolean;
      readonly filter: Where | null;
      readonly compared: Column;
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
  /** In questions for both styles one order or none, then the id: a subgraph adds it by itself. */
  readonly order: readonly Order[];
  readonly distinctOn: readonly Column[];
  readonly limit: number | null;
  readonly offset: number | null;
};

/** A selected field of a row, under one of the keys `k0`, `k1`…. */
export type Selected =
  | { readonly is: "column"; readonly column: Column; readonly path: readonly string[] | null }
  | { readonly is: "typename"; readonly entity: string }
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

/** A root field of an entity. */
export type Question = Root & { readonly entity: string };

export type Root =
  | { readonly is: "rows"; readonly page: Page; readonly of: readonly Selected[] }
  | { readonly is: "aggregate"; readonly page: Page; readonly of: Aggregated }
  | { readonly is: "one"; readonly key: Test; readonly of: readonly Selected[] };
