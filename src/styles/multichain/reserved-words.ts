/**
 * Words that can name neither an entity nor a member of an enum, because the platform generates JavaScript,
 * TypeScript and ReScript code of both. Case counts: `Void` is fine.
 */
export const RESERVED_WORDS: ReadonlySet<string> = new Set(
  [
    // JavaScript
    "abstract arguments await boolean break byte case catch char class const continue debugger default delete",
    "do double else enum eval export extends false final finally float for function goto if implements import",
    "in instanceof int interface let long native new null package private protected public return short static",
    "super switch synchronized this throw throws transient true try typeof var void volatile while with yield",
    // TypeScript
    "any as constructor declare from get module number of require set string symbol type",
    // ReScript
    "and assert constraint exception external include lazy mutable open rec when",
  ].flatMap((line) => line.split(" ")),
);
