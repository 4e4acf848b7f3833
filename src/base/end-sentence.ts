/**
 * A text as a sentence that another may follow. A server's words, or a name, seldom end with the full stop that ours
 * have.
 */
export function endSentence(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed === "" || /[.!?…][)\]"'`’”»]*$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
