import { readText, readTree } from "./read-tree.ts";

/** Where texts are read from: the disk, or what a watch keeps of it. Both functions are those of `read-tree.ts`. */
export type TextSource = {
  readonly readTree: (folder: string, extensions: readonly string[]) => Promise<string[]>;
  readonly readText: (path: string) => Promise<string | null>;
};

/** The disk as it is now. */
export const DISK: TextSource = { readTree, readText };
