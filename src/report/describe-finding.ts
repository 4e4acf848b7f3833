import { cleanText, listSome } from "../base/clean-text.ts";
import { compareCodeUnits } from "../base/collections.ts";
import { isOf, surfaceId } from "../dialects/surface.ts";
import {
  categoryOf,
  type DerivedChange,
  type Finding,
  IMPACT_KINDS,
  type ImpactKind,
  isAboutFile,
  type Where,
} from "./finding.ts";
import type { AcceptedFinding } from "./outcome.ts";
import type { Place, Report } from "./types.ts";

/** What a finding is about, in a few characters: a coordinate or what stands for it, a place, or a name. */
export function titleOf({ coordinate, layer, place, subject }: Finding): string {
  // Of the platform it is a feature or a root, whose subject is what people call it.
  if (layer === "platform" && coordinate !== null) return cleanText(subject);
  return cleanText(coordinate ?? (place ? placeText(place) : subject));
}

/** `file:line:column`, as far as it is known. */
export function placeText({ file, line, column }: Place): string {
  return [file, line, column].filter((part) => part !== null).join(":");
}

/** What stood there and what stands there now, and how much more changed with it; else the message. */
export function changeOf(finding: Placed): string {
  const { coordinate, before, after, derived, message, elsewhere = [] } = finding;
  if (coordinate === null || (before === null && after === null)) return cleanText(message);
  const more = derived === 0 ? "" : `, and ${derived} derived`;
  // Neither style is the one that was there before.
  if (categoryOf(finding) === "parity") {
    const [multichain, subgraph] = excerptPair(before, after);
    return `multichain: ${multichain || "–"}, subgraph: ${subgraph || "–"}${more}`;
  }
  const others = elsewhere
    .filter((one) => one.before !== before || one.after !== after)
    .map((one) => `${one.where.style}: ${stepOf({ coordinate, before: one.before, after: one.after })}`);
  const inOtherWords = others.length === 0 ? "" : ` (${others.join("; ")})`;
  return `${stepOf({ coordinate, before, after })}${inOtherWords}${more}`;
}

/** What stood somewhere and what stands there now: `Int → Float`, `new: Int`, `Int → gone`. */
export function stepOf({ before, after }: DerivedChange): string {
  const [from, to] = excerptPair(before, after);
  return before === null ? `new: ${to}` : after === null ? `${from} → gone` : `${from} → ${to}`;
}

type Placed = Finding & Pick<AcceptedFinding, "elsewhere">;

/** What it does to operations: `breaks 3 operations, changes the type of 1`; empty when nothing. */
export function impactOf(finding: Placed): string {
  const ranks = operationsByPlace(finding).flatMap(({ operations }) => {
    const worst = new Map<string, number>();
    // Of one protocol and style there is one operation of a name; its fragments are in other files.
    for (const { name, impact } of operations) {
      worst.set(name, Math.min(worst.get(name) ?? IMPACT_KINDS.length, IMPACT_KINDS.indexOf(impact)));
    }
    return [...worst.values()];
  });
  return IMPACT_KINDS.flatMap((kind, rank) => {
    const count = ranks.filter((other) => other === rank).length;
    return count === 0 ? [] : [`${IMPACT_VERBS[kind]} ${count} ${count === 1 ? "operation" : "operations"}`];
  }).join(", ");
}

/** What it does to operations, by the protocol and style that they are of. */
export function operationsByPlace({ where, operations, elsewhere = [] }: Placed) {
  const others = elsewhere.map((place) => ({
    where: place.where,
    operations: operations.filter(({ protocol, style }) => {
      return protocol === place.where.protocol && style === place.where.style;
    }),
  }));
  const elsewhereHit = new Set(others.flatMap((place) => place.operations));
  return [{ where, operations: operations.filter((one) => !elsewhereHit.has(one)) }, ...others];
}

export const IMPACT_VERBS: Readonly<Record<ImpactKind, string>> = {
  broken: "breaks",
  "at-risk": "puts at risk",
  "changes-type": "changes the type of",
  "changes-meaning": "changes the meaning of",
  deprecated: "deprecates what is used by",
};

/** What serves it: `lockup/subgraph: linea, zksync`, all of them as a number; empty for files. */
export function whereOf({ where, elsewhere = [] }: Placed, report: Report): string {
  if (where === null) return "";
  return [where, ...elsewhere.map((place) => place.where)].map((one) => placeOf(one, report)).join("; ");
}

function placeOf(where: Where, report: Report): string {
  const group = surfaceId(where);
  if (where.deployments.length === 0) return group;
  const asked = report.endpoints.filter(isOf(where)).map(({ deployment }) => deployment);
  // Who was not asked is known by what it served before.
  const siblings =
    asked.length > 0 ? asked : report.groups.filter(isOf(where)).flatMap(({ deployments }) => deployments);
  // The only one there is goes without saying.
  return siblings.length === 1 ? group : `${group}: ${listDeployments(where.deployments, siblings, report)}`;
}

