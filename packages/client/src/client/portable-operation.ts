import type { StyleName } from "../manifest/manifest-types.ts";

/** An operation that is written once, in both styles, and what a program has to know to run it. */
export type PortableOperation<P extends string, R, V, K extends Kind, C = unknown> = {
  readonly name: string;
  readonly protocol: P;
  /** Its text for the multichain indexers. */
  readonly multichain: string;
  /** Its text for the subgraphs. */
  readonly subgraph: string;
  /** Variables that hold bytes. */
  readonly bytes?: readonly string[];
  /** Variables that hold ids with bytes among their parts. */
  readonly ids?: readonly string[];
  /** The variable that holds an id which contains its chain, and the pattern of such ids. */
  readonly chainOf?: ChainOf;
  /** Variables of the texts that are made of others. */
  readonly wrap?: readonly (readonly [to: string, from: string, before: string, after: string])[];
  /** Maps variables that hold filters, orders and ids. */
  readonly map?: (
    variables: Readonly<Record<string, unknown>>,
    isSubgraph: boolean,
    chain: number | string | bigint | undefined,
  ) => Record<string, unknown>;
  /** Maps the ids in an answer of the multichain indexers; returns what is wrong with them. */
  readonly answer?: (data: object, chain: number | string | bigint | undefined) => string | null;
  /** Its ids or their order are those of one chain, so that each chain is asked by itself. */
  readonly alone?: true;
  /** Variables whose lists must not be empty. */
  readonly nonEmpty?: readonly string[];
  /** Variables that are the most rows to give: 1 to 1000. */
  readonly ranges?: readonly string[];
  /** Variables that are how many rows to leave out: 0 to 5000. */
  readonly skips?: readonly string[];
  /** References that a subgraph never answers as null. */
  readonly required?: readonly string[];
  /** Where rows tell their chain. */
  readonly chains?: readonly string[];
  /** Root keys whose rows do not have their chain: the client requests it under a key of its own, and removes it. */
  readonly addChain?: readonly string[];
  /** Where rows that are looked up by id are. */
  readonly one?: readonly string[];
  /** A row that is looked up does not tell its chain. */
  readonly unscoped?: true;
  /** The chains whose indexers do not take it, by style. */
  readonly not?: { readonly [S in StyleName]?: readonly string[] };
  /** The list it asks for, in which order, and the variables of its size, or the size. */
  readonly list?: readonly [
    key: string,
    order: readonly OrderKey[],
    first: string | number,
    skip: string | null,
  ];
  /** What to do so that rows of its list can be merged. */
  readonly unmerged?: string;
  /** How its list is paged. `after` is the variable of the cursor, or null where it is added to `where`. */
  readonly page?: readonly [
    key: string,
    cursor: string,
    after: string | null,
    first: string,
    direction: "asc" | "desc",
    /** Whether cursors are numbers or texts. */
    kind?: OrderKey[1],
  ];
  /** Response keys whose values are numbers; null to accept numbers everywhere. */
  readonly numbers?: readonly string[] | null;
  /** Is never there: it only holds the types. */
  readonly __types?: (variables: V) => readonly [R, K, C];
};

type ChainOf = readonly [variable: string, pattern: string];

/** An operation whose variables contain a chain, so that `chain` may be omitted. */
export type ChainInId = { readonly chainOf: ChainOf };

/** A path from the row, whether its values are whole numbers, texts, booleans or decimals, and the direction. */
export type OrderKey = readonly [path: string, kind: "n" | "t" | "b" | "d", direction: "asc" | "desc"];

/**
 * What can be done with the rows of an operation: those of several chains can be merged (`list`), and paged as well
 * (`pages`). A list whose rows cannot be merged says what to do: `one: select timestamp`.
 */
export type Kind = "one" | `one: ${string}` | "list" | "pages";

/** Variables that are given: they do not decide what is asked for. */
export type Given<V> = [V][V extends unknown ? 0 : never];
