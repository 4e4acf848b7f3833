/** How a change that is meant becomes the snapshot. */
export const MOVE = "`lockflow drift --update` moves the snapshot once the change is meant";

/** What to do about what is only new. */
export const LOOK = `Where no operation is hit, nothing has to be done; ${MOVE}, so that operations may use it.`;

/** What to do about a default that moved. */
export const DEFAULT = "Send the value that is meant instead of relying on the default.";
