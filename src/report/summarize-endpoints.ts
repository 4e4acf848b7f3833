import { ENDPOINT_STATUSES, type EndpointReport, hasAnswered } from "../model/outcome.ts";
import { displayText } from "../utils/display-text.ts";
import { listDeployments } from "./describe-finding.ts";
import type { GroupReport, Report } from "./report.ts";

/** The endpoints of one protocol and style in a line: `23 same; 2 drifted: linea, zksync`. */
export type EndpointSummary = {
  /** As `lockup/subgraph`. */
  readonly name: string;
  readonly text: string;
};

/** Summarizes the endpoints of every protocol and style by what became of them. */
export function summarizeEndpoints(report: Report): EndpointSummary[] {
  const groups = new Map<string, EndpointReport[]>();
  for (const endpoint of report.endpoints) {
    const name = `${endpoint.protocol}/${endpoint.style}`;
    groups.set(name, [...(groups.get(name) ?? []), endpoint]);
  }
  return [...groups].map(([name, endpoints]) => {
    const siblings = endpoints.map(({ deployment }) => deployment);
    const parts = ENDPOINT_STATUSES.flatMap((status) => {
      const names = endpoints.filter((endpoint) => endpoint.status === status).map((one) => one.deployment);
      if (names.length === 0) return [];
      const isPlain = status === "same" || names.length === siblings.length;
      return [`${names.length} ${status}${isPlain ? "" : `: ${listDeployments(names, siblings, report)}`}`];
    });
    return { name, text: parts.join("; ") };
  });
}

/** The schemas a protocol and style is served in, where there is more than one of them. */
export function summarizeGroups(report: Report): EndpointSummary[] {
  const sizes = new Map<string, number>();
  for (const group of report.groups) {
    const name = `${group.protocol}/${group.style}`;
    sizes.set(name, (sizes.get(name) ?? 0) + 1);
  }
  return report.groups
    .filter((group) => (sizes.get(`${group.protocol}/${group.style}`) ?? 0) > 1)
    .map((group) => {
      const name = `${group.protocol}/${group.style}`;
      const siblings = report.groups
        .filter(({ protocol, style }) => `${protocol}/${style}` === name)
        .flatMap(({ deployments }) => deployments);
      const who =
        group.kind === "reference"
          ? `${group.deployments.length} of ${siblings.length}`
          : listDeployments(group.deployments, siblings, report);
      const facts = [
        `schema ${group.id}`,
        `entities ${group.entities}`,
        ...(group.release === null ? [] : [group.release]),
        ...group.features,
        KINDS[group.kind],
      ];
      return { name, text: displayText(`${who}: ${facts.join(", ")}`, []) };
    });
}

const KINDS: Readonly<Record<GroupReport["kind"], string>> = {
  reference: "the reference",
  entities: "other entities",
  platform: "another platform",
  docs: "other descriptions",
};

/** The endpoints that gave no schema though they were asked, each with why. */
export function silentEndpoints(report: Report): EndpointReport[] {
  return report.endpoints.filter((endpoint) => endpoint.status !== "skipped" && !hasAnswered(endpoint));
}
