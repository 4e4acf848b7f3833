import type { ArgumentNode, FieldNode, ValueNode, VariableNode } from "graphql";

/** A filter of the dialect that portable operations are compiled to, read without its schema. Negations stand at tests. */
export type ReadFilter =
  | {
      /** All conditions hold, or any of them. */
      readonly kind: "and" | "or";
      readonly of: readonly ReadFilter[];
    }
  | ReadTest
  | {
      /** A condition on related rows. */
      readonly kind: "related";
      readonly field: string;
      readonly of: ReadFilter;
    }
  | {
      /** A filter, or a list of filters, that the caller gives. */
      readonly kind: "given";
      readonly value: VariableNode;
    };

/** A comparison of a column. A null matches none except `null`, negated or not. */
export type ReadTest = {
  readonly kind: "test";
  readonly column: string;
  readonly test: ReadTestName;
  readonly isNegated: boolean;
  readonly ignoresCase: boolean;
  readonly value: ValueNode;
};

/** The operator of a comparison, independent of the dialect. */
export type ReadTestName =
  | "equal"
  | "greater"
  | "greater-or-equal"
  | "less"
  | "less-or-equal"
  | "in"
  | "like"
  | "has-all"
  | "null";

/**
 * A path from a row to the column that rows are ordered by, and a direction: a word or a variable. The path is empty if
 * the caller gives the whole order.
 */
export type ReadOrder = { readonly path: readonly string[]; readonly direction: ValueNode };

/** The arguments of a list or a lookup; null for those that are not given. */
export type ReadArguments = {
  readonly [Name in "first" | "skip" | "filter" | "order" | "id" | "chain" | "distinct"]: ValueNode | null;
} & { readonly others: readonly ArgumentNode[] };

/** Reads queries of a dialect, to write them as portable operations. */
export type QueryReader = {
  /** Returns the entity of a root field by its name, and whether the field lists rows or looks one up. */
  readonly readRoot: (name: string) => { readonly entity: string; readonly kind: "list" | "lookup" };
  readonly readArguments: (field: FieldNode) => ReadArguments;
  /** @throws Unreadable for what no portable operation can say. */
  readonly readFilter: (value: ValueNode) => ReadFilter;
  /** @throws Unreadable for what no portable operation can say. */
  readonly readOrder: (value: ValueNode) => readonly ReadOrder[];
  /** The name of the column of a reference: `asset_id` is the one of `asset`; null for other names. */
  readonly readReference: (column: string) => string | null;
  /** Returns a list in an order without equal rows: they come by id. A list that the caller orders stays. */
  readonly completeOrder: (field: FieldNode) => FieldNode;
  /** Returns whether a field with these arguments is a list of rows. */
  readonly isList: (argumentNames: readonly string[]) => boolean;
  /** The rows of a list without a limit: the usual row cap of hosted indexers. */
  readonly rowCap: number;
};

/** What a reader reports for a part of a query that it cannot read. */
export class Unreadable extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** A part of a filter in the dialect of portable operations: the name of a member and its value. */
export type WrittenTest = {
  readonly field: string;
  readonly test:
    | Exclude<ReadTestName, "like" | "has-all">
    | "contains"
    | "starts-with"
    | "ends-with"
    | "related";
  readonly isNegated: boolean;
  readonly ignoresCase: boolean;
};

/** Writes queries in the dialect of portable operations. */
export type QueryWriter = {
  /** Returns the name of a member of a filter: `sender_not_in`. */
  readonly filterName: (test: WrittenTest) => string;
  /** Returns the name of an order: `asset__symbol`; null for a path that is too long. */
  readonly orderName: (path: readonly string[]) => string | null;
  readonly writeArguments: (
    values: {
      readonly [Name in "first" | "skip" | "filter" | "order" | "direction" | "id"]: ValueNode | null;
    },
  ) => readonly ArgumentNode[];
};
