import { groupBy } from "../base/group-by.ts";
import { hash } from "../base/hash.ts";
import { surfaceId } from "../project/surface.ts";
import { isMended } from "../report/build-file-finding.ts";
import type { Finding } from "../report/finding.ts";

/** Twelve hex digits of a finding's facts, which outlive new messages, edits and more deployments. */
export function fingerprint(finding: Finding): string {
  return digest(factsOf(finding));
}

/** The fingerprints of findings of one run. Findings about a file that differ in their place only are numbered. */
export function fingerprintAll(findings: readonly Finding[]): string[] {
  const numbers = new Map<Finding, number>();
  for (const same of groupBy(findings.filter(isMended), factsOf).values()) {
    // By place, so that it does not depend on the order in which they were found.
    for (const [index, finding] of same.sort(byPlace).entries()) numbers.set(finding, index);
  }
  return findings.map((finding) => {
    const number = numbers.get(finding) ?? 0;
    return digest(number === 0 ? factsOf(finding) : `${factsOf(finding)}\n${number + 1}`);
  });
}

function factsOf(finding: Finding): string {
  const { code, layer, where, coordinate, subject, before, after, place, message } = finding;
  const facts = [
    code,
    layer,
    where === null ? "" : surfaceId(where),
    coordinate ?? (where === null ? subject : ""),
    before ?? "",
    after ?? "",
    ...(isMended(finding) ? [place?.file ?? "", message] : []),
  ];
  return facts.join("\n");
}

function byPlace({ place: a }: Finding, { place: b }: Finding): number {
  return (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0);
}

function digest(facts: string): string {
  return hash(facts).slice(0, FINGERPRINT_LENGTH);
}

const FINGERPRINT_LENGTH = 12;
