import { displayText } from "../base/display-text.ts";

/** Of a longer text so much is shown; JSON has all of it. */
const MOST_CHARACTERS = 60;

/** How much of what two texts have in common is shown before they part. */
const SHARED_BEFORE = 20;

/** What stood somewhere and what stands there now, each cut to a line around where they part: they never look alike. */
export function excerptPair(before: string | null, after: string | null): readonly [string, string] {
  const [from, to] = [before, after].map((text) => [...(text ?? "").replaceAll(/\s+/g, " ").trim()]);
  const [a, b] = [from ?? [], to ?? []];
  const start = before === null || after === null ? 0 : startOfExcerpt(a, b);
  return [excerpt(a, start), excerpt(b, start)];
}

/** Where to cut two texts of which one is too long: near where they part, at the beginning of a word if there is one. */
function startOfExcerpt(a: readonly string[], b: readonly string[]): number {
  if (Math.max(a.length, b.length) <= MOST_CHARACTERS) return 0;
  let parts = 0;
  while (parts < a.length && a[parts] === b[parts]) parts++;
  // What begins alike and parts early is shown from its beginning.
  if (parts < MOST_CHARACTERS - SHARED_BEFORE) return 0;
  const earliest = parts - SHARED_BEFORE;
  const blank = a.indexOf(" ", earliest);
  return blank >= 0 && blank < parts ? blank + 1 : earliest;
}

function excerpt(characters: readonly string[], start: number): string {
  const end = start + MOST_CHARACTERS - (start > 0 ? 1 : 0);
  const isCut = characters.length > end;
  const shown = characters.slice(start, isCut ? end - 1 : end).join("");
  return `${start > 0 ? "…" : ""}${displayText(shown, [])}${isCut ? "…" : ""}`;
}
