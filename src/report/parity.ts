import type { StyleName } from "../project/vocabulary.ts";
import type { Capability } from "../styles/style.ts";

/**
 * How one thing stands in the two styles.
 * - `equal`: the same type expression.
 * - `mapped`: another scalar of the same family, or an enum that one style shows as an opaque scalar.
 * - `nullability`: the same but for a `!`.
 * - `conflict`: types that have nothing to do with each other.
 */
export type Verdict = (typeof VERDICTS)[number];

/** Every verdict. */
export const VERDICTS = [
  "equal",
  "mapped",
  "nullability",
  "conflict",
  "only-multichain",
  "only-subgraph",
] as const;

/**
 * Why two styles differ where they are bound to, so that nobody has to look:
 * - `parity/relation-nullability`: one style shows every reference as nullable, whatever its column says.
 * - `parity/opaque-enum`: one style shows an enum as a scalar, its members cannot be compared.
 * - `parity/scalar`: another scalar of the same family.
 */
export type ParityRule = (typeof PARITY_RULES)[number];

/** Every rule. */
export const PARITY_RULES = ["parity/relation-nullability", "parity/opaque-enum", "parity/scalar"] as const;

/** One entity (`field` null) or one field, in both styles. */
export type ParityRow = {
  /** The entity's name. */
  readonly entity: string;
  /** The field's name; null for the entity itself. */
  readonly field: string | null;
  /** Type expression; null where the style does not have it. For an entity, `"entity"`. */
  readonly multichain: string | null;
  /** The same of the other style. */
  readonly subgraph: string | null;
  readonly verdict: Verdict;
  /** The rule by which a difference is expected; null where there is none, or none is expected. */
  readonly rule: ParityRule | null;
  /** The style whose API may answer null where the other's does not: code for both has to expect it. */
  readonly weaker: StyleName | null;
};

/** A field that seems to have another name in each style: the same type, among the same others. */
export type ParityRename = {
  /** The entity that has it. */
  readonly entity: string;
  /** Its name in one style. */
  readonly multichain: string;
  /** Its name in the other. */
  readonly subgraph: string;
};

/** An enum whose members one style does not show: that they agree is unknown, not true. */
export type OpaqueEnum = {
  /** Its name in one style. */
  readonly multichain: string;
  /** Its name in the other. */
  readonly subgraph: string;
  /** Where the members can be seen. */
  readonly shownBy: StyleName;
  /** Their names there. */
  readonly members: readonly string[];
};

/** One capability in both styles; portable operations may use what both have. */
export type CapabilityRow = {
  /** What can be asked. */
  readonly capability: Capability;
  /** How one style lets it be asked; null where it does not. */
  readonly multichain: string | null;
  /** The same of the other style. */
  readonly subgraph: string | null;
  /** Whether both do. */
  readonly portable: boolean;
};

/** How the two styles of one protocol agree. */
export type Parity = {
  /** In code-unit order of entity, then field; the entity's own row first. */
  readonly rows: readonly ParityRow[];
  readonly counts: Readonly<Record<Verdict, number>>;
  /** In the order of rows. */
  readonly renames: readonly ParityRename[];
  /** In code-unit order of name. */
  readonly opaqueEnums: readonly OpaqueEnum[];
  /** What can be asked of either style. */
  readonly capabilities: readonly CapabilityRow[];
};
