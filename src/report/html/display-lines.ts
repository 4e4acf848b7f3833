import { hideSecrets } from "../../base/redact.ts";

/** Longer lines are cut, and longer texts: none that people write have so many characters and lines. */
const LONGEST = 400;
const MOST_LINES = 5000;

/** Lines of a file as they may be shown: with their blanks, and without what cannot be seen or turns the writing. */
export function displayLines(text: string): string[] {
  return hideSecrets(text, [])
    .split(/\r\n|[\n\r]/, MOST_LINES)
    .map((line) => {
      const shown = line.replaceAll("\t", "  ").replaceAll(UNSEEN, "\ufffd").toWellFormed();
      return shown.length > LONGEST ? `${shown.slice(0, LONGEST).toWellFormed()}…` : shown;
    });
}

const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
