/**
 * One difference between two API schemas, neutral: what it means to whom is judged elsewhere. `before` and
 * `after` are what stood at the coordinate, null where nothing did: a type expression with its default for
 * inputs, a type expression for fields, the kind for types.
 */
export type Change = {
  readonly kind: ChangeKind;
  /** In the notation of the GraphQL specification: `Type.field(arg:)`, `Enum.VALUE`, `@directive(arg:)`. */
  readonly coordinate: string;
  readonly before: string | null;
  readonly after: string | null;
};

/**
 * What can happen to a schema, one kind a place; named as findings are. The last seven are not told by comparing: they
 * say what several changes come from, and `change-missing` that a change should be there and is not (`before` is what
 * still stands, `after` what should).
 */
export type ChangeKind =
  | "root-added"
  | "root-removed"
  | "root-renamed"
  | "type-added"
  | "type-removed"
  | "type-kind-changed"
  | "scalar-specification-changed"
  | "interface-added"
  | "interface-removed"
  | "member-added"
  | "member-removed"
  | "field-added"
  | "field-removed"
  | "field-type-changed"
  | "field-deprecation-changed"
  | "argument-added"
  | "argument-removed"
  | "argument-type-changed"
  | "argument-default-changed"
  | "input-one-of-added"
  | "input-one-of-removed"
  | "input-field-added"
  | "input-field-removed"
  | "input-field-type-changed"
  | "input-field-default-changed"
  | "enum-value-added"
  | "enum-value-removed"
  | "enum-value-deprecation-changed"
  | "directive-added"
  | "directive-removed"
  | "directive-location-added"
  | "directive-location-removed"
  | "directive-argument-added"
  | "directive-argument-removed"
  | "directive-argument-type-changed"
  | "directive-argument-default-changed"
  | "description-changed"
  | "field-renamed"
  | "type-renamed"
  | "platform-feature-added"
  | "platform-feature-removed"
  | "platform-feature-changed"
  | "platform-release-changed"
  | "change-missing";
