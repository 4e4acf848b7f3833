import type { FragmentDefinitionNode, OperationDefinitionNode } from "graphql";
import type { IdForms } from "../../dialects/id-forms.ts";
import { AUTHORED_STYLE } from "../../dialects/portable-style.ts";
import type { StyleName } from "../../dialects/surface.ts";

/** A portable operation: the documents of both styles, and the facts that a client needs to run it. */
export type CompiledOperation = {
  readonly name: string;
  readonly documents: { readonly [S in StyleName]: CompiledDocument };
  readonly facts: OperationFacts;
  /** The authored variables, in the author's order. */
  readonly variables: readonly CompiledVariable[];
  /** The applied rules, once for each place, in document order. */
  readonly rules: readonly AppliedRule[];
};

/** Whether a style can answer an operation: only the authored one has past blocks. */
export function hasText({ facts }: Pick<CompiledOperation, "facts">, style: StyleName): boolean {
  return style === AUTHORED_STYLE || !facts.block.isPinned;
}

/** One style's form of an operation. Its nodes have the `loc` of the authored text, generated nodes too. */
export type CompiledDocument = {
  readonly node: OperationDefinitionNode;
  /** Every fragment it uses, directly or not, in order of name. */
  readonly fragments: readonly FragmentDefinitionNode[];
};

