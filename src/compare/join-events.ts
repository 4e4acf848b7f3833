import { groupBy } from "../base/group-by.ts";
import type { AcceptedFinding, SamePlace } from "../report/outcome.ts";
import { mergeDerived } from "./merge-findings.ts";

/** What makes one event of several findings. */
export type EventRules = {
  /** Equal for findings of one event. */
  readonly eventOf: (finding: AcceptedFinding) => string;
  /** Where a finding was seen: an event is joined of one finding for each place. */
  readonly placeOf: (finding: AcceptedFinding) => string;
  /** Orders the places of an event: the finding of the first speaks for all. */
  readonly compare: (a: AcceptedFinding, b: AcceptedFinding) => number;
};

/** Joins findings that are one event in several places. */
export function joinEvents(
  findings: readonly AcceptedFinding[],
  { eventOf, placeOf, compare }: EventRules,
): AcceptedFinding[] {
  const joined = new Map<AcceptedFinding, readonly AcceptedFinding[]>();
  for (const event of groupBy(findings, eventOf).values()) {
    const places = groupBy(event, placeOf).values();
    const [first, ...others] = [...places].flatMap(([finding]) => finding ?? []).sort(compare);
    if (first === undefined || others.length === 0) continue;
    joined.set(first, [join(first, others)]);
    for (const other of others) joined.set(other, []);
  }
  return findings.flatMap((finding) => joined.get(finding) ?? finding);
}

function join(first: AcceptedFinding, others: readonly AcceptedFinding[]): AcceptedFinding {
  const all = [first, ...others];
  const elsewhere = others.flatMap(({ fingerprint, where, before, after, place, operations }): SamePlace[] =>
    where === null ? [] : [{ fingerprint, where, before, after, place, operations }],
  );
  const hit = all.filter(({ operations }) => operations.length > 0);
  const fixes = new Set((hit.length > 0 ? hit : [first]).flatMap(({ fix }) => fix?.split("\n") ?? []));
  let whole = first;
  for (const other of others) whole = Object.assign({}, whole, mergeDerived(whole, other));
  return {
    ...whole,
    operations: all.flatMap(({ operations }) => operations),
    fix: fixes.size > 0 ? [...fixes].join("\n") : null,
    elsewhere,
  };
}
