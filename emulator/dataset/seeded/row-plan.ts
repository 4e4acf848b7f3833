import type { RollUp } from "./read-entity-notes.ts";

/** What the rows of a protocol are made by: the entities of both styles in one, so that the styles agree. */
export type RowPlan = {
  /** In code-unit order of their names. */
  readonly entities: ReadonlyMap<string, PlannedEntity>;
};

/** An entity, or a roll-up, as its rows are made. */
export type PlannedEntity = {
  readonly name: string;
  /** Its place among all. */
  readonly ordinal: number;
  /** Whether it has one row for each chain, with the chain's id. */
  readonly isIdentity: boolean;
  readonly isImmutable: boolean;
  readonly rollUp: RollUp | null;
  readonly id: IdPlan;
  /** All stored fields but the id. A reference that a style stores as `auction_id` is `auction`. */
  readonly fields: ReadonlyMap<string, PlannedField>;
};

/** What ids are made of. */
export type IdPlan = {
  readonly family: "bytes" | "int" | "integer" | "text";
  /** The parts of a declared template: fields, and text between them; null for ids of the usual form. */
  readonly template: readonly IdPart[] | null;
  /** Whether ids have to be in the order in which rows are made, as text too. */
  readonly isOrdered: boolean;
  /** Whether the id is the chain's. */
  readonly isChain: boolean;
  /** The entity whose rows have the same ids; null for ids of its own. */
  readonly twin: string | null;
};

/** A field's value, or text as it is. */
export type IdPart = { readonly field: string } | { readonly text: string };

/** A stored field. */
export type PlannedField = {
  readonly name: string;
  readonly isList: boolean;
  /** Whether some rows have null. */
  readonly isNullable: boolean;
  /** Whether a later block may change its value. */
  readonly mayChange: boolean;
  readonly source: ValueSource;
};

/** Where the values of a field come from. */
export type ValueSource =
  /** The id of the chain. */
  | { readonly kind: "chain" }
  /** A different one for each row of a chain, ascending. */
  | { readonly kind: "serial"; readonly family: ScalarFamily }
  /** When the row was made. */
  | { readonly kind: "created" }
  | {
      readonly kind: "reference";
      /** The entities whose rows it may lead to: several where it leads to an interface. */
      readonly targets: readonly string[];
      readonly pairing: Pairing;
    }
  | { readonly kind: "enum"; readonly members: readonly string[] }
  | (ScalarSource & { readonly kind: "scalar" });

/** What a scalar is drawn from. */
export type ScalarSource = {
  readonly family: ScalarFamily;
  /** The most digits before the point, and after it. */
  readonly digits: number;
  readonly decimals: number;
  /** Whether the field, where it holds bytes, holds accounts, of which there are few, or hashes. */
  readonly hasAccounts: boolean;
};

/**
 * `one-to-one` where a row may be referred to by one row only, because a derived field holds one; `covering` where every row has
 * to be referred to.
 */
export type Pairing = "any" | "covering" | "one-to-one";

/** What a value is, whatever scalar each style stores it as. */
export type ScalarFamily =
  | "boolean"
  | "bytes"
  | "decimal"
  | "int"
  | "int8"
  | "integer"
  | "json"
  | "text"
  | "time";
