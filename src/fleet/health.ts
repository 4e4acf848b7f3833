import { listSome } from "../base/clean-text.ts";
import { groupBy, mapConcurrently } from "../base/collections.ts";
import { EndpointError } from "../base/errors.ts";
import { styles } from "../dialects/index.ts";
import type { Question } from "../dialects/prober.ts";
import { isOf } from "../dialects/surface.ts";
import type { Chain } from "../project/chain.ts";
import type { Deployment } from "../project/deployment.ts";
import type { Target } from "../project/endpoints.ts";
import type { Finding } from "../report/finding.ts";
import type { Snapshot } from "../workspace/snapshot.ts";
import { parseSnapshot } from "../workspace/snapshot-schema.ts";
import { buildEndpointFinding, findingsBySurface } from "./identity.ts";
import type { IntrospectionSettings } from "./introspect-targets.ts";
import { collectHeads, furthestHeads, type Head, type Memory } from "./memory.ts";
import { isSilent, type Outcome } from "./outcome.ts";
import { parseGraphqlBody } from "./parse-graphql-body.ts";
import { postGraphql } from "./post-graphql.ts";

/** After more days than these without an answer, a deployment is dead. */
const MAX_SILENT_DAYS = 14;
const MILLISECONDS_PER_DAY = 24 * 60 * 60 * 1000;
const GONE = 410;

/**
 * Checks the health of the deployments with the right identity. Dormant ones are only reported if they have permanently
 * gone or moved.
 *
 * @param memory includes this run.
 * @param now the start of this run.
 */
export function findHealth(
  all: readonly Outcome[],
  chains: readonly Chain[],
  { memory, now }: { readonly memory: Memory; readonly now: number },
): Finding[] {
  const outcomes = all.filter(({ deployment }) => deployment.status !== "dormant");
  const awake = chains.filter(({ status }) => status !== "dormant");
  const failing = outcomes.filter(
    (outcome) => outcome.kind === "introspected" && outcome.probe.hasIndexingErrors,
  );
  const failures = all.flatMap((outcome) =>
    outcome.kind === "failed" && outcome.error instanceof EndpointError
      ? [{ deployment: outcome.deployment, error: outcome.error }]
      : [],
  );
  const dormant = failures.filter(
    ({ deployment, error }) => error.isDormant && deployment.status !== "dormant",
  );
  const gone = failures.filter(({ error }) => error.status === GONE);
  const moved = failures.filter(({ error }) => error.movedTo !== null);
  return [
    ...findingsBySurface(failing, () => ({ code: "health/indexing-error", facts: [] })),
    ...findingsBySurface(dormant, () => ({ code: "health/dormant", facts: [] })),
    ...findingsBySurface(gone, () => ({
      code: "health/retired",
      severity: "risky",
      facts: [true],
      fix: 'set its status to "retired" in the configuration.',
    })),
    ...findingsBySurface(moved, (group) => {
      const isOne = group.length === 1;
      const urls = list(
        group.map(({ deployment, error }) => `${error.movedTo}${isOne ? "" : ` (${deployment.name})`}`),
      );
      return { code: "health/moved", facts: [urls], after: urls };
    }),
    ...findDead(outcomes, memory, now),
    ...findSlowHeads(collectHeads(outcomes, awake), memory, now),
  ];
}

/** Finds deployments that have not answered for many days of earlier runs. */
function findDead(outcomes: readonly Outcome[], memory: Memory, now: number): Finding[] {
  const dead = outcomes.filter(isSilent).flatMap(({ deployment }) => {
    const since = memory.get(deployment.name)?.silentSince ?? null;
    const days = since === null ? 0 : Math.floor((now - Date.parse(since)) / MILLISECONDS_PER_DAY);
    return since !== null && days > MAX_SILENT_DAYS ? [{ deployment, since }] : [];
  });
  return findingsBySurface(dead, (group) => {
    const days = [...groupBy(group, ({ since }) => since)];
    const described = days.map(([day, group]) =>
      days.length === 1 ? day : `${day} (${group.map(({ deployment }) => deployment.name).join(", ")})`,
    );
    return { code: "health/endpoint-dead", facts: [described.sort().join(", ")] };
  });
}

/** Maximum lag in blocks: heads are requested one after the other, and the fastest chains produce ten blocks a second. */
const MAX_LAG = 1000;

/** Maximum age of a head without a peer to compare it with. */
const MAX_STILL = 24 * 60 * 60 * 1000;

/** A common failure stops all deployments at blocks of about the same time. */
const SAME_TIME = 60 * 60 * 1000;

