import type { ValueNode, VariableNode } from "graphql";
import type { Origin } from "./make-node.ts";

/** What a column is held against a value with, in words that are no dialect's. */
export type Test =
  | "equal"
  | "greater"
  | "greater-or-equal"
  | "less"
  | "less-or-equal"
  | "in"
  | "like"
  | "like-nocase"
  | "bytes-like"
  | "has-all";

/** What rows have to be, in words that are no dialect's; its values are written for the dialect already. */
export type Condition = { readonly loc: Origin } & (
  | {
      /** Conditions that stand beside each other: all of them hold. */
      readonly kind: "beside";
      readonly of: readonly Condition[];
    }
  | {
      readonly kind: "and" | "or";
      /** Or the variable that holds the list. */
      readonly of: readonly Condition[] | VariableNode;
    }
  | { readonly kind: "not"; readonly of: Condition }
  | {
      /** Some row that a relation leads to is so. */
      readonly kind: "related";
      readonly field: string;
      readonly of: Condition;
    }
  | { readonly kind: "null"; readonly column: Column; readonly isNull: boolean }
  | {
      /** Of a null it is never true, whether it is negated or not. */
      readonly kind: "test";
      readonly column: Column;
      readonly test: Test;
      readonly isNegated: boolean;
      readonly value: ValueNode;
    }
  | {
      /** A whole filter, or a part of one, that is given when the operation is run. */
      readonly kind: "given";
      readonly value: VariableNode;
    }
);

/** A field that is stored with a row: a value, or the id of the row it refers to. */
export type Column = { readonly name: string; readonly isReference: boolean };

/** A path of references from a row to what rows are ordered by, and the direction. */
export type OrderTerm = {
  readonly path: readonly string[];
  readonly direction: ValueNode;
  readonly loc: Origin;
};
