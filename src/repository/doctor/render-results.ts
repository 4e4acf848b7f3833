import type { Status } from "./check-result.ts";
import type { NamedResult } from "./run-checks.ts";

const WIDTH = 80;

/** In the order of the report: what is wrong is read first. */
const STATUSES: readonly Status[] = ["problem", "warning", "skipped", "ok"];

/** Renders diagnoses for people: what is wrong, what is not, and at the end what to type. */
export function renderResults(diagnoses: readonly NamedResult[]): string {
  const rows = STATUSES.flatMap((status) => diagnoses.filter((one) => one.status === status));
  const longest = Math.max(...rows.map(({ check }) => check.length));
  const lines = rows.flatMap(({ status, check, sentence }) =>
    hang(`${status.padEnd(7)}  ${check.padEnd(longest)}  `, sentence),
  );
  const fixes = new Set(rows.flatMap(({ fix }) => fix ?? []));
  if (fixes.size > 0) lines.push("", "What to do");
  for (const [index, fix] of [...fixes].entries())
    lines.push(...hang(`${String(index + 1).padStart(3)}. `, fix));
  return `${[...lines, "", summarize(diagnoses)].join("\n")}\n`;
}

function summarize(diagnoses: readonly NamedResult[]): string {
  const counts = (["problem", "warning"] as const).flatMap((status) => {
    const found = diagnoses.filter((one) => one.status === status).length;
    return found === 0 ? [] : [`${found} ${status}${found === 1 ? "" : "s"}`];
  });
  return counts.length === 0 ? "Nothing is wrong." : `${counts.join(", ")}.`;
}

/** Wraps a text behind a head, between words only: a path that is longer than a line stays whole, to be copied. */
function hang(head: string, text: string): string[] {
  let line = head;
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    if (line.length > head.length && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = " ".repeat(head.length);
    }
    line += line.length > head.length ? ` ${word}` : word;
  }
  return [...lines, line];
}
