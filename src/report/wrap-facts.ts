import { stripVTControlCharacters } from "node:util";

/** What fits on a line of a log. */
const MOST_COLUMNS = 160;

/** Wraps facts to lines, two blanks apart, all but the first indented further; one too long is broken at blanks. */
export function wrapFacts(facts: readonly string[], indent: string): string[] {
  const deeper = `${indent}    `;
  const lines: string[] = [];
  let line = "";
  const put = (words: string, gap: string) => {
    const start = lines.length === 0 ? indent : deeper;
    const longer = line === "" ? words : line + gap + words;
    if (line === "" || widthOf(start + longer) <= MOST_COLUMNS) line = longer;
    else {
      lines.push(start + line);
      line = words;
    }
  };
  for (const fact of facts) {
    if (fact === "") continue;
    if (widthOf(deeper + fact) <= MOST_COLUMNS) put(fact, "  ");
    else for (const [index, word] of fact.split(" ").entries()) put(word, index === 0 ? "  " : " ");
  }
  return [...lines, (lines.length === 0 ? indent : deeper) + line];
}

function widthOf(words: string): number {
  return stripVTControlCharacters(words).length;
}
