/** The short texts of a list, which is written as one text with semicolons. */
export function splitList(text: string): readonly string[] {
  return text.split(/;\s+/);
}
