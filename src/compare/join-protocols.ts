import { categoryOf } from "../base/category-of.ts";
import { compareCodeUnits } from "../base/compare-code-units.ts";
import { groupBy } from "../base/group-by.ts";
import type { AcceptedFinding, SamePlace } from "../report/outcome.ts";
import { mergeDerived } from "./merge-findings.ts";

/** Joins findings that differ in the protocol only, unless just some of them are accepted. */
export function joinProtocols(findings: readonly AcceptedFinding[]): AcceptedFinding[] {
  const joined = new Map<AcceptedFinding, readonly AcceptedFinding[]>();
  for (const event of groupBy(findings, eventOf).values()) {
    // Parts of one finding that were accepted by two entries are not two places.
    const ofProtocols = groupBy(event, ({ where }) => where?.protocol ?? "");
    const places = [...ofProtocols].sort(([a], [b]) => compareCodeUnits(a, b));
    const [first, ...others] = places.flatMap(([, [place]]) => place ?? []);
    if (first === undefined || others.length === 0) continue;
    joined.set(first, [join(first, others)]);
    for (const other of others) joined.set(other, []);
  }
  return findings.flatMap((finding) => joined.get(finding) ?? finding);
}

function eventOf(finding: AcceptedFinding): string {
  const { code, layer, where, coordinate, before, after, accepted, acceptance, fingerprint } = finding;
  // Without a coordinate, a finding is identified by what belongs to one protocol: a hash, a name.
  if (where === null || coordinate === null || categoryOf(finding) !== "drift") return fingerprint;
  const { style } = where;
  return JSON.stringify([code, layer, style, coordinate, before, after, accepted, acceptance]);
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
