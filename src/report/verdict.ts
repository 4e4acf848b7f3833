import { cleanText, listSome } from "../base/clean-text.ts";
import { compareCodeUnits, groupBy } from "../base/collections.ts";
import { surfaceId } from "../dialects/surface.ts";
import { countByImpact, countOperations, listDeployments, nameSome } from "./describe-finding.ts";
import {
  categoryOf,
  IMPACT_KINDS,
  type ImpactKind,
  SEVERITIES,
  type Severity,
  summarizeIdentity,
} from "./finding.ts";
import { ENDPOINT_STATUSES, type EndpointReport, hasAnswered } from "./outcome.ts";
import type { GroupReport, Report } from "./report.ts";

/** Renders the first line of a report for people: the result, wrong identities, findings and affected operations. */
export function verdictOf(report: Report): string {
  const { outcome, findings, operations } = report;
  const isNew = report.against?.compared.length === 0;
  const accepted = findings.filter((finding) => finding.accepted).length;
  const counts = SEVERITIES.flatMap((severity) => {
    const count = findings.filter((finding) => !finding.accepted && finding.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}`];
  });
  if (accepted > 0) counts.push(`${accepted} accepted`);
  const tally = counts.length === 0 ? "no findings" : counts.join(", ");
  const byImpact = countByImpact(operations, report);
  const hit = IMPACT_KINDS.flatMap((kind) => {
    const count = byImpact.get(kind);
    return count === undefined ? [] : [`${count} ${IMPACT_STATES[kind]}`];
  });
  const total = countOperations(report);
  const all = `${total} ${total === 1 ? "operation" : "operations"}`;
  const impact = operations.length === 0 ? "" : `; of ${all} ${hit.join(", ") || "none affected"}`;
  // A breaking finding is not clean, even if it affects none of these operations.
  const isClean = findings.every(({ accepted, severity }) => accepted || QUIET.has(severity));
  const others = summarizeIdentity(findings.filter((finding) => !finding.accepted)).join(", ");
  const identity = others === "" ? "" : `${cleanText(others)}; `;
  const uncompared = isNew ? "no snapshot is in both commits" : whyUncompared(report);
  const unknown = uncompared === null ? "" : `; no operations were compared: ${uncompared}`;
  const nothing = uncompared === null ? "Nothing to act on" : "Nothing known to act on";
  const passed = isNew ? "New" : isClean ? "Clean" : nothing;
  const end = outcome.exit === 0 ? passed : ENDS[outcome.exit];
  return `${end}: ${identity}${tally}${impact}${unknown}.`;
}

/** Explains why the effect of breaking or risky findings on operations is unknown; null if all are known. */
function whyUncompared({ findings, operations }: Report): string | null {
  const loud = findings.filter(
    (finding) => !finding.accepted && !QUIET.has(finding.severity) && OF_SCHEMAS.has(categoryOf(finding)),
  );
  const compared = new Set(operations.map(surfaceId));
  const places = loud.flatMap((finding) => [finding, ...(finding.elsewhere ?? [])]);
  const served = new Set(places.flatMap(({ where }) => (where === null ? [] : [surfaceId(where)])));
  const without = [...served].filter((id) => !compared.has(id)).sort(compareCodeUnits);
  if (without.length > 0) return `there are no operations of ${without.join(", ")}`;
  return loud.some(({ where }) => where === null)
    ? "the two schemas are not known to be of one protocol and style"
    : null;
}

const OF_SCHEMAS: ReadonlySet<string> = new Set(["drift", "fleet"]);

const QUIET: ReadonlySet<Severity> = new Set(["additive", "cosmetic"]);

const ENDS = { 1: "Not clean", 2: "Could not run", 3: "Inconclusive" } as const;

const IMPACT_STATES: Readonly<Record<ImpactKind, string>> = {
  broken: "broken",
  "at-risk": "at risk",
  "changes-type": "with a changed type",
  "changes-meaning": "with a changed meaning",
  deprecated: "with deprecated parts",
};

/** Names the commits that `check --against` compared; null for other runs. */
export function commitsLine({ against }: Report): string | null {
  if (against === undefined) return null;
  const [base, head, commit] = [against.base, against.head, against.commit].map((id) => id.slice(0, 12));
  return `Compared with ${base}, the merge base of ${cleanText(against.ref)} (${commit}) and HEAD (${head}).`;
}

/** The last line of a report for people. */
export function exitLine({ outcome }: Report): string {
  return `exit ${outcome.exit}: ${cleanText(outcome.reason)}`;
}

/** The endpoints of one protocol and style, `lockup/subgraph`, in a line: `23 same; 2 drifted: linea, zksync`. */
export type EndpointSummary = { readonly name: string; readonly text: string };

/** Summarizes the endpoints of every protocol and style by their status. */
export function summarizeEndpoints(report: Report): EndpointSummary[] {
  return [...groupBy(report.endpoints, surfaceId)].map(([name, endpoints]) => {
    const siblings = endpoints.map(({ deployment }) => deployment);
    const parts = ENDPOINT_STATUSES.flatMap((status) => {
      const names = endpoints
        .filter((endpoint) => endpoint.status === status && !endpoint.leftOut)
        .map(({ deployment }) => deployment);
      if (names.length === 0) return [];
      const isPlain = status === "same" || names.length === siblings.length;
      return [`${names.length} ${status}${isPlain ? "" : `: ${nameSome(names, siblings, report)}`}`];
    });
    const others = endpoints.filter((endpoint) => endpoint.leftOut).length;
    if (others > 0) parts.push(`${others} left out`);
    return { name, text: parts.join("; ") };
  });
}

/** Lists the schemas of each protocol and style that has several: their deployments, and how they differ from the reference. */
export function summarizeGroups(report: Report): EndpointSummary[] {
  return [...groupBy(report.groups, surfaceId)].flatMap(([name, all]) => {
    if (all.length < 2) return [];
    const siblings = all.flatMap(({ deployments }) => deployments);
    const reference = all.find(({ kind }) => kind === "reference");
    return all.map((group) => {
      const who =
        group === reference
          ? `${group.deployments.length} of ${siblings.length}`
          : listDeployments(group.deployments, siblings, report);
      return { name, text: cleanText(`${who}: ${describeGroup(group, reference)}`) };
    });
  });
}

function describeGroup(group: GroupReport, reference: GroupReport | undefined): string {
  // Its shape and its platform are those of the reference.
  if (group.kind === "docs") return KINDS.docs;
  const facts = [KINDS[group.kind], group.release ?? "no known release"];
  if (reference !== undefined) {
    const more = group.features.filter((feature) => !reference.features.includes(feature));
    const less = reference.features.filter((feature) => !group.features.includes(feature));
    if (more.length > 0) facts.push(`with ${listFeatures(more)}`);
    if (less.length > 0) facts.push(`without ${listFeatures(less)}`);
  }
  return `${facts.join(", ")} (schema ${group.id})`;
}

function listFeatures(names: readonly string[]): string {
  return names.length <= 2 ? names.join(" and ") : listSome(names, 2);
}

const KINDS: Readonly<Record<GroupReport["kind"], string>> = {
  reference: "the reference",
  entities: "other entities",
  platform: "the same entities",
  docs: "the reference with other descriptions",
};

/** Lists the endpoints that were requested and gave no schema, each with the reason. */
export function silentEndpoints(report: Report): EndpointReport[] {
  return report.endpoints.filter((endpoint) => endpoint.status !== "skipped" && !hasAnswered(endpoint));
}
