import { hideSecrets } from "./hide-secrets.ts";
import { withoutCommands } from "./without-commands.ts";

/**
 * A stranger's text as messages may show it, on one line of bearable length: no secret, no command to whoever reads the
 * log, nothing that moves or colours a terminal, turns its writing direction or is not seen.
 */
export function displayText(text: string, secrets: readonly string[]): string {
  const line = withoutCommands(hideSecrets(text, secrets).replaceAll(UNSEEN, " ").toWellFormed()).trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST).toWellFormed()}…` : line;
}

const LONGEST = 400;

/** Control and format characters, and the ends of lines that are neither. */
const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;
