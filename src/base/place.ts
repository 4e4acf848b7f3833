/** Where something is written: a file from the project's root, and as much of the rest as is known, both from 1. */
export type Place = {
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
};
