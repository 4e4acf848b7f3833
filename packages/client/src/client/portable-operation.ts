import type { StyleName } from "../manifest/manifest-types.ts";

/**
 * An operation in both styles, and the plan with which the client runs it. The generator has parsed the texts, so that the
 * client does not.
 */
export type PortableOperation<P extends string, R, V, K extends Kind, C = unknown> = {
  /** The version of this format. */
  readonly format: 1;
  readonly name: string;
  readonly protocol: P;
  /** Its text for the multichain indexers. */
  readonly multichain: string;
  /** Its text for the subgraphs. */
  readonly subgraph: string;
  /** A digest of both texts, for the keys of queries. */
  readonly digest?: string;
  /** The readers of its variables; in a list for a list. */
  readonly variables?: Readonly<Record<string, Reader | readonly [Reader]>>;
  /** Variables that may not be omitted. */
  readonly required?: readonly string[];
  /** The variables of the multichain text, if they have other names. */
  readonly sent?: readonly string[];
  /** The readers of the variables that hold the ids of chains, in the multichain text; in a list for several chains. */
  readonly chainIds?: Readonly<Record<string, Reader | readonly [Reader]>>;
  /** The style that answers for past blocks. */
  readonly past?: StyleName;
  /** The `block` argument of its roots, if it is not `$block`: another variable, or a text; empty for the last block. */
  readonly at?: string;
  /** True if the text itself names a block, so that only the style `past` can answer. */
  readonly pinned?: true;
  /** The variable that holds an id which contains its chain, and the pattern of such ids. */
  readonly chainOf?: ChainOf;
  /** Maps variables that hold patterns, filters, orders and ids. */
  readonly map?: (
    variables: Readonly<Record<string, unknown>>,
    isSubgraph: boolean,
    chain: number | string | bigint | undefined,
  ) => Record<string, unknown>;
  /** Maps the ids in an answer of the multichain indexers; returns what is wrong with them. */
  readonly answer?: (data: object, chain: number | string | bigint | undefined) => string | null;
  /** Writes the numbers of an answer in one form; returns what is wrong with them. */
  readonly normalize?: (data: object) => string | null;
  /** True if its ids or their order are those of one chain, so that each chain needs a request. */
  readonly alone?: true;
  /** Variables whose lists must not be empty. */
  readonly nonEmpty?: readonly string[];
  /** Root keys that every answer has. */
  readonly roots?: readonly string[];
  /** References that a subgraph never returns as null. */
  readonly nonNull?: readonly string[];
  /** Paths of the chain ids of rows. */
  readonly chains?: readonly string[];
  /** Root keys whose rows do not have their chain: the client requests it under a key of its own, and removes it. */
  readonly addChain?: readonly string[];
  /** Root keys of rows that are looked up by id. */
  readonly one?: readonly string[];
  /** True if a row that is looked up does not have its chain. */
  readonly unscoped?: true;
  /** The chains whose indexers refuse it, by style. */
  readonly not?: { readonly [S in StyleName]?: readonly string[] };
  /** Its list, if rows of several chains can be merged. */
  readonly list?: ListPlan;
  /** Its root lists, if it is not one list that can be merged. */
  readonly lists?: readonly Pick<ListPlan, "key" | "first" | "size">[];
  /** What to do so that rows of its list can be merged. */
  readonly unmerged?: string;
  /** How its list is paged. */
  readonly page?: PagePlan;
  /** Requests the rows beyond the row cap of a host. */
  readonly rest?: ReadRest;
  /** Response keys whose values are numbers; null to accept numbers everywhere. */
  readonly numbers?: readonly string[] | null;
  /** Type only; absent at run time. */
  readonly __types?: (variables: V) => readonly [R, K, C];
};

/**
 * Converts the value of a variable or a filter to the form that both styles read alike. The constant of an operation names
 * the readers of its variables, so that a bundle has no others.
 *
 * @param path the path of the value, for the error.
 * @throws IndexerError `invalid-variables` for a value of another type.
 */
export type Reader = (value: unknown, path: string) => unknown;

/** Returns the variable of the requested block. */
export function blockVariable({ at = "$block" }: { readonly at?: string }): string {
  return at.slice(1);
}

/** The version of the format of operations. A generated constant of another version is refused. */
export const FORMAT: 1 = 1;

/** Whether an indexer of a style serves many chains. */
export const IS_SHARED: Readonly<Record<StyleName, boolean>> = { multichain: true, subgraph: false };

type ChainOf = { readonly variable: string; readonly pattern: string };

/** A list whose rows can be merged. */
export type ListPlan = {
  readonly key: string;
  readonly order: readonly OrderKey[];
  /** The variable of the number of rows; null if it is `size`. */
  readonly first: string | null;
  /** The number of rows without the variable. */
  readonly size: number;
  /** The variable of the number of rows to skip; null without one. */
  readonly skip: string | null;
};

/** A list that is paged by a cursor, a column of its rows. */
export type PagePlan = {
  readonly key: string;
  readonly cursor: string;
  /** The variable of the cursor; null if the condition is added to the variable `filter`. */
  readonly after: string | null;
  readonly filter?: string;
  /** The variable of the number of rows. */
  readonly first: string;
  /** The number of rows without the variable, if it has a default. */
  readonly size?: number;
  readonly direction: "asc" | "desc";
  readonly kind: "number" | "text";
};

/**
 * Requests the rows that an answer lacks because the host's row cap was reached.
 *
 * @param query requests the operation with other variables.
 * @returns the answer with all rows; null if they are out of order.
 */
export type ReadRest = <V, A extends CappedAnswer>(
  call: { readonly operation: { readonly page?: PagePlan }; readonly variables: Given<V> },
  start: A,
  query: (variables: Given<V>) => Promise<A>,
) => Promise<A | null>;

/** An answer, and how many rows it may lack. */
type CappedAnswer = { readonly data: unknown; readonly head: unknown; readonly capped: number | null };

/** An operation whose variables contain a chain, so that `chain` may be omitted. */
export type ChainInId = { readonly chainOf: ChainOf };

/** A path from the row, the kind of its values, and the direction. */
export type OrderKey = {
  readonly path: string;
  readonly kind: "number" | "text" | "boolean" | "decimal";
  readonly direction: "asc" | "desc";
};

/**
 * What can be done with the rows of an operation: those of several chains can be merged (`list`), and paged as well
 * (`pages`). A list whose rows cannot be merged says what to do: `one: select timestamp`.
 */
export type Kind = "one" | `one: ${string}` | "list" | "pages";

/** Variables as a function takes them: its other types are not inferred from them. */
export type Given<V> = [V][V extends unknown ? 0 : never];
