/** A moment as findings tell it, in milliseconds since the epoch: `2026-11-01 03:00 UTC`. */
export function momentText(moment: number): string {
  return `${new Date(moment).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** Of many heads so many are listed. */
export const MOST_LISTED = 5;