/** Fewer chains are reported one by one. */
const FLEET = 2;

const MAX_LISTED = 5;

/**
 * Finds heads that do not move, or are far behind the furthest head of their chain. If a whole chain or the whole fleet
 * does not move, that is one finding.
 *
 * @param memory includes this run.
 * @param now the start of this run.
 */
export function findSlowHeads(heads: readonly Head[], memory: Memory, now: number): Finding[] {
  const fleet = findFleetStandstill(heads, memory, now);
  if (fleet !== null) return [fleet];
  const halted = findHaltedChains(heads, memory, now);
  const moving = heads.filter(({ chain }) => !halted.has(chain));
  const furthest = furthestHeads(moving);
  const slow = moving.flatMap((head) => {
    const lag = (furthest.get(head.chain) ?? head.block) - head.block;
    const since = stuckSince(head);
    return since !== null || lag > MAX_LAG ? [{ ...head, lag, since }] : [];
  });
  // A head that does not move is behind as well, but is reported once.
  const stuck = slow.filter(({ since }) => since !== null);
  const behind = slow.filter(({ since }) => since === null);
  return [
    ...findingsBySurface(stuck, (group) => ({
      code: "health/stuck",
      facts: [describeStuck(group)],
      fix: "ask its operator, and use the other style meanwhile.",
    })),
    ...describeHaltedChains(heads, halted),
    ...findingsBySurface(behind, (group) => ({
      code: "health/behind",
      facts: [list(group.map(({ chain, lag }) => `${chain} by ${lag}`))],
    })),
  ];

  /** Returns the time since which a head has not moved although its chain has; null if it moves or is new. */
  function stuckSince({ deployment, chain }: Head): string | null {
    const earlier = memory.get(deployment.name)?.heads.get(chain);
    if (earlier === undefined) return null;
    const hasPeer = moving.some((head) => head.chain === chain && head.deployment.name !== deployment.name);
    const isStuck = hasPeer
      ? (furthest.get(chain) ?? 0) - earlier.furthest > MAX_LAG
      : now - Date.parse(earlier.since) > MAX_STILL;
    return isStuck ? earlier.since : null;
  }
}

/** `lag` is the number of blocks behind the furthest head; `since` is null if the head moves. */
type SlowHead = Head & { readonly lag: number; readonly since: string | null };

function describeStuck(group: readonly SlowHead[]): string {
  const describe = (what: string, heads: readonly SlowHead[]) => {
    const facts = heads.map(
      ({ chain, block, lag, since }) =>
        `${chain} at ${block} since ${timeText(Date.parse(since ?? ""))}${lag === 0 ? "" : ` (${lag} behind)`}`,
    );
    return facts.length === 0 ? [] : [`Its head block ${what}: ${list(facts)}.`];
  };
  // Without a peer, a head is itself the furthest of its chain.
  const [alone, behind] = [group.filter(({ lag }) => lag === 0), group.filter(({ lag }) => lag > 0)];
  return [
    ...describe("does not move, but its peers do", behind),
    ...describe("has not moved for more than 24 hours, and there is no peer to compare it with", alone),
  ].join(" ");
}

/** Returns a finding if no deployment of any chain moves, by the times of the newest blocks or else by earlier runs. */
function findFleetStandstill(heads: readonly Head[], memory: Memory, now: number): Finding | null {
  const chains = groupBy(heads, ({ chain }) => chain);
  if (chains.size < FLEET) return null;
  const deployments = deploymentsOf(heads);
  const made = newestOfOldBlocks(chains, now);
  const since = made ?? lastMove(heads, memory);
  if (now - since <= MAX_STILL) return null;
  const what =
    made === null
      ? `all ${deployments.length} still have the same block`
      : `the newest block of all ${deployments.length} is from then`;
  return buildEndpointFinding(deployments, {
    code: "health/stuck",
    across: "every deployment",
    facts: [`No deployment has moved since ${timeText(since)}: ${what}.`],
    fix: "check first what they share: a provider, a gateway, or a cache with old answers.",
  });
}

/** Returns the chains with several deployments that all do not move, each with the time of the last move. */
function findHaltedChains(heads: readonly Head[], memory: Memory, now: number): ReadonlyMap<string, number> {
  const halted = new Map<string, number>();
  for (const [chain, group] of groupBy(heads, ({ chain }) => chain)) {
    const since = lastMove(group, memory);
    if (deploymentsOf(group).length > 1 && now - since > MAX_STILL) halted.set(chain, since);
  }
  return halted;
}

