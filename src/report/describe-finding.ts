import { cleanText, listSome } from "../base/clean-text.ts";
import { compareCodeUnits, groupBy } from "../base/collections.ts";
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
import type { OperationImpact, Place, Report } from "./types.ts";

/** Returns a short title of a finding: a coordinate, a place, or a name. */
export function titleOf({ coordinate, layer, place, subject }: Finding): string {
  // A change of the platform is a feature or a root; its subject is its common name.
  if (layer === "platform" && coordinate !== null) return cleanText(subject);
  return cleanText(coordinate ?? (place ? placeText(place) : subject));
}

/** `file:line:column`, as far as it is known. */
export function placeText({ file, line, column }: Place): string {
  return [file, line, column].filter((part) => part !== null).join(":");
}

/** Describes the values before and after, with the number of derived changes; the message if there are no values. */
export function changeOf(finding: Placed): string {
  const { coordinate, before, after, derived, message, elsewhere = [] } = finding;
  if (coordinate === null || (before === null && after === null)) return cleanText(message);
  if (categoryOf(finding) === "parity") return describeParity(finding);
  const more = derived === 0 ? "" : `, and ${derived} derived`;
  if (finding.isOnlyPossible) return `possibly renamed to ${excerptPair(before, after).after}${more}`;
  const others = elsewhere
    .filter((place) => place.before !== before || place.after !== after)
    .map((place) => `${place.where.style}: ${stepOf({ ...place, coordinate })}`);
  const inOtherWords = others.length === 0 ? "" : ` (${others.join("; ")})`;
  return `${stepOf({ coordinate, before, after })}${inOtherWords}${more}`;
}

/** Describes how the styles differ: `before` is multichain, `after` subgraph, and `derived` counts an entity's fields. */
function describeParity({ before, after, derived }: Finding): string {
  const fields = derived === 0 ? "" : ` with ${derived} ${derived === 1 ? "field" : "fields"}`;
  const shown = excerptPair(before, after);
  if (before === null) return `only in subgraph style: ${article(shown.after)}${fields}`;
  if (after === null) return `only in multichain style: ${article(shown.before)}${fields}`;
  return `multichain: ${shown.before || "–"}, subgraph: ${shown.after || "–"}`;
}

function article(text: string): string {
  return /^(entity|enum|interface)$/.test(text) ? `an ${text}` : text;
}

/** Renders the values before and after: `Int → Float`, `new: Int`, `Int → gone`. */
export function stepOf({ before, after }: DerivedChange): string {
  const shown = excerptPair(before, after);
  if (before === null) return `new: ${shown.after}`;
  return `${shown.before} → ${after === null ? "gone" : shown.after}`;
}

type Placed = Finding & Pick<AcceptedFinding, "elsewhere">;

/** Describes the effect on operations: `breaks 3 operations, changes the type of 1`; empty if none is affected. */
export function impactOf({ operations }: Finding, report: Pick<Report, "operations">): string {
  const counts = countByImpact(operations, report);
  return IMPACT_KINDS.flatMap((kind) => {
    const count = counts.get(kind);
    return count === undefined
      ? []
      : [`${IMPACT_VERBS[kind]} ${count} ${count === 1 ? "operation" : "operations"}`];
  }).join(", ");
}

/** Counts operations by the worst effect on each. A portable operation has a document in each style, and counts once. */
export function countByImpact<Impact extends ImpactKind | "unaffected">(
  documents: readonly (Pick<OperationImpact, "name" | "protocol" | "style"> & { readonly impact: Impact })[],
  report: Pick<Report, "operations">,
): ReadonlyMap<Impact, number> {
  if (documents.length === 0) return new Map();
  const portable = new Set(
    report.operations.flatMap((operation) => (operation.portable ? [nameOf(operation)] : [])),
  );
  const worst = new Map<string, Impact>();
  for (const document of documents) {
    const key = portable.has(nameOf(document)) ? nameOf(document) : `${nameOf(document)} ${document.style}`;
    const impact = worst.get(key);
    if (impact === undefined || rankOf(document.impact) < rankOf(impact)) worst.set(key, document.impact);
  }
  return new Map(
    [...groupBy([...worst.values()], (impact) => impact)].map(([impact, all]) => [impact, all.length]),
  );
}

/** Returns the number of compared operations. */
export function countOperations(report: Pick<Report, "operations">): number {
  return [...countByImpact(report.operations, report).values()].reduce((sum, count) => sum + count, 0);
}

function nameOf({ protocol, name }: Pick<OperationImpact, "name" | "protocol">): string {
  return `${protocol} ${name}`;
}

function rankOf(impact: ImpactKind | "unaffected"): number {
  return impact === "unaffected" ? IMPACT_KINDS.length : IMPACT_KINDS.indexOf(impact);
}

