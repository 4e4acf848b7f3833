import { categoryOf } from "../base/category-of.ts";
import { compareCodeUnits } from "../base/compare-code-units.ts";
import type { Finding } from "../report/finding.ts";
import type { AcceptedFinding, SamePlace } from "../report/outcome.ts";
import { mergeDerived } from "./merge-findings.ts";

/**
 * Joins what is the same event in several protocols: one release of a platform changes the indexers of all of them.
 * Findings of drift whose facts differ in the protocol only become one, at the first protocol, with the other places
 * beside it; each keeps the fingerprint that it is accepted by. What is accepted in one of them only stays two.
 */
export function joinProtocols(findings: readonly AcceptedFinding[]): AcceptedFinding[] {
  const events = new Map<string, AcceptedFinding[]>();
  for (const finding of findings) {
    const event = eventOf(finding);
    const same = events.get(event) ?? [];
    // Parts of one finding that were accepted by two entries are no two places.
    if (!same.some(({ where }) => where?.protocol === finding.where?.protocol)) same.push(finding);
    events.set(event, same);
  }
  const joined = new Map<AcceptedFinding, AcceptedFinding | null>();
  for (const same of events.values()) {
    const [first, ...others] = same.sort((a, b) => compareCodeUnits(protocolOf(a), protocolOf(b)));
    if (first === undefined || others.length === 0) continue;
    joined.set(first, join(first, others));
    for (const other of others) joined.set(other, null);
  }
  return findings.flatMap((finding) => {
    const whole = joined.get(finding);
    return whole === undefined ? [finding] : whole === null ? [] : [whole];
  });
}

function eventOf(finding: AcceptedFinding): string {
  const { code, layer, where, coordinate, before, after, accepted, acceptance, fingerprint } = finding;
  // What has no coordinate is told by what is of one protocol: a hash, a name.
  if (where === null || coordinate === null || categoryOf(finding) !== "drift") return fingerprint;
  const { style } = where;
  return JSON.stringify([code, layer, style, coordinate, before, after, accepted, acceptance]);
}

function protocolOf({ where }: Finding): string {
  return where?.protocol ?? "";
}

function join(first: AcceptedFinding, others: readonly AcceptedFinding[]): AcceptedFinding {
  const all = [first, ...others];
  const elsewhere = others.flatMap(({ fingerprint, where, place, operations }): SamePlace[] =>
    where === null ? [] : [{ fingerprint, where, place, operations }],
  );
  const hit = all.find(({ operations }) => operations.length > 0) ?? first;
  let whole = first;
  for (const other of others) whole = Object.assign({}, whole, mergeDerived(whole, other));
  return { ...whole, operations: all.flatMap(({ operations }) => operations), fix: hit.fix, elsewhere };
}
