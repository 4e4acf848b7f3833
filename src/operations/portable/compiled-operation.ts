import type { FragmentDefinitionNode, OperationDefinitionNode } from "graphql";
import type { IdForms } from "../../dialects/id-forms.ts";
import { AUTHORED_STYLE } from "../../dialects/portable-style.ts";
import type { StyleName } from "../../dialects/surface.ts";

/** A portable operation in the documents of both styles, and what a program has to know to run it. */
export type CompiledOperation = {
  readonly name: string;
  readonly documents: { readonly [S in StyleName]: CompiledDocument };
  readonly facts: OperationFacts;
  /** Every variable the author declared, in the author's order. */
  readonly variables: readonly CompiledVariable[];
  /** The applied rules, once for each place, in document order. */
  readonly rules: readonly AppliedRule[];
};

/** Whether a style can answer an operation: only the authored one has past blocks. */
export function hasText({ facts }: Pick<CompiledOperation, "facts">, style: StyleName): boolean {
  return style === AUTHORED_STYLE || !facts.block.isPinned;
}

/** One style's form of an operation. Its nodes keep the `loc` of what the author wrote, also where they are made. */
export type CompiledDocument = {
  readonly node: OperationDefinitionNode;
  /** Every fragment it uses, directly or not, in order of name. */
  readonly fragments: readonly FragmentDefinitionNode[];
};