function describeHaltedChains(heads: readonly Head[], halted: ReadonlyMap<string, number>): Finding[] {
  const halting = heads.filter(({ chain }) => halted.has(chain));
  const [[chain, since] = ["", 0], ...others] = halted;
  if (halting.length === 0) return [];
  const blocks = halting.map(({ deployment, block }) => `${deployment.name} at ${block}`).sort();
  const times = [...halted].map(([key, time]) => `${key} since ${timeText(time)}`).sort();
  const message =
    others.length === 0
      ? `No deployment of ${chain} has moved since ${timeText(since)}: ${list(blocks)}.`
      : `No deployment of these chains has moved: ${list(times)}.`;
  return [
    buildEndpointFinding(deploymentsOf(halting), {
      code: "health/stuck",
      across: others.length === 0 ? chain : "several chains",
      facts: [message],
      fix: "check whether the chain itself has halted; otherwise ask the operators of its deployments.",
    }),
  ];
}

/**
 * Returns the time of the newest block if all blocks are old and most are from about the same time; else null. Blocks
 * from different times are those of deployments that are catching up.
 */
function newestOfOldBlocks(chains: ReadonlyMap<string, readonly Head[]>, now: number): number | null {
  const times: number[] = [];
  const covered = new Set<string>();
  for (const group of chains.values()) {
    const dated = group.flatMap(({ block, madeAt }) => (madeAt === null ? [] : [{ block, madeAt }]));
    if (dated.length === 0) continue;
    const newest = Math.max(...dated.map(({ madeAt }) => madeAt));
    const furthest = Math.max(...dated.map(({ block }) => block));
    // A head far ahead of all blocks with a known time may be moving.
    if (now - newest <= MAX_STILL || group.some(({ block }) => block - furthest > MAX_LAG)) return null;
    times.push(newest);
    for (const { deployment } of group) covered.add(deployment.name);
  }
  const newest = Math.max(...times);
  const together = times.filter((time) => newest - time <= SAME_TIME).length;
  const isComplete = [...chains.values()].flat().every(({ deployment }) => covered.has(deployment.name));
  return isComplete && together >= FLEET && together * 2 > times.length ? newest : null;
}

/** Returns when one of the heads last moved; an unknown head counts as moving. */
function lastMove(heads: readonly Head[], memory: Memory): number {
  const moves = heads.map(({ deployment, chain }) => {
    const since = memory.get(deployment.name)?.heads.get(chain)?.since;
    return since === undefined ? Number.POSITIVE_INFINITY : Date.parse(since);
  });
  return Math.max(...moves);
}

function deploymentsOf(heads: readonly Head[]): Deployment[] {
  return [...new Set(heads.map(({ deployment }) => deployment))];
}

function list(facts: readonly string[]): string {
  return listSome(facts, MAX_LISTED);
}

/** Renders a time of a finding: `2026-11-01 03:00 UTC`. */
function timeText(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** Finds retired deployments that still answer for their chains, with one request each, built from the snapshot. */
export async function findRetired(
  targets: readonly Target[],
  snapshots: readonly Snapshot[],
  options: IntrospectionSettings,
): Promise<Finding[]> {
  const chainFields = new Map(options.definitions.map(({ key, identity }) => [key, identity.chain]));
  const answered = await mapConcurrently(targets, options.concurrency, async (target) => {
    const snapshot = snapshots.find(isOf(target.deployment));
    if (snapshot === undefined) return [];
    const chain = chainFields.get(snapshot.protocol) ?? null;
    const question = styles[snapshot.style].prober.buildProbe(parseSnapshot(snapshot.base), chain);
    return (await servesItsChains(target, question, options)) ? [target] : [];
  });
  return findingsBySurface(answered.flat(), () => ({
    code: "health/retired",
    severity: "cosmetic",
    facts: [false],
    // Gives it another fingerprint than the opposite finding (gone but not retired), which may be accepted.
    before: "retired",
    after: "answers",
    fix: 'set its status to "active" in the configuration, or remove its URL.',
  }));
}

async function servesItsChains(
  target: Target,
  { query, parse }: Question,
  { chains, timeout }: IntrospectionSettings,
): Promise<boolean> {
  try {
    const { data } = parseGraphqlBody(await postGraphql({ target, query, timeout }));
    const served = parse(data).chainIds ?? [];
    return chains.some(
      ({ key, chainId }) => target.deployment.chains.includes(key) && served.includes(chainId),
    );
  } catch {
    // Errors of a retired deployment are expected.
    return false;
  }
}
