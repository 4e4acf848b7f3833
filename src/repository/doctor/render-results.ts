import type { Status } from "./check-result.ts";
import type { NamedResult } from "./run-checks.ts";

const WIDTH = 80;

/** In the order of the report: what is wrong is read first. */
const STATUSES: readonly Status[] = ["problem", "warning", "skipped", "ok"];

/** Renders diagnoses for people: what is wrong, what is not, and at the end what to type. */
export function renderResults(diagnoses: readonly NamedResult[]): string {
  const rows = STATUSES.flatMap((status) => diagnoses.filter((one) => one.status === status));
  const longest = Math.max(...rows.map(({ check }) => check.length));
  const lines = rows.flatMap(({ status, check, sentence }) => {
    const head = `${status.padEnd(7)}  ${check.padEnd(longest)}  `;
    return hang(head, wrap(sentence, WIDTH - head.length));
  });
  return `${[...lines, ...renderFixes(rows), "", summarize(diagnoses)].join("\n")}\n`;
}

function renderFixes(rows: readonly NamedResult[]): string[] {
  const fixes = [...new Set(rows.flatMap(({ fix }) => (fix === null ? [] : [fix])))];
  if (fixes.length === 0) return [];
  const lines = fixes.flatMap((fix, index) => {
    const head = `${String(index + 1).padStart(3)}. `;
    return hang(head, wrap(fix, WIDTH - head.length));
  });
  return ["", "What to do", ...lines];
}

function summarize(diagnoses: readonly NamedResult[]): string {
  const [problems, warnings] = (["problem", "warning"] as const).map((status) => {
    const found = diagnoses.filter((one) => one.status === status).length;
    return found === 0 ? "" : `${found} ${status}${found === 1 ? "" : "s"}`;
  });
  const found = [problems, warnings].filter(Boolean).join(", ");
  return found === "" ? "Nothing is wrong." : `${found}.`;
}

/** Lines after the first start below the first one's text. */
function hang(head: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => (index === 0 ? head : " ".repeat(head.length)) + line);
}

/** Breaks between words only: a path that is longer than a line stays whole, to be copied. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
