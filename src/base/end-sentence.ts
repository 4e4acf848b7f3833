/** A text as a sentence that another may follow: a server's words, or a name, seldom end with a full stop. */
export function endSentence(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed === "" || /[.!?…][)\]"'`’”»]*$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
