/** An operation that lists rows of an entity, newest first, for either style to be written in. */
export type RowList = {
  readonly name: string;
  /** A line for people. */
  readonly comment: string;
  readonly entity: string;
  /** What the rows are called in the answer: the subgraph's root field, or the entity. */
  readonly rows: string;
  /** A field with an address by which rows are found; null for all rows. */
  readonly by: string | null;
  /** The field by which they are ordered. */
  readonly order: string;
  /** Whether the operation asks for pages by the rows before them; in the order of a cursor, the cursor would do that. */
  readonly isPaged: boolean;
  /** Fields without fields of their own, and references with some of theirs. */
  readonly fields: readonly (string | readonly [reference: string, ...fields: string[]])[];
};
