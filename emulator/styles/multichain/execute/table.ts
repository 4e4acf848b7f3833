import type { ColumnKind } from "./kinds.ts";

/** A table as queries see it. Its rows are those of a read view, which {@link Data} has. */
export type Table = {
  readonly name: string;
  /** Whether it is one of the model's; the platform's own tables have neither ids nor indexes. */
  readonly isEntity: boolean;
  readonly columns: ReadonlyMap<string, Column>;
  /** By the name of the relationship field. */
  readonly relations: ReadonlyMap<string, Relation>;
};

export type Column = {
  readonly name: string;
  /** The name the rows hold the value under. */
  readonly field: string;
  readonly kind: ColumnKind;
  /** Equal values are stored equal, so that an index finds them all. */
  readonly indexable: boolean;
};

export type Relation =
  /** `field` of the row holds the id of the one related row. */
  | { readonly kind: "object"; readonly name: string; readonly target: string; readonly field: string }
  /** Related rows hold the id of the row in their `field`. */
  | { readonly kind: "array"; readonly name: string; readonly target: string; readonly field: string };
