import type { FieldNode, ObjectFieldNode, ValueNode } from "graphql";

/** Where a valid operation of a dialect is refused or answered otherwise than its author means, and nothing says so. */
export type Pitfalls = {
  /** The argument for how many rows a list answers. */
  readonly size: ListArgument & {
    /** How many it answers without the argument; null for all. */
    readonly unsaid: number | null;
  };
  /** The argument for how many rows a list passes over. */
  readonly skip: ListArgument;
  /** The types in which the platform tells how far it is, in one row for each chain. */
  readonly ownTypes: ReadonlySet<string>;
  /** The columns that a list is ordered by, the first first; null where a variable decides. */
  readonly orderOf: (list: FieldNode) => readonly string[] | null;
  /** The key of a filter whose entries have to hold together. */
  readonly conjunction: string;
  /** What an entry of a filter compares a column with, if that is what it does; else null. */
  readonly operandOf: (entry: ObjectFieldNode, column: string, comparison: Comparison) => ValueNode | null;
  /** Writes the entry of a filter that goes on behind a cursor. */
  readonly writeAfter: (cursor: string) => string;
  /** Leaving out what is in a list, and of which rows that is true when the list is empty. */
  readonly exclusion: {
    readonly isOperator: (key: string) => boolean;
    readonly ofNothing: "no row" | "every row";
  };
  /** Whether two texts that differ only in case differ for an operator. */
  readonly comparesCase: (scalar: string, operator: string) => boolean;
  /** How bytes are written for a scalar that takes `0x…` as text; null for other scalars. */
  readonly writeBytes: (scalar: string, digits: string) => string | null;
};

/** An argument of lists that is a number. */
export type ListArgument = {
  readonly name: string;
  /** The numbers that are not refused, and who refuses the others; null where none is. */
  readonly range: { readonly least: number; readonly most: number; readonly by: string } | null;
};

/** How an entry of a filter compares a column: with one value, with some, or by order. */
export type Comparison = "equal" | "in" | "order";
