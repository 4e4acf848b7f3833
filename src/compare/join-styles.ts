import { compareCodeUnits } from "../base/compare-code-units.ts";
import { groupBy } from "../base/group-by.ts";
import { isMended } from "../report/build-file-finding.ts";
import type { AcceptedFinding } from "../report/outcome.ts";
import { joinEvents } from "./join-events.ts";

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
  const ofStyles = groupBy(findings, (finding) => `${styleOf(finding)} ${eventOf(finding)}`).values();
  // Of two changes in one place nobody knows which of them is that of the other style.
  const unclear = new Set(
    [...ofStyles].flatMap(([first, second]) => (first && second ? [eventOf(first)] : [])),
  );
  const foreignWords = ({ coordinate, before, after }: AcceptedFinding) => {
    // What belongs to a type is called alike in all styles.
    const texts = [before, after, coordinate?.includes(".") ? null : coordinate];
    return texts.filter((text) => text !== null && !isAuthored(/\w+/.exec(text)?.[0] ?? "")).length;
  };
  return joinEvents(findings, {
    eventOf: (finding) => (unclear.has(eventOf(finding)) ? finding.fingerprint : eventOf(finding)),
    placeOf: styleOf,
    compare: (a, b) => foreignWords(a) - foreignWords(b) || compareCodeUnits(styleOf(a), styleOf(b)),
  });
}

function styleOf({ where }: AcceptedFinding): string {
  return where?.style ?? "";
}

function eventOf(finding: AcceptedFinding): string {
  const { code, layer, where, coordinate, message, accepted, acceptance, fingerprint } = finding;
  if (where === null) return fingerprint;
  // What is wrong with the file itself is said alike.
  if (isMended(finding)) return JSON.stringify([code, where.protocol, message]);
  if (coordinate === null || !AUTHORED.has(layer)) return fingerprint;
  // One platform folds the case of enums.
  const name = coordinate.replace(/^\w+/, (type) => type.toLowerCase());
  return JSON.stringify([code, layer, where.protocol, name, accepted, acceptance]);
}

/** What an indexer's authors wrote, which all platforms derive from. */
const AUTHORED: ReadonlySet<AcceptedFinding["layer"]> = new Set(["entity", "docs"]);
