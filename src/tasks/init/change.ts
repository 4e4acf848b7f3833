/** A file that `init` lists for confirmation: it is written, gets lines, or is left alone. */
export type Change = {
  readonly kind: "write" | "add" | "leave";
  /** From the root of the repository. */
  readonly path: string;
  /** The whole text to write; null for what is left alone, and for snapshots, which are fetched when they are written. */
  readonly content: string | null;
  /** The purpose of a new file, the added lines, or the reasons why a file is left alone. */
  readonly rows: readonly string[];
};
