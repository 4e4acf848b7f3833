import { displayText } from "../base/display-text.ts";
import { groupBy } from "../base/group-by.ts";
import { listSome } from "../base/list-some.ts";
import { surfaceId } from "../project/surface.ts";
import { listDeployments, nameSome } from "./describe-finding.ts";
import { ENDPOINT_STATUSES, type EndpointReport, hasAnswered } from "./outcome.ts";
import type { GroupReport, Report } from "./report.ts";

/** The endpoints of one protocol and style, `lockup/subgraph`, in a line: `23 same; 2 drifted: linea, zksync`. */
export type EndpointSummary = { readonly name: string; readonly text: string };

/** Summarizes the endpoints of every protocol and style by what became of them. */
export function summarizeEndpoints(report: Report): EndpointSummary[] {
  return [...groupBy(report.endpoints, surfaceId)].map(([name, endpoints]) => {
    const siblings = endpoints.map(({ deployment }) => deployment);
    const parts = ENDPOINT_STATUSES.flatMap((status) => {
      const names = endpoints
        .filter((endpoint) => endpoint.status === status && !endpoint.leftOut)
        .map((one) => one.deployment);
      if (names.length === 0) return [];
      const isPlain = status === "same" || names.length === siblings.length;
      return [`${names.length} ${status}${isPlain ? "" : `: ${nameSome(names, siblings, report)}`}`];
    });
    const others = endpoints.filter((endpoint) => endpoint.leftOut).length;
    if (others > 0) parts.push(`${others} left out`);
    return { name, text: parts.join("; ") };
  });
}

/** Of a protocol and style that is served in several schemas, who serves each and how it stands to the reference. */
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
      return { name, text: displayText(`${who}: ${describeGroup(group, reference)}`, []) };
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
  docs: "the reference in all but descriptions",
};

/** The endpoints that gave no schema though they were asked, each with why. */
export function silentEndpoints(report: Report): EndpointReport[] {
  return report.endpoints.filter((endpoint) => endpoint.status !== "skipped" && !hasAnswered(endpoint));
}
