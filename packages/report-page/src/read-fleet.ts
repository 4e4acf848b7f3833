import { compareCodeUnits, groupBy } from "../../../src/base/collections.ts";
import { type OfSurface, surfaceId } from "../../../src/dialects/surface.ts";
import type {
  EndpointReport,
  EndpointStatus,
  GroupReport,
  HeadReport,
  Report,
} from "../../../src/report/types.ts";

/** The fleet as a grid of chains and surfaces. */
export type Fleet = {
  /** Whether the run queried the deployments; otherwise the grid shows the snapshots. */
  readonly isLive: boolean;
  /** In the order of endpoints. */
  readonly surfaces: readonly (OfSurface & { readonly release: string | null })[];
  /** Keys in code-unit order. */
  readonly chains: readonly string[];
  readonly endpoints: readonly EndpointReport[];
  /** The releases of deployments that differ from the release of most of their surface. */
  readonly otherReleases: ReadonlyMap<string, string>;
};

/** Reads the grid of deployments; null if the report has none. */
export function readFleet(report: Report): Fleet | null {
  const isLive = report.endpoints.length > 0;
  const endpoints = isLive ? report.endpoints : readSnapshots(report);
  if (endpoints.length === 0) return null;
  const releases = new Map(
    (report.snapshots?.groups ?? report.groups).flatMap(({ release, deployments }) =>
      release === null ? [] : deployments.map((name) => [name, release] as const),
    ),
  );
  const otherReleases = new Map(releases);
  const surfaces = [...groupBy(endpoints, surfaceId).values()].flatMap((group) => {
    const release = commonest(group.map(({ deployment }) => releases.get(deployment) ?? null));
    for (const { deployment } of group) {
      if (releases.get(deployment) === release) otherReleases.delete(deployment);
    }
    return group.slice(0, 1).map(({ protocol, style }) => ({ protocol, style, release }));
  });
  const chains = [...new Set(endpoints.flatMap((endpoint) => endpoint.chains))].sort(compareCodeUnits);
  return { isLive, surfaces, chains, endpoints, otherReleases };
}

/** Returns the schema of each deployment in the snapshots, in the form of answers. */
function readSnapshots({ deployments = [], groups, snapshots }: Report): EndpointReport[] {
  const served = snapshots?.groups ?? groups;
  const groupOf = new Map(served.flatMap((group) => group.deployments.map((name) => [name, group] as const)));
  return deployments.map((deployment) => {
    const group = groupOf.get(deployment.deployment);
    const status: EndpointStatus = group === undefined ? "skipped" : STATUS_OF_GROUP[group.kind];
    const message = group === undefined ? "No snapshot says what it serves." : null;
    return { ...deployment, status, message, group: group?.id ?? null };
  });
}

const STATUS_OF_GROUP: Readonly<Record<GroupReport["kind"], EndpointStatus>> = {
  reference: "same",
  docs: "same",
  platform: "platform-variant",
  entities: "drifted",
};

/** The most frequent value; of two that are equally frequent, the first. */
function commonest(values: readonly (string | null)[]): string | null {
  const known = [...groupBy(values, (value) => value)].filter(([value]) => value !== null);
  return known.sort(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? null;
}

/** The state of an endpoint, as the legend names it. */
export type FleetState =
  | "same"
  | "variant"
  | "accepted"
  | "drifted"
  | "wrong"
  | "failing"
  | "silent"
  | "dormant"
  | "retired"
  | "skipped";

/** The state of an endpoint. */
export function stateOf({ status, lifecycle }: EndpointReport): FleetState {
  // A retired deployment is skipped.
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

/** Returns a few words that complete the state of an endpoint; empty if none are needed. */
export function noteOf({ status, lifecycle, silentSince, leftOut }: EndpointReport, now: string): string {
  const since = lifecycle?.since === undefined ? "" : `since ${lifecycle.since}`;
  if (status === "skipped") return leftOut === true ? "left out" : since;
  if (status === "dormant") return since;
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

/** Words that complete a state. */
const WHY: { readonly [Status in EndpointStatus]?: string } = {
  "wrong-protocol": "protocol",
  "wrong-chain": "chain",
  flapping: "two schemas",
  refused: "(refused)",
  malformed: "(malformed)",
};

/** A head at a time, in Unix seconds. */
export type HeadPoint = { readonly time: number; readonly block: number };

/** The heads of a chain from the first known one to now; empty if earlier runs saw none. */
export function headLine({ block, since, earlier = [] }: HeadReport, now: string): HeadPoint[] {
  const seen = [...earlier, ...(since === undefined ? [] : [{ block, since }]), { block, since: now }];
  if (seen.length < 2) return [];
  return seen.map((head) => ({ time: Math.floor(Date.parse(head.since) / 1000), block: head.block }));
}
