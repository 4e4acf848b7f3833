/** A moment as findings tell it, in milliseconds since the epoch: `2026-11-01 03:00 UTC`. */
export function momentText(moment: number): string {
  return `${new Date(moment).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** The first of many facts, and how many there are besides. */
export function listSome(facts: readonly string[]): string {
  const shown = facts.slice(0, MOST_SHOWN).join(", ");
  return facts.length > MOST_SHOWN ? `${shown} and ${facts.length - MOST_SHOWN} more` : shown;
}

const MOST_SHOWN = 5;