/** A rule of the translation, and where it was applied. */
export type AppliedRule = {
  readonly rule: RuleName;
  /** The file of the authored text. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
};

/** An authored variable, and its variables in each style. */
export type CompiledVariable = {
  readonly name: string;
  /** The declared type with the scalar of its places: `[BigInt!]!`. */
  readonly type: string;
  /** The declared scalar if it differs and its values are accepted too; else null. */
  readonly declaredAs: string | null;
  /** Its variables in each style's document, in the order of their declarations. */
  readonly becomes: { readonly [S in StyleName]: readonly string[] };
};

/**
 * The facts that a client needs to run a portable operation, beside its texts. Names are those of authored variables, or
 * paths of response keys: `streams.asset`.
 */
export type OperationFacts = {
  /** Variables that hold bytes. Both styles need them in lower case. */
  readonly bytes: readonly string[];
  /** Variables that hold ids with bytes among their parts, which must be in lower case too. */
  readonly ids: readonly string[];
  /**
   * The copies of a variable in a document: `before + value + after`, or a plain copy if both are empty. For a list, each
   * item is copied.
   */
  readonly wrap: readonly {
    readonly style: StyleName;
    readonly to: string;
    readonly from: string;
    readonly before: string;
    readonly after: string;
    /** Whether a value that begins or ends with `%` is the whole pattern. */
    readonly isWhole: boolean;
    /** Whether the copy has the digits of bytes: in lower case, without `0x`. */
    readonly isBytes: boolean;
  }[];
  /** Variables that hold a filter of an entity, or part of one. */
  readonly filters: readonly {
    readonly from: string;
    readonly to: string;
    readonly entity: string;
    /** Whether it is nested in a filter of another entity, so that it cannot contain a further one. */
    readonly isChild: boolean;
    /** Whether it is a list of filters, the value of `and` or `or`. */
    readonly isList: boolean;
  }[];
  /** Variables that hold whole comparisons, built from the values of other variables. */
  readonly comparisons: readonly {
    readonly from: string;
    readonly to: string;
    /** The operator of a comparison with a value. */
    readonly name: string;
  }[];
  /** Variables that hold the order of rows. */
  readonly orders: readonly {
    readonly from: string;
    readonly to: string;
    readonly entity: string;
    /** Whether the list is nested. Nested lists cannot be ordered by a field of a reference. */
    readonly isNested: boolean;
    /** The direction, or the variable that holds it. */
    readonly direction: { readonly variable: string } | "asc" | "desc";
    /** The defaults of the two variables; null without one. */
    readonly defaults: { readonly order: string | null; readonly direction: "asc" | "desc" | null };
  }[];
  /** Variables of the multichain document that hold ids or bytes which the styles write differently. */
  readonly idVariables: readonly {
    readonly to: string;
    /** The authored variable; null for a literal id, which is the default. */
    readonly from: string | null;
    readonly forms: IdForms;
    /** The value without the variable; null for a required variable. */
    readonly default: string | readonly string[] | null;
  }[];
  /** The paths of such ids or bytes in an answer. */
  readonly idAnswers: readonly { readonly path: string; readonly forms: IdForms }[];
  /** A required variable that holds an id which contains its chain, and the pattern of such ids; null without one. */
  readonly chainOf: { readonly variable: string; readonly pattern: string } | null;
  /** The paths of numbers that can have several texts: decimals, and lists of big numbers. */
  readonly numberAnswers: readonly string[];
  /** The blocks that the authored text names. */
  readonly block: {
    /** The `block` argument of roots: a variable for the requested block, such as `$block`, or a text; empty without one. */
    readonly at: string;
    /** Whether the text names blocks, so that callers cannot request one. */
    readonly isPinned: boolean;
    /** Variables that hold the numbers of blocks. */
    readonly numbers: readonly string[];
  };
  /** Whether each chain needs its own request, because of its ids or their order. */
  readonly isAlone: boolean;
  /** Variables of `_not_in`, whose lists must not be empty. */
  readonly nonEmpty: readonly string[];
  /** Variables of `first` and of `skip`, which have a range. */
  readonly ranges: { readonly first: readonly string[]; readonly skip: readonly string[] };
  /** Root keys that every answer has. */
  readonly roots: readonly string[];
  /** References that a subgraph never returns as null. */
  readonly required: readonly string[];
  /** The paths of the chain ids of rows. */
  readonly chains: readonly string[];
  /** Root keys whose rows have a chain id that is not selected. */
  readonly addChain: readonly string[];
  /** Root keys of lookups by id. The chain can be checked of those that are also in `chains`. */
  readonly one: readonly string[];
  /** Whether a lookup does not select its chain id. */
  readonly isUnscoped: boolean;
  /**
   * The variables that the compiler adds for the requested chains. `chainIds` and `chainIdsInt`, with another type of number,
   * are lists of their ids; `chainIdsOne` is the id of a single chain.
   */
  readonly chainIds: readonly string[];
  /** The only root list and its order; null if the selected columns are not enough to merge rows of several answers. */
  readonly list: {
    readonly key: string;
    readonly order: readonly OrderKey[];
    readonly first: string | number;
    readonly skip: string | null;
  } | null;
  /** All root lists, and the most rows of each: a number, or a variable. */
  readonly lists: readonly { readonly key: string; readonly first: string | number }[];
  /** What to do so that rows of its list can be merged: `select timestamp`. Null if they can be, and without a list. */
  readonly unmerged: string | null;
  /** How the only root list is paged by a cursor; null if it cannot be paged. */
  readonly page: {
    readonly key: string;
    readonly cursor: string;
    /** The variable of the cursor; null if the condition is added to the variable of the filter. */
    readonly after: string | null;
    readonly first: string;
    readonly direction: "asc" | "desc";
    /** Whether cursors are compared as numbers or as text. */
    readonly kind: "number" | "text";
  } | null;
  /** Response keys whose values may be JSON numbers: those of all scalars that are not text in both styles. */
  readonly numbers: readonly string[];
  /** The columns that decoders convert, by response key. */
  readonly columns: DecodedColumns;
};

/** The type to which a decoder converts a value, or the columns of the rows below it, by response key. Lists are converted
 * item by item. */
export type DecodedColumns = { readonly [key: string]: "integer" | "time" | DecodedColumns };

/** A path from the row, the kind of its values, and the direction. */
export type OrderKey = {
  readonly path: string;
  readonly kind: "number" | "text" | "boolean" | "decimal";
  readonly direction: "asc" | "desc";
};

/** The rules of the translation, described for people. */
export const RULES = {
  "bytes-form": "bytes are compared in lower case, with 0x",
  "chain-scope": "only rows of the requested chains are returned",
  "default-limit": "a list without `first` has 100 rows",
  "enum-text": "members of enums are text",
  "filter-variable": "the variable holds a filter, which the client translates",
  "id-form": "an id has the form of the multichain indexers",
  "id-order": "rows without `orderBy` are sorted by id",
  "id-tie-break": "equal rows are sorted by id, in the same direction",
  "list-not-contains": "`_not_contains` tests each item",
  "list-variable-required": "a list with a default is never null",
  lookup: "a row is looked up by its primary key",
  "not-in-nothing": "`_not_in` with an empty list matches no row",
  "null-test": "null is tested, not compared",
  "null-variable": "the variable holds the whole comparison, which tests for null without a value",
  "number-form": "numbers are written in one form",
  "order-variable": "the variable holds an order, which the client translates",
  pattern: "text is matched by a pattern",
  "raw-bytes": "bytes are written as the multichain indexer stores them",
  "past-block": "only subgraphs have past blocks",
  progress: "the progress of the indexer is the head of the result",
  "reference-column": "the id of a referenced row is a separate column",
  "required-variable": "a comparison with null is an error, so the variable is required",
  "spread-condition": "a condition on a spread moves to an inline fragment around it",
  "unused-variable": "the variable is not used, and not sent",
  "variable-type": "the variable has the type of the places where it is used",
  "variable-copy": "the variable has a copy of another type or form",
} as const satisfies Readonly<Record<string, string>>;

/** A rule of the translation. */
export type RuleName = keyof typeof RULES;
