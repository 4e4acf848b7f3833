import { compareCodeUnits, groupBy } from "../base/collections.ts";
import { hash } from "../base/hash.ts";
import { surfaceId } from "../dialects/surface.ts";
import { categoryOf, type Finding, isAboutFile, placedOperations, SEVERITIES } from "../report/finding.ts";
import type { AcceptedFinding, SamePlace } from "../report/outcome.ts";

/** Merges findings of the same facts into one; findings about files stay, each with its own place. */
export function mergeFindings(findings: readonly Finding[]): Finding[] {
  const merged = new Map<string, Finding>();
  const ownPlace: Finding[] = [];
  for (const finding of findings) {
    if (isAboutFile(finding)) {
      ownPlace.push(finding);
      continue;
    }
    const key = fingerprint(finding);
    const known = merged.get(key);
    merged.set(key, known === undefined ? finding : mergeTwo(known, finding));
  }
  return [...merged.values(), ...ownPlace];
}

function mergeTwo(a: Finding, b: Finding): Finding {
  const operations = new Map([...a.operations, ...b.operations].map((one) => [JSON.stringify(one), one]));
  const names = new Set([...(a.where?.deployments ?? []), ...(b.where?.deployments ?? [])]);
  return {
    ...a,
    ...mergeDerived(a, b),
    where: a.where && { ...a.where, deployments: [...names].sort(compareCodeUnits) },
    operations: [...operations.values()],
    ...(a.layer === "identity" || a.layer === "health"
      ? { message: joinTexts(a, b, "message", " "), fix: joinTexts(a, b, "fix", "\n") }
      : { fix: a.operations.length > 0 ? a.fix : b.fix }),
  };
}

/** How severe two findings of one event are together, and what is derived of either. */
export function mergeDerived(
  a: Finding,
  b: Finding,
): Pick<Finding, "severity" | "derived" | "derivedCoordinates" | "worstDerived"> {
  const severity = SEVERITIES.find((level) => a.severity === level || b.severity === level) ?? a.severity;
  const derivedCoordinates = union(a.derivedCoordinates, b.derivedCoordinates);
  const decisive = [a, b].flatMap((one) => (one.severity === severity ? (one.worstDerived ?? []) : []));
  const worstDerived = [...new Map(decisive.map((one) => [JSON.stringify(one), one])).values()].sort(
    (one, other) => compareCodeUnits(one.coordinate, other.coordinate),
  );
  return {
    severity,
    // Each counts all that it names; what is the same in both is counted once.
    derived: Math.max(a.derived, b.derived, derivedCoordinates.length),
    ...(derivedCoordinates.length > 0 ? { derivedCoordinates } : {}),
    ...(worstDerived.length > 0 ? { worstDerived } : {}),
  };
}

function union(a: readonly string[] = [], b: readonly string[] = []): readonly string[] {
  // Most variants of a fleet derive the same.
  if (a.length === b.length && a.every((name, index) => name === b[index])) return a;
  return [...new Set([...a, ...b])].sort(compareCodeUnits);
}

/** Findings about deployments name each; findings about what they serve all say the same. */
function joinTexts(a: Finding, b: Finding, key: "message" | "fix", between: string): string {
  const [one, other] = [a[key] ?? "", b[key] ?? ""];
  return one.includes(other) ? one : `${one}${between}${other}`;
}

/** Twelve hex digits of a finding's facts, which outlive new messages, edits and more deployments. */
export function fingerprint(finding: Finding): string {
  return digest(factsOf(finding));
}

/** The fingerprints of findings of one run. Findings about a file that differ in their place only are numbered. */
export function fingerprintAll(findings: readonly Finding[]): string[] {
  const numbers = new Map<Finding, number>();
  for (const same of groupBy(findings.filter(isAboutFile), factsOf).values()) {
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
    ...(isAboutFile(finding) ? [place?.file ?? "", message] : []),
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
  const elsewhere = others.flatMap(({ fingerprint, where, before, after, place }): SamePlace[] =>
    where === null ? [] : [{ fingerprint, where, before, after, place }],
  );
  const hit = all.filter(({ operations }) => operations.length > 0);
  const fixes = new Set((hit.length > 0 ? hit : [first]).flatMap(({ fix }) => fix?.split("\n") ?? []));
  let whole = first;
  for (const other of others) whole = Object.assign({}, whole, mergeDerived(whole, other));
  return {
    ...whole,
    operations: all.flatMap(placedOperations),
    fix: fixes.size > 0 ? [...fixes].join("\n") : null,
    elsewhere,
  };
}

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

/**
 * Joins findings that are one change of an entity schema in both styles of a protocol, unless just one of them is
 * accepted. Each style says it in its own words: a `BigInt` of one is a `numeric` of the other.
 *
 * @param isAuthored whether a type is called so in the entity schema: its authors are to read their own words first.
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
    // What belongs to a type is called alike in all styles.
    const texts = [before, after, coordinate?.includes(".") ? null : coordinate];
    return texts.filter((text) => text !== null && !isAuthored(/\w+/.exec(text)?.[0] ?? "")).length;
  };
  return joinEvents(findings, {
    eventOf: (finding) => (unclear.has(styleEvent(finding)) ? finding.fingerprint : styleEvent(finding)),
    placeOf: styleOf,
    compare: (a, b) => foreignWords(a) - foreignWords(b) || compareCodeUnits(styleOf(a), styleOf(b)),
  });
}

function styleOf({ where }: AcceptedFinding): string {
  return where?.style ?? "";
}

function styleEvent(finding: AcceptedFinding): string {
  const { code, layer, where, coordinate, message, accepted, acceptance, fingerprint } = finding;
  if (where === null) return fingerprint;
  // What is wrong with the file itself is said alike.
  if (isAboutFile(finding)) return JSON.stringify([code, where.protocol, message]);
  if (coordinate === null || !AUTHORED.has(layer)) return fingerprint;
  // One platform folds the case of enums.
  const name = coordinate.replace(/^\w+/, (type) => type.toLowerCase());
  return JSON.stringify([code, layer, where.protocol, name, accepted, acceptance]);
}

/** What an indexer's authors wrote, which all platforms derive from. */
const AUTHORED: ReadonlySet<AcceptedFinding["layer"]> = new Set(["entity", "docs"]);
