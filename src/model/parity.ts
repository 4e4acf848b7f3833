/**
 * How one thing stands in the two styles.
 * - `equal`: the same type expression.
 * - `mapped`: another scalar of the same family, or an enum that one style shows as an opaque scalar.
 * - `nullability`: the same but for a `!`.
 * - `conflict`: types that have nothing to do with each other.
 */
export type Verdict = "equal" | "mapped" | "nullability" | "conflict" | "only-multichain" | "only-subgraph";

/** One entity (`field` null) or one field, in both styles. */
export type ParityRow = {
  readonly entity: string;
  readonly field: string | null;
  /** Type expression; null where the style does not have it. For an entity, `"entity"`. */
  readonly multichain: string | null;
  readonly subgraph: string | null;
  readonly verdict: Verdict;
};

export type Parity = {
  /** In code-unit order of entity, then field; the entity's own row first. */
  readonly rows: readonly ParityRow[];
  readonly counts: Readonly<Record<Verdict, number>>;
};
