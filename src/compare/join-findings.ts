import { compareCodeUnits, groupBy } from "../base/collections.ts";
import { hash } from "../base/hash.ts";
import { surfaceId } from "../dialects/surface.ts";
import { categoryOf, type Finding, isAboutFile, placedOperations, SEVERITIES } from "../report/finding.ts";
import type { AcceptedFinding, SamePlace } from "../report/outcome.ts";

/** Merges findings with the same facts. Findings about files stay separate, because each has its own place. */
export function mergeFindings(findings: readonly Finding[]): Finding[] {
  const merged = new Map<string, Finding>();
  const ownPlace: Finding[] = [];
  for (const finding of findings) {
    if (isAboutFile(finding)) {
      ownPlace.push(finding);
      continue;
    }
    const key = fingerprint(finding);
    const earlier = merged.get(key);
    merged.set(key, earlier === undefined ? finding : mergeTwo(earlier, finding));
  }
  return [...merged.values(), ...ownPlace];
}

function mergeTwo(a: Finding, b: Finding): Finding {
  const operations = new Map(
    [...a.operations, ...b.operations].map((impact) => [JSON.stringify(impact), impact]),
  );
  const names = new Set([...(a.where?.deployments ?? []), ...(b.where?.deployments ?? [])]);
  return {
    ...a,
    ...mergeDerived(a, b),
    where: a.where && { ...a.where, deployments: [...names].sort(compareCodeUnits) },
    operations: [...operations.values()],
    ...(a.layer === "identity" || a.layer === "health"
      ? { message: joinTexts(a.message, b.message, " "), fix: joinTexts(a.fix, b.fix, "\n") }
      : { fix: a.operations.length > 0 ? a.fix : b.fix }),
  };
}

/** Returns the joint severity and derived coordinates of two findings of one event. */
export function mergeDerived(
  a: Finding,
  b: Finding,
): Pick<Finding, "severity" | "derived" | "derivedCoordinates" | "worstDerived"> {
  const severity = SEVERITIES.find((level) => a.severity === level || b.severity === level) ?? a.severity;
  const derivedCoordinates = union(a.derivedCoordinates, b.derivedCoordinates);
  const decisive = [a, b].flatMap((finding) =>
    finding.severity === severity ? (finding.worstDerived ?? []) : [],
  );
  const worstDerived = [...new Map(decisive.map((change) => [JSON.stringify(change), change])).values()].sort(
    (change, other) => compareCodeUnits(change.coordinate, other.coordinate),
  );
  return {
    severity,
    // Each finding counts all its coordinates; shared ones are counted once.
    derived: Math.max(a.derived, b.derived, derivedCoordinates.length),
    ...(derivedCoordinates.length > 0 ? { derivedCoordinates } : {}),
    ...(worstDerived.length > 0 ? { worstDerived } : {}),
  };
}

function union(a: readonly string[] = [], b: readonly string[] = []): readonly string[] {
  // Most variants of a fleet have the same derived coordinates.
  if (a.length === b.length && a.every((name, index) => name === b[index])) return a;
  return [...new Set([...a, ...b])].sort(compareCodeUnits);
}

/** Joins two texts, unless the first already contains the second. */
function joinTexts(a: string | null, b: string | null, separator: string): string {
  const [text, more] = [a ?? "", b ?? ""];
  return text.includes(more) ? text : `${text}${separator}${more}`;
}

/** Returns twelve hex digits that identify a finding's facts. New messages, edits or deployments do not change them. */
export function fingerprint(finding: Finding): string {
  return digest(factsOf(finding));
}

/** Returns the fingerprints of one run's findings. Findings about a file that differ only in their place are numbered. */
export function fingerprintAll(findings: readonly Finding[]): string[] {
  const numbers = new Map<Finding, number>();
  for (const same of groupBy(findings.filter(isAboutFile), factsOf).values()) {
    // By place, so that numbers do not depend on the order of discovery.
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
    ...(isAboutFile(finding) ? [place?.file ?? "", message] : []),
  ];
  return facts.join("\n");
}

function byPlace({ place: a }: Finding, { place: b }: Finding): number {
  return (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0);
}

function digest(facts: string): string {
  return hash(facts).slice(0, 12);
}

/** How findings are joined into events. */
export type EventRules = {
  /** Returns the same key for findings of one event. */
  readonly eventKey: (finding: AcceptedFinding) => string;
  /** Returns the key of a finding's place. An event joins one finding per place. */
  readonly placeKey: (finding: AcceptedFinding) => string;
  /** Orders the findings of an event. The first one is reported. */
  readonly compare: (a: AcceptedFinding, b: AcceptedFinding) => number;
};

