/**
 * One difference between two API schemas, not judged. `before` and `after` are what stood at the coordinate, null where
 * nothing did: a type expression, of an input with its default, or the kind of a type.
 */
export type Change = {
  readonly kind: ChangeKind;
  /** In the notation of the GraphQL specification: `Type.field(arg:)`, `Enum.VALUE`, `@directive(arg:)`. */
  readonly coordinate: string;
  readonly before: string | null;
  readonly after: string | null;
};

/** What can happen to a schema, one kind a place. Findings are named after it. */
export type ChangeKind =
  | `root-${"added" | "removed" | "renamed"}`
  | `type-${"added" | "removed" | "kind-changed"}`
  | "scalar-specification-changed"
  | `interface-${"added" | "removed"}`
  | `member-${"added" | "removed"}`
  | `field-${"added" | "removed" | "type-changed" | "deprecation-changed"}`
  | `${InputNoun}-${"added" | "removed" | "type-changed" | "default-changed"}`
  | `input-one-of-${"added" | "removed"}`
  | `enum-value-${"added" | "removed" | "deprecation-changed"}`
  | `directive-${"added" | "removed" | "location-added" | "location-removed"}`
  | "description-changed"
  | CauseKind;

/** What an input belongs to. */
export type InputNoun = "argument" | "input-field" | "directive-argument";

/**
 * What several changes come from, which comparing alone does not find. Of `change-missing` a change should be there and
 * is not: `before` is what still stands, `after` what should.
 */
type CauseKind =
  | "field-renamed"
  | "type-renamed"
  | `platform-feature-${"added" | "removed" | "changed"}`
  | "platform-release-changed"
  | "change-missing";
