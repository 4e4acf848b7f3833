import type { Column } from "./facts.ts";

/** A value to compare with, and how it is sent. Lists contain single values. */
export type Operand = {
  readonly value: string | number | boolean | readonly (string | number)[];
  /** In the text of the query, or as a variable. */
  readonly sent: "literal" | "variable";
};

export type ValueOperator = "equals" | "not" | "gt" | "gte" | "lt" | "lte";
export type ListOperator = "in" | "not_in";
export type PatternOperator =
  | "contains"
  | "not_contains"
  | "starts_with"
  | "not_starts_with"
  | "ends_with"
  | "not_ends_with";

/** A condition that both styles support, with the same result. */
export type Condition =
  | { readonly is: "null"; readonly column: Column; readonly negated: boolean }
  | {
      readonly is: "compared";
      readonly column: Column;
      readonly operator: ValueOperator | ListOperator;
      readonly operand: Operand;
    }
  | {
      readonly is: "like";
      readonly column: Column;
      readonly operator: PatternOperator;
      readonly nocase: boolean;
      readonly operand: Operand;
    }
  | { readonly is: "holding"; readonly column: Column; readonly operand: Operand }
  /** Some related entity meets the condition; `field` is a reference or a derived list. */
  | { readonly is: "related"; readonly field: string; readonly condition: Condition }
  | { readonly is: "all" | "any"; readonly of: readonly Condition[] }
  /** Conditions on different fields in one object. */
  | { readonly is: "beside"; readonly of: readonly Condition[] };

/** By one column, or by a column of a referenced entity; ties are by id in the same direction. */
export type Order = {
  readonly reference: string | null;
  readonly column: string;
  readonly descending: boolean;
};

export type Page = {
  readonly condition: Condition | null;
  readonly order: Order | null;
  readonly first: number;
  readonly skip: number;
};

/** A selected field of an entity, under its own response key. */
export type Selected =
  | { readonly is: "column"; readonly key: string; readonly column: Column }
  | { readonly is: "typename"; readonly key: string }
  | {
      readonly is: "reference";
      readonly key: string;
      readonly field: string;
      readonly of: readonly Selected[];
    }
  | {
      readonly is: "list";
      readonly key: string;
      readonly field: string;
      readonly page: Page;
      readonly of: readonly Selected[];
    };

/** A root field: a page of an entity, or one by its id. */
export type Question = { readonly entity: string; readonly of: readonly Selected[] } & (
  | { readonly is: "page"; readonly page: Page }
  | { readonly is: "one"; readonly id: Operand }
);