/** Names some of many deployments in few words, with their number: all 26, three names, all but three. */
export function listDeployments(
  names: readonly string[],
  siblings: readonly string[],
  report: Report,
): string {
  const others = without(siblings, names);
  if (siblings.length > 1 && others.length === 0) return `all ${siblings.length}`;
  const shown = nameSome(names, siblings, report);
  if (names.length <= FEW) return shown;
  const all = siblings.length > names.length ? ` of ${siblings.length}` : "";
  return `${names.length}${all}${isFew(others) ? "," : ":"} ${shown}`;
}

/** Names deployments without their number, which stands beside: the three there are, all but three, or the first. */
export function nameSome(names: readonly string[], siblings: readonly string[], report: Report): string {
  const prefix = commonPrefix(siblings);
  const shortName = (name: string) => {
    const [chain, ...more] = report.endpoints.find(({ deployment }) => deployment === name)?.chains ?? [];
    return chain !== undefined && more.length === 0 ? chain : name.slice(prefix.length);
  };
  const others = without(siblings, names);
  if (names.length > FEW && isFew(others)) return `not ${others.map(shortName).join(", ")}`;
  return listSome(names.map(shortName), FEW);
}

function without(siblings: readonly string[], names: readonly string[]): string[] {
  const own = new Set(names);
  return siblings.filter((name) => !own.has(name));
}

function isFew(names: readonly string[]): boolean {
  return names.length > 0 && names.length <= FEW;
}

/** What the names of several deployments begin with: `protocol-lockup-`. */
function commonPrefix(names: readonly string[]): string {
  const [first = "", ...others] = names;
  if (others.length === 0) return "";
  let length = first.lastIndexOf("-") + 1;
  while (length > 0 && !others.every((name) => name.startsWith(first.slice(0, length)))) {
    length = first.lastIndexOf("-", length - 2) + 1;
  }
  return first.slice(0, length);
}

const FEW = 3;

/** Where a reader is sent: the worst hit operation, or the finding's own place. */
export function anchorOf({ operations, place }: Finding): Place | null {
  const ranked = IMPACT_KINDS.flatMap((kind) => operations.filter(({ impact }) => impact === kind));
  const [worst] = ranked;
  return worst ? { file: worst.file, line: worst.line, column: worst.column } : place;
}

/** Whether a finding can be lived with: what is wrong in this repository is corrected instead. */
export function isAcceptable(finding: Finding & { readonly accepted: boolean }): boolean {
  return !finding.accepted && !isAboutFile(finding);
}

/** Of a longer text so much is shown; JSON has all of it. */
const MOST_CHARACTERS = 60;

/** How much of what two texts have in common is shown before they part. */
const SHARED_BEFORE = 20;

/** What stood somewhere and what stands there now, each cut to a line around where they part: they never look alike. */
export function excerptPair(before: string | null, after: string | null): readonly [string, string] {
  const [from, to] = [before, after].map((text) => [...(text ?? "").replaceAll(/\s+/g, " ").trim()]);
  const [a, b] = [from ?? [], to ?? []];
  const start = before === null || after === null ? 0 : startOfExcerpt(a, b);
  return [excerpt(a, start), excerpt(b, start)];
}

/** Where to cut two texts of which one is too long: near where they part, at the beginning of a word if there is one. */
function startOfExcerpt(a: readonly string[], b: readonly string[]): number {
  if (Math.max(a.length, b.length) <= MOST_CHARACTERS) return 0;
  let parts = 0;
  while (parts < a.length && a[parts] === b[parts]) parts++;
  // What begins alike and parts early is shown from its beginning.
  if (parts < MOST_CHARACTERS - SHARED_BEFORE) return 0;
  const earliest = parts - SHARED_BEFORE;
  const blank = a.indexOf(" ", earliest);
  return blank >= 0 && blank < parts ? blank + 1 : earliest;
}

function excerpt(characters: readonly string[], start: number): string {
  const end = start + MOST_CHARACTERS - (start > 0 ? 1 : 0);
  const isCut = characters.length > end;
  const shown = characters.slice(start, isCut ? end - 1 : end).join("");
  return `${start > 0 ? "…" : ""}${cleanText(shown)}${isCut ? "…" : ""}`;
}

/** Renders findings as text, one a paragraph, in order of place. */
export function renderFindings(findings: readonly Finding[]): string {
  return [...findings].sort(byPlace).map(renderFinding).join("\n");
}

function renderFinding(finding: Finding): string {
  const { severity, place, subject, message, before, after, fix, code } = finding;
  const lines = [`${severity} ${place ? placeText(place) : subject}  ${message}  [${code}]`];
  if (before !== null && after !== null) lines.push(`  is:        ${after}`, `  should be: ${before}`);
  if (fix !== null) lines.push(`  ${fix}`);
  return lines.join("\n");
}

function byPlace(a: Finding, b: Finding): number {
  return (
    compareCodeUnits(a.place?.file ?? a.subject, b.place?.file ?? b.subject) ||
    (a.place?.line ?? 0) - (b.place?.line ?? 0) ||
    (a.place?.column ?? 0) - (b.place?.column ?? 0) ||
    compareCodeUnits(a.code, b.code)
  );
}
