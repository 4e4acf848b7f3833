/** What an operation is on a chain: broken, at risk, valid, or not served there at all. */
export type Cell = (typeof WORST_FIRST)[number];

export const WORST_FIRST = ["b", "r", "v", "n"] as const;