/** Joins findings that are one event in several places. */
export function joinEvents(
  findings: readonly AcceptedFinding[],
  { eventKey, placeKey, compare }: EventRules,
): AcceptedFinding[] {
  const joined = new Map<AcceptedFinding, readonly AcceptedFinding[]>();
  for (const event of groupBy(findings, eventKey).values()) {
    const places = groupBy(event, placeKey).values();
    const [first, ...others] = [...places].flatMap(([finding]) => finding ?? []).sort(compare);
    if (first === undefined || others.length === 0) continue;
    joined.set(first, [join(first, others)]);
    for (const other of others) joined.set(other, []);
  }
  return findings.flatMap((finding) => joined.get(finding) ?? finding);
}

function join(first: AcceptedFinding, others: readonly AcceptedFinding[]): AcceptedFinding {
  const all = [first, ...others];
  const elsewhere = others.flatMap(({ fingerprint, where, before, after, place }): SamePlace[] =>
    where === null ? [] : [{ fingerprint, where, before, after, place }],
  );
  const hit = all.filter(({ operations }) => operations.length > 0);
  const fixes = new Set((hit.length > 0 ? hit : all).flatMap(({ fix }) => fix?.split("\n") ?? []));
  let whole = first;
  for (const other of others) whole = Object.assign({}, whole, mergeDerived(whole, other));
  return {
    ...whole,
    operations: all.flatMap(placedOperations),
    fix: fixes.size > 0 ? [...fixes].join("\n") : null,
    elsewhere,
  };
}

/** Joins findings that differ only in the protocol, unless only some of them are accepted. */
export function joinProtocols(findings: readonly AcceptedFinding[]): AcceptedFinding[] {
  // Two parts of a finding, accepted by two entries, are in one place.
  return joinEvents(findings, {
    eventKey: protocolEvent,
    placeKey: protocolOf,
    compare: (a, b) => compareCodeUnits(protocolOf(a), protocolOf(b)),
  });
}

function protocolOf({ where }: AcceptedFinding): string {
  return where?.protocol ?? "";
}

function protocolEvent(finding: AcceptedFinding): string {
  const { code, layer, where, coordinate, before, after, accepted, acceptance, fingerprint } = finding;
  // Without a coordinate, the identity of a finding, such as a hash, belongs to one protocol.
  if (where === null || coordinate === null || categoryOf(finding) !== "drift") return fingerprint;
  const { style } = where;
  return JSON.stringify([code, layer, style, coordinate, before, after, accepted, acceptance]);
}

/**
 * Joins findings of one entity schema change in both styles of a protocol, unless only one of them is accepted. Type names
 * differ by style: `BigInt` in one is `numeric` in the other.
 *
 * @param isAuthored returns whether the entity schema has a type of this name. Findings with authored names go first.
 */
export function joinStyles(
  findings: readonly AcceptedFinding[],
  isAuthored: (type: string) => boolean,
): AcceptedFinding[] {
  const ofStyles = groupBy(findings, (finding) => `${styleOf(finding)} ${styleEvent(finding)}`).values();
  // With two changes in one place, it is unknown which one the other style has.
  const unclear = new Set(
    [...ofStyles].flatMap(([first, second]) => (first && second ? [styleEvent(first)] : [])),
  );
  const foreignWords = ({ coordinate, before, after }: AcceptedFinding) => {
    // Members have the same names in all styles.
    const texts = [before, after, coordinate?.includes(".") ? null : coordinate];
    return texts.filter((text) => text !== null && !isAuthored(/\w+/.exec(text)?.[0] ?? "")).length;
  };
  return joinEvents(findings, {
    eventKey: (finding) => (unclear.has(styleEvent(finding)) ? finding.fingerprint : styleEvent(finding)),
    placeKey: styleOf,
    compare: (a, b) => foreignWords(a) - foreignWords(b) || compareCodeUnits(styleOf(a), styleOf(b)),
  });
}

function styleOf({ where }: AcceptedFinding): string {
  return where?.style ?? "";
}

function styleEvent(finding: AcceptedFinding): string {
  const { code, layer, where, coordinate, message, accepted, acceptance, fingerprint } = finding;
  if (where === null) return fingerprint;
  // Findings about the file itself have the same message in both styles.
  if (isAboutFile(finding)) return JSON.stringify([code, where.protocol, message]);
  if (coordinate === null || !AUTHORED.has(layer)) return fingerprint;
  // One platform changes the case of enum names.
  const name = coordinate.replace(/^\w+/, (type) => type.toLowerCase());
  return JSON.stringify([code, layer, where.protocol, name, accepted, acceptance]);
}

/** The layers that an indexer's authors write; all platforms derive their APIs from them. */
const AUTHORED: ReadonlySet<AcceptedFinding["layer"]> = new Set(["entity", "docs"]);
