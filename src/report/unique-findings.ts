import type { Finding } from "./finding.ts";

/** Findings without those that say the same of the same place again: what has two causes or two owners is said once. */
export function uniqueFindings(findings: readonly Finding[]): Finding[] {
  const unique = new Map<string, Finding>();
  for (const finding of findings) {
    const { subject, code, place, message } = finding;
    const key = JSON.stringify([subject, code, place, message]);
    if (!unique.has(key)) unique.set(key, finding);
  }
  return [...unique.values()];
}
