import type { ASTNode, FieldNode, NamedTypeNode, ObjectFieldNode, ValueNode } from "graphql";

/** How to find valid operations that a platform refuses or answers in an unexpected way. */
export type Pitfalls = {
  /** The argument that limits the rows of a list. */
  readonly size: ListArgument & {
    /** The default; null for all rows. */
    readonly unsaid: number | null;
  };
  /** The argument that skips rows of a list. */
  readonly skip: ListArgument;
  /** The types with the platform's progress, with one row per chain. */
  readonly ownTypes: ReadonlySet<string>;
  /** Returns the columns that a list is ordered by, in order of precedence; null if a variable decides. */
  readonly orderOf: (list: FieldNode) => readonly string[] | null;
  /** The key of a filter whose entries are combined with "and". */
  readonly conjunction: string;
  /** Returns the operand if an entry of a filter compares the column in this way, else null. */
  readonly operandOf: (entry: ObjectFieldNode, column: string, comparison: Comparison) => ValueNode | null;
  /** Writes the entry of a filter that selects the rows after a cursor. */
  readonly writeAfter: (cursor: string) => string;
  /** The operators "not in a list", and the rows that match if the list is empty. */
  readonly exclusion: {
    readonly isOperator: (key: string) => boolean;
    readonly ofNothing: "no row" | "every row";
  };
  /** Returns whether an operator is case-sensitive. */
  readonly comparesCase: (scalar: string, operator: string) => boolean;
  /** Writes bytes for a scalar that would take `0x…` as text; null for other scalars. */
  readonly writeBytes: (scalar: string, digits: string) => string | null;
  /** Returns how the platform misreads a valid part of a document, apart from what is inside it; null if it does not. */
  readonly misread: (part: ASTNode, around: Surroundings) => Misreading | null;
  /**
   * Returns what a member of an input object does if its variable has no value: it compares with null, or it is refused.
   * Null if the platform ignores it, or if that is unknown.
   */
  readonly withoutValue: (object: string, member: string) => "compares" | "refuses" | null;
  /** Whether the platform fails for an object whose fields are all skipped. */
  readonly failsForNothing: boolean;
};

/** The surroundings of a part of a document. */
export type Surroundings = {
  /** The type whose fields are selected there. */
  readonly parent: string | null;
  readonly conditionOf: (fragment: string) => NamedTypeNode | undefined;
  /** The input type of the object that the part is a member of. */
  readonly input: string | null;
  readonly hasField: (type: string, field: string) => boolean;
};

/** How a platform misreads a part of a document. */
export type Misreading = {
  /** What the platform does: `graph-node ignores …`. */
  readonly message: string;
} & (
  | {
      /** A part that the platform reads as the misread one is meant. */
      readonly corrected: ASTNode;
    }
  | { readonly fix: string }
);

/** A numeric argument of lists. */
export type ListArgument = {
  readonly name: string;
  /** The accepted numbers, and the software that refuses others; null if all are accepted. */
  readonly range: { readonly least: number; readonly most: number; readonly by: string } | null;
};

/** How an entry of a filter compares a column: with one value, with several, or by order. */
export type Comparison = "equal" | "in" | "order";
