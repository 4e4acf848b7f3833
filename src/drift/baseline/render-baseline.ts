import { type AcceptedEntry, sortEntries } from "./accepted-entry.ts";

/** Renders the baseline: one entry a line, so that accepting one finding is a change of one line. */
export function renderBaseline(entries: readonly AcceptedEntry[]): string {
  const lines = sortEntries(entries).map(renderEntry);
  const body = lines.length === 0 ? "" : `\n${lines.map((line) => `    ${line}`).join(",\n")}\n  `;
  return `{\n  "version": 1,\n  "accepted": [${body}]\n}\n`;
}

function renderEntry(entry: AcceptedEntry): string {
  const { fingerprint, code, coordinate, before, after, scope, reason, until } = entry;
  const facts = { fingerprint, code, coordinate, before, after, scope, reason };
  return JSON.stringify(until === null ? facts : { ...facts, until });
}
