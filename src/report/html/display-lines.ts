import { hideSecrets } from "../../base/hide-secrets.ts";

/** Longer lines are cut: none that people write has so many characters. */
const LONGEST = 400;

/** Lines of a file as they may be shown: with their blanks, and without what cannot be seen or turns the writing. */
export function displayLines(text: string): string[] {
  return hideSecrets(text, [])
    .split(/\r\n|[\n\r]/)
    .map((line) => {
      const shown = line.replaceAll("\t", "  ").replaceAll(UNSEEN, "\ufffd").toWellFormed();
      return shown.length > LONGEST ? `${shown.slice(0, LONGEST).toWellFormed()}…` : shown;
    });
}

const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
