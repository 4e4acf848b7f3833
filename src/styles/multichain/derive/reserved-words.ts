/** Names that no entity, enum or enum member can have in generated JavaScript and ReScript code. */
export const RESERVED_WORDS: ReadonlySet<string> = new Set(
  [
    // JavaScript
    "abstract arguments await boolean break byte case catch char class const continue debugger default delete",
    "do double else enum eval export extends false final finally float for function goto if implements import",
    "in instanceof int interface let long native new null package private protected public return short static",
    "super switch synchronized this throw throws transient true try typeof var void volatile while with yield",
    // ReScript
    "and as assert constraint exception external include lazy module mutable of open rec type when",
  ].flatMap((line) => line.split(" ")),
);
