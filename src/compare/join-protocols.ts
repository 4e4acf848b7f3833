import { categoryOf } from "../base/category-of.ts";
import { compareCodeUnits } from "../base/compare-code-units.ts";
import type { AcceptedFinding } from "../report/outcome.ts";
import { joinEvents } from "./join-events.ts";

/** Joins findings that differ in the protocol only, unless just some of them are accepted. */
export function joinProtocols(findings: readonly AcceptedFinding[]): AcceptedFinding[] {
  // Parts of one finding that were accepted by two entries are not two places.
  return joinEvents(findings, {
    eventOf,
    placeOf: protocolOf,
    compare: (a, b) => compareCodeUnits(protocolOf(a), protocolOf(b)),
  });
}

function protocolOf({ where }: AcceptedFinding): string {
  return where?.protocol ?? "";
}

function eventOf(finding: AcceptedFinding): string {
  const { code, layer, where, coordinate, before, after, accepted, acceptance, fingerprint } = finding;
  // Without a coordinate, a finding is identified by what belongs to one protocol: a hash, a name.
  if (where === null || coordinate === null || categoryOf(finding) !== "drift") return fingerprint;
  const { style } = where;
  return JSON.stringify([code, layer, style, coordinate, before, after, accepted, acceptance]);
}