/** Groups the affected operations by protocol and style. */
export function operationsByPlace({ where, operations, elsewhere = [] }: Placed) {
  const others = elsewhere.map((place) => ({
    where: place.where,
    operations: operations.filter(({ protocol, style }) => {
      return protocol === place.where.protocol && style === place.where.style;
    }),
  }));
  const elsewhereHit = new Set(others.flatMap((place) => place.operations));
  return [{ where, operations: operations.filter((operation) => !elsewhereHit.has(operation)) }, ...others];
}

export const IMPACT_VERBS: Readonly<Record<ImpactKind, string>> = {
  broken: "breaks",
  "at-risk": "puts at risk",
  "changes-type": "changes the type of",
  "changes-meaning": "changes the meaning of",
  deprecated: "deprecates parts of",
};

/** Names the deployments of a finding: `lockup/subgraph: linea, zksync`, or a number if it is all; empty for files. */
export function whereOf({ where, elsewhere = [] }: Placed, report: Report): string {
  if (where === null) return "";
  return [where, ...elsewhere.map((place) => place.where)]
    .map((place) => describeSurface(place, report))
    .join("; ");
}

function describeSurface(where: Where, report: Report): string {
  const group = surfaceId(where);
  if (where.deployments.length === 0) return group;
  const asked = report.endpoints.filter(isOf(where)).map(({ deployment }) => deployment);
  // Deployments that were not requested are known by their last schema.
  const siblings =
    asked.length > 0 ? asked : report.groups.filter(isOf(where)).flatMap(({ deployments }) => deployments);
  // The only deployment of a surface is not named.
  return siblings.length === 1 ? group : `${group}: ${listDeployments(where.deployments, siblings, report)}`;
}

/** Names some of many deployments briefly, with their number: all 26, three names, all but three. */
export function listDeployments(
  names: readonly string[],
  siblings: readonly string[],
  report: Report,
): string {
  const others = siblings.filter((name) => !names.includes(name));
  if (siblings.length > 1 && others.length === 0) return `all ${siblings.length}`;
  const shown = nameSome(names, siblings, report);
  if (names.length <= FEW) return shown;
  const all = siblings.length > names.length ? ` of ${siblings.length}` : "";
  return `${names.length}${all}${isFew(others) ? "," : ":"} ${shown}`;
}

/** Names deployments without their number: up to three names, all but three, or the first. */
export function nameSome(names: readonly string[], siblings: readonly string[], report: Report): string {
  const prefix = commonPrefix(siblings);
  const shortName = (name: string) => {
    const [chain, ...more] = report.endpoints.find(({ deployment }) => deployment === name)?.chains ?? [];
    return chain !== undefined && more.length === 0 ? chain : name.slice(prefix.length);
  };
  const others = siblings.filter((name) => !names.includes(name));
  if (names.length > FEW && isFew(others)) return `not ${others.map(shortName).join(", ")}`;
  return listSome(names.map(shortName), FEW);
}

function isFew(names: readonly string[]): boolean {
  return names.length > 0 && names.length <= FEW;
}

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

/** Returns the place to link to: the worst affected operation, or the finding's own place. */
export function anchorOf({ operations, place }: Finding): Place | null {
  const ranked = IMPACT_KINDS.flatMap((kind) => operations.filter(({ impact }) => impact === kind));
  const [worst] = ranked;
  return worst ? { file: worst.file, line: worst.line, column: worst.column } : place;
}

/** Returns whether a finding can be accepted. Errors in this repository have to be corrected. */
export function isAcceptable(finding: Finding & { readonly accepted: boolean }): boolean {
  return !finding.accepted && !isAboutFile(finding);
}

/** Longer texts are cut; JSON has them in full. */
const MOST_CHARACTERS = 60;

/** The length of the common text that is shown before the first difference. */
const SHARED_BEFORE = 20;

/** Cuts the values before and after to a line around their first difference, so that they never look equal. */
export function excerptPair(before: string | null, after: string | null) {
  const [a, b] = [charactersOf(before), charactersOf(after)];
  const start = before === null || after === null ? 0 : startOfExcerpt(a, b);
  return { before: excerpt(a, start), after: excerpt(b, start) };
}

function charactersOf(text: string | null): string[] {
  return [...(text ?? "").replaceAll(/\s+/g, " ").trim()];
}

/** Returns where to cut two texts if one is too long: near their first difference, at the beginning of a word if possible. */
function startOfExcerpt(a: readonly string[], b: readonly string[]): number {
  if (Math.max(a.length, b.length) <= MOST_CHARACTERS) return 0;
  let parts = 0;
  while (parts < a.length && a[parts] === b[parts]) parts++;
  // Texts that differ early are shown from the beginning.
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

/** Renders findings as text, one per paragraph, in order of place. */
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
