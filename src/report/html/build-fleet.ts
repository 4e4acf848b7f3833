import { compareCodeUnits, groupBy } from "../../base/collections.ts";
import { displayText } from "../../base/text.ts";
import { surfaceId } from "../../dialects/surface.ts";
import type { EndpointReport, EndpointStatus, HeadReport } from "../outcome.ts";
import type { GroupReport, Report } from "../report.ts";
import type { FleetData, FleetEndpoint, FleetHead, FleetState } from "./page-data.ts";

/** Builds the grid of deployments: what was answered or, where nobody was asked, what the snapshots say; null for neither. */
export function buildFleet(report: Report): FleetData | null {
  const isLive = report.endpoints.length > 0;
  const endpoints = isLive ? report.endpoints : readSnapshots(report);
  if (endpoints.length === 0) return null;
  const found = new Set(
    report.findings.flatMap((finding) =>
      [finding, ...(finding.elsewhere ?? [])].flatMap(({ where }) => where?.deployments ?? []),
    ),
  );
  const releases = releasesOf(report.snapshots?.groups ?? report.groups);
  const surfaces = [...groupBy(endpoints, surfaceId)].map(([id, own]) => {
    const [first] = own;
    return {
      id,
      protocol: first?.protocol ?? "",
      style: first?.style ?? "multichain",
      release: commonest(own.map(({ deployment }) => releases.get(deployment) ?? null)),
    };
  });
  const indexes = new Map(surfaces.map(({ id }, index) => [id, index]));
  return {
    isLive,
    surfaces,
    chains: [...new Set(endpoints.flatMap(({ chains }) => chains))].sort(compareCodeUnits),
    endpoints: endpoints.map((endpoint): FleetEndpoint => {
      const { deployment, chains, heads = [], message } = endpoint;
      const surface = indexes.get(surfaceId(endpoint)) ?? 0;
      const release = releases.get(deployment) ?? null;
      return {
        deployment,
        surface,
        chains,
        state: stateOf(endpoint),
        note: noteOf(endpoint, report.run.startedAt),
        message: displayText(message ?? "", []),
        silentSince: endpoint.silentSince ?? null,
        release: release === surfaces[surface]?.release ? null : release,
        isFound: found.has(deployment),
        heads: heads.map((head) => headOf(head, report.run.startedAt)),
      };
    }),
  };
}

/** What a deployment served when the snapshots were made, as if it had answered that. */
function readSnapshots({ deployments = [], groups, snapshots }: Report): EndpointReport[] {
  const served = snapshots?.groups ?? groups;
  const groupOf = new Map(served.flatMap((group) => group.deployments.map((name) => [name, group] as const)));
  return deployments.map((one) => {
    const group = groupOf.get(one.deployment);
    const status: EndpointStatus = group === undefined ? "skipped" : STATUS_OF_GROUP[group.kind];
    const message = group === undefined ? "No snapshot says what it serves." : null;
    return { ...one, status, message, group: group?.id ?? null };
  });
}

const STATUS_OF_GROUP: Readonly<Record<GroupReport["kind"], EndpointStatus>> = {
  reference: "same",
  docs: "same",
  platform: "platform-variant",
  entities: "drifted",
};

function releasesOf(groups: Report["groups"]): ReadonlyMap<string, string> {
  return new Map(
    groups.flatMap(({ release, deployments }) =>
      release === null ? [] : deployments.map((name) => [name, displayText(release, [])] as const),
    ),
  );
}

/** What most are; of two that are as many, the first. */
function commonest(values: readonly (string | null)[]): string | null {
  const known = [...groupBy(values, (value) => value)].filter(([value]) => value !== null);
  return known.sort(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? null;
}

function stateOf({ status, lifecycle }: EndpointReport): FleetState {
  // It was not asked because it is retired.
  return status === "skipped" && lifecycle?.status === "retired" ? "retired" : STATES[status];
}

const STATES: Readonly<Record<EndpointStatus, FleetState>> = {
  "wrong-protocol": "wrong",
  "wrong-chain": "wrong",
  same: "same",
  "platform-variant": "variant",
  accepted: "accepted",
  drifted: "drifted",
  flapping: "drifted",
  "indexing-error": "failing",
  unreachable: "silent",
  refused: "silent",
  malformed: "silent",
  dormant: "dormant",
  skipped: "skipped",
};

function noteOf({ status, lifecycle, silentSince, leftOut }: EndpointReport, now: string): string {
  const since = lifecycle?.since === undefined ? "" : `since ${lifecycle.since}`;
  if (status === "skipped") return leftOut === true ? "left out" : since;
  if (status === "dormant") return since;
  // What answers is what it answers, and nobody relies on it.
  if (lifecycle !== undefined) return lifecycle.status;
  return [WHY[status] ?? "", silentSince === undefined ? "" : daysBetween(silentSince, now)]
    .filter(Boolean)
    .join(" ");
}

function daysBetween(day: string, now: string): string {
  const days = Math.max(0, Math.floor((Date.parse(now) - Date.parse(day)) / MILLISECONDS_PER_DAY));
  return `${days} ${days === 1 ? "day" : "days"}`;
}

const MILLISECONDS_PER_DAY = 24 * 60 * 60 * 1000;

/** What a state leaves open. */
const WHY: { readonly [Status in EndpointStatus]?: string } = {
  "wrong-protocol": "protocol",
  "wrong-chain": "chain",
  flapping: "by turns",
  refused: "(refused)",
  malformed: "(malformed)",
};

function headOf({ chain, block, behind, madeAt, since, earlier = [] }: HeadReport, now: string): FleetHead {
  const seen = [...earlier, ...(since === undefined ? [] : [{ block, since }]), { block, since: now }];
  return {
    chain,
    block,
    behind,
    madeAt: madeAt ?? null,
    since: since ?? null,
    line: seen.length < 2 ? [] : seen.map((one) => [Math.floor(Date.parse(one.since) / 1000), one.block]),
  };
}
