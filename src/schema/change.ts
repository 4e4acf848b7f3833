/** A difference of two schemas, not judged: `before` and `after` stood at the coordinate, or null. */
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

/** What several changes come from; of `change-missing`, `before` still stands and `after` should. */
type CauseKind =
  | "field-renamed"
  | "type-renamed"
  | `platform-feature-${"added" | "removed" | "changed"}`
  | "platform-release-changed"
  | "change-missing";
