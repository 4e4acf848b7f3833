/** Where something is written, as much of it as is known. */
export type Place = {
  /** A path from the project's root. */
  readonly file: string;
  /** From 1. */
  readonly line: number | null;
  /** From 1. */
  readonly column: number | null;
};