/** A rule of the translation, where it was applied. */
export type AppliedRule = {
  readonly rule: RuleName;
  /** The file that the author wrote it in. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
};

/** A variable as the author declared it, and as whom each style takes it. */
export type CompiledVariable = {
  readonly name: string;
  /** As declared, but of the scalar of its places: `[BigInt!]!`. */
  readonly type: string;
  /** The declared scalar if it is another one, whose values are accepted, too; else null. */
  readonly declaredAs: string | null;
  /** The variables of each style's document that are made of it, in the order of their declarations. */
  readonly becomes: { readonly [S in StyleName]: readonly string[] };
};

/**
 * What running a portable operation takes besides its texts; lists are empty where there is nothing of a kind. All
 * names are of variables as the author declared them, or paths of response keys: `streams.asset`.
 */
export type OperationFacts = {
  /** Variables that hold bytes, to be brought into lower case for both styles. */
  readonly bytes: readonly string[];
  /** Variables that hold ids with bytes among their parts, which are to be brought into lower case likewise. */
  readonly ids: readonly string[];
  /**
   * Copies a document has of a variable: `before + value + after`, or a plain copy where both are empty; of a list, of
   * each of its items.
   */
  readonly wrap: readonly {
    readonly style: StyleName;
    readonly to: string;
    readonly from: string;
    readonly before: string;
    readonly after: string;
    /** Whether a `%` at either end of the value says that the value is the whole pattern. */
    readonly isWhole: boolean;
    /** Whether the digits of bytes are taken for the value: in lower case, without `0x`. */
    readonly isBytes: boolean;
  }[];
  /** Variables that hold a filter of an entity, or part of one. */
  readonly filters: readonly {
    readonly from: string;
    readonly to: string;
    readonly entity: string;
    /** Whether it stands in a filter of another entity, so that no filter of a third one may stand in it. */
    readonly isChild: boolean;
    /** Whether it is a list of filters, the value of `and` or `or`. */
    readonly isList: boolean;
  }[];
  /** Variables that hold whole comparisons, which are built from the values of others. */
  readonly comparisons: readonly {
    readonly from: string;
    readonly to: string;
    /** The operator of a comparison with a value. */
    readonly name: string;
  }[];
  /** Variables that hold what rows of an entity are ordered by. */
  readonly orders: readonly {
    readonly from: string;
    readonly to: string;
    readonly entity: string;
    /** Whether a nested list is ordered, which no field of a reference can order. */
    readonly isNested: boolean;
    /** What says the direction: a variable, or the direction itself. */
    readonly direction: { readonly variable: string } | "asc" | "desc";
    /** Of the two variables, where the document declares defaults; null where it has none. */
    readonly defaults: { readonly order: string | null; readonly direction: "asc" | "desc" | null };
  }[];
  /** Variables of the multichain document that hold ids or bytes which the styles write differently. */
  readonly idVariables: readonly {
    readonly to: string;
    /** The author's variable; null for an id that the author wrote out, which is the default. */
    readonly from: string | null;
    readonly forms: IdForms;
    /** The value without the variable; null for a required variable. */
    readonly default: string | readonly string[] | null;
  }[];
  /** Where an answer has such ids or bytes. */
  readonly idAnswers: readonly { readonly path: string; readonly forms: IdForms }[];
  /** A required variable that holds an id which contains its chain, and the pattern of such ids; null without one. */
  readonly chainOf: { readonly variable: string; readonly pattern: string } | null;
  /** Where an answer has numbers with several texts: decimals, and lists of big numbers. */
  readonly numberAnswers: readonly string[];
  /** The blocks that the author's text names. */
  readonly block: {
    /** The `block` argument of roots for the requested block: `$block` or another variable; else their text, or empty. */
    readonly at: string;
    /** Whether the text names blocks of its own, so that no block can be requested. */
    readonly isPinned: boolean;
  };
  /** Whether each chain has to be asked by itself, because of its ids or their order. */
  readonly isAlone: boolean;
  /** Lists of a `_not_in`, which must not be empty. */
  readonly nonEmpty: readonly string[];
  /** Variables of `first` and of `skip`, which have a range. */
  readonly ranges: { readonly first: readonly string[]; readonly skip: readonly string[] };
  /** Root keys that every answer has. */
  readonly roots: readonly string[];
  /** References that a subgraph never answers as null. */
  readonly required: readonly string[];
  /** The paths to the chains of rows. */
  readonly chains: readonly string[];
  /** Root keys whose rows do not select their chain, although they have one. */
  readonly addChain: readonly string[];
  /** Lookups by id. Those that are also in `chains` can be checked for their chain. */
  readonly one: readonly string[];
  /** Whether a lookup does not select its chain. */
  readonly isUnscoped: boolean;
  /**
   * The variables that the compiler adds for the requested chains. `chainIds` and `chainIdsInt`, with another type of number,
   * are lists of their ids; `chainIdsOne` is the id of a single chain.
   */
  readonly chainIds: readonly string[];
  /** The one root list and its order, if rows of several answers can be merged by what is selected; else null. */
  readonly list: {
    readonly key: string;
    readonly order: readonly OrderKey[];
    readonly first: string | number;
    readonly skip: string | null;
  } | null;
  /** What to do so that rows of its list can be merged: `select timestamp`. Null if they can be, and without a list. */
  readonly unmerged: string | null;
  /** How the one root list is paged by a cursor; null where it cannot be. */
  readonly page: {
    readonly key: string;
    readonly cursor: string;
    /** The variable of the condition; null where it is added to the variable of a whole filter. */
    readonly after: string | null;
    readonly first: string;
    readonly direction: "asc" | "desc";
    /** Whether cursors are whole numbers or texts. */
    readonly kind: "number" | "text";
  } | null;
  /** Response keys whose values may be JSON numbers: of every scalar that is not text in both styles. */
  readonly numbers: readonly string[];
  /** The columns that decoders convert, by response key. */
  readonly columns: DecodedColumns;
};

/** By response key, what a value is converted to, or the columns of the rows below it. Lists are converted item by item. */
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
  "chain-scope": "rows are those of the chains that are asked",
  "default-limit": "a list without `first` has 100 rows",
  "enum-text": "members of enums are text",
  "filter-variable": "the variable holds a filter, which is translated when it is run",
  "id-form": "an id is written as the multichain indexers do",
  "id-order": "rows without `orderBy` come by id",
  "id-tie-break": "rows that are alike come by id, in the same direction",
  "list-not-contains": "what a list does not contain is asked item by item",
  "list-variable-required": "a list with a default is never null",
  lookup: "a row is looked up by its primary key",
  "not-in-nothing": "nothing is not in an empty list",
  "null-test": "null is tested, not compared",
  "null-variable": "the variable holds the whole comparison, which tests for null if it has no value",
  "number-form": "numbers are written in one form",
  "order-variable": "the variable holds an order, which is translated when it is run",
  pattern: "text is looked for by a pattern",
  "raw-bytes": "bytes are written as the multichain indexer stores them",
  "past-block": "only subgraphs have past blocks",
  progress: "the progress of the indexer is the head of the result",
  "reference-column": "the id of a referred row is a column of its own",
  "required-variable": "a comparison with null is an error, so the variable is required",
  "spread-condition": "a condition on a spread stands on an inline fragment around it",
  "unused-variable": "the variable is not used, and not sent",
  "variable-type": "the variable has the type of the places where it is used",
  "variable-copy": "the variable has another form, for its type or what is done to it",
} as const satisfies Readonly<Record<string, string>>;

/** A rule of the translation. */
export type RuleName = keyof typeof RULES;
