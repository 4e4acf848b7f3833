/** How a change that is meant becomes the snapshot. */
export const MOVE = "`lockflow drift --update` moves the snapshot once the change is meant";

/** What to do about what is only new. */
export const LOOK = `Nothing has to be done unless an operation is hit; ${MOVE}, so that operations may use it.`;

/** What to do about a default that changed. */
export const DEFAULT = "Send the value that you mean instead of relying on the default.";

/** What the severities of a new possibility say. */
export const ONLY_NEW = {
  additive: "Only new requests become possible, and nobody makes them yet.",
} as const;

/** What the severities of another type of an argument or an input field say. */
export const INPUT_TYPES = {
  breaking: "A value that was sent, or left out, may be refused.",
  risky: "It may still be left out, and only a null is refused.",
  additive: "Every value that was accepted still is.",
} as const;
