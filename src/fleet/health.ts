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
 * Finds deployments that are who they should be and not well, by a memory that holds this run, which began at `now`. Of
 * those that are called dormant only what is gone for good is news.
 */
export function findHealth(
  all: readonly Outcome[],
  chains: readonly Chain[],
  memory: Memory,
  now: number,
): Finding[] {
  const outcomes = all.filter(({ deployment }) => deployment.status !== "dormant");
  const awake = chains.filter(({ status }) => status !== "dormant");
  const failing = outcomes.filter((one) => one.kind === "introspected" && one.probe.hasIndexingErrors);
  const failedWith = (of: readonly Outcome[], test: (error: EndpointError) => boolean) =>
    of.filter((one) => one.kind === "failed" && one.error instanceof EndpointError && test(one.error));
  const dormant = failedWith(outcomes, ({ isDormant }) => isDormant);
  const gone = failedWith(all, ({ status }) => status === GONE);
  return [
    ...findingsBySurface(failing, () => ({ code: "health/indexing-error", facts: [] })),
    ...findingsBySurface(dormant, () => ({ code: "health/dormant", facts: [] })),
    ...findingsBySurface(gone, () => ({
      code: "health/retired",
      severity: "risky",
      facts: [true],
      fix: 'set its status to "retired" in the configuration.',
    })),
    ...findDead(outcomes, memory, now),
    ...findSlowHeads(collectHeads(outcomes, awake), memory, now),
  ];
}

/** Finds deployments that have not answered for long, by the runs before this one. */
function findDead(outcomes: readonly Outcome[], memory: Memory, now: number): Finding[] {
  const dead = outcomes.filter(isSilent).flatMap(({ deployment }) => {
    const since = memory.get(deployment.name)?.silentSince ?? null;
    const days = since === null ? 0 : Math.floor((now - Date.parse(since)) / MILLISECONDS_PER_DAY);
    return since !== null && days > MAX_SILENT_DAYS ? [{ deployment, since }] : [];
  });
  return findingsBySurface(dead, (group) => {
    const days = [...groupBy(group, ({ since }) => since)];
    const described = days.map(([day, own]) =>
      days.length === 1 ? day : `${day} (${own.map(({ deployment }) => deployment.name).join(", ")})`,
    );
    return { code: "health/endpoint-dead", facts: [described.sort().join(", ")] };
  });
}

/** Blocks that a head may be behind: heads are asked one after the other, and the fastest chains have ten a second. */
const MAX_LAG = 1000;

/** How long a head may stand still where no other tells whether its chain does. */
const MAX_STILL = 24 * 60 * 60 * 1000;

/** What stops all deployments at once leaves them with blocks of about one time. */
const SAME_TIME = 60 * 60 * 1000;

/** Fewer chains than these are no fleet: each of them is reported by itself. */
const FLEET = 2;

const MAX_LISTED = 5;

/**
 * Finds heads that stand still or are far behind the furthest head of their chain, by a memory that holds this run,
 * which began at `now`. What stands still together is reported once: a chain, or all there are.
 */
export function findSlowHeads(heads: readonly Head[], memory: Memory, now: number): Finding[] {
  const fleet = findFleetStandstill(heads, memory, now);
  if (fleet !== null) return [fleet];
  const halted = findHaltedChains(heads, memory, now);
  const moving = heads.filter(({ chain }) => !halted.has(chain));
  const furthest = furthestHeads(moving);
  const slow = moving.flatMap((head) => {
    const lag = (furthest.get(head.chain) ?? head.block) - head.block;
    const since = stillSince(head, moving, furthest, memory, now);
    return since !== null || lag > MAX_LAG ? [{ ...head, lag, since }] : [];
  });
  // One that stands still is behind as well, and that is the lesser part of it.
  const stuck = slow.filter(({ since }) => since !== null);
  const behind = slow.filter(({ since }) => since === null);
  return [
    ...findingsBySurface(stuck, (group) => ({
      code: "health/stuck",
      facts: [describeStuck(group)],
      fix: "ask whoever runs it, and read the other style meanwhile.",
    })),
    ...describeHaltedChains(heads, halted),
    ...findingsBySurface(behind, (group) => ({
      code: "health/behind",
      facts: [list(group.map(({ chain, lag }) => `${chain} by ${lag}`))],
    })),
  ];
}

/** With the blocks behind the furthest head, and the time since which it stands still; null when it does not. */
type SlowHead = Head & { readonly lag: number; readonly since: string | null };

/** The time since which a head stands still though its chain goes on, as far as can be known; else null. */
function stillSince(
  { deployment, chain }: Head,
  heads: readonly Head[],
  furthest: ReadonlyMap<string, number>,
  memory: Memory,
  now: number,
): string | null {
  const known = memory.get(deployment.name)?.heads.get(chain);
  if (known === undefined) return null;
  const hasPeer = heads.some((other) => other.chain === chain && other.deployment.name !== deployment.name);
  const isStuck = hasPeer
    ? (furthest.get(chain) ?? 0) - known.furthest > MAX_LAG
    : now - Date.parse(known.since) > MAX_STILL;
  return isStuck ? known.since : null;
}

function describeStuck(group: readonly SlowHead[]): string {
  const describe = (what: string, heads: readonly SlowHead[]) => {
    const facts = heads.map(
      ({ chain, block, lag, since }) =>
        `${chain} at ${block} since ${timeText(Date.parse(since ?? ""))}${lag === 0 ? "" : ` (${lag} behind)`}`,
    );
    return facts.length === 0 ? [] : [`Its newest block ${what}: ${list(facts)}.`];
  };
  // Without a peer a head is the furthest of its chain itself.
  const [alone, behind] = [group.filter(({ lag }) => lag === 0), group.filter(({ lag }) => lag > 0)];
  return [
    ...describe("stands still while its peers go on", behind),
    ...describe("has stood still for more than 24 hours, with no peer to compare it with", alone),
  ].join(" ");
}

/** Finds that no deployment of any chain moves, by the times of the newest blocks or else by the runs before this one. */
function findFleetStandstill(heads: readonly Head[], memory: Memory, now: number): Finding | null {
  const chains = groupBy(heads, ({ chain }) => chain);
  if (chains.size < FLEET) return null;
  const deployments = deploymentsOf(heads);
  const made = newestOfOldBlocks(chains, now);
  const since = made ?? lastMove(heads, memory);
  if (now - since <= MAX_STILL) return null;
  const what =
    made === null
      ? `all ${deployments.length} have the block that they had then`
      : `that is when the newest block was made that any of the ${deployments.length} has`;
  return buildEndpointFinding(deployments, {
    code: "health/stuck",
    across: "every deployment",
    facts: [`No deployment has moved since ${timeText(since)}: ${what}.`],
    fix: "look first at what they have in common: a provider, a gateway, a cache that answers with old blocks.",
  });
}

/** The chains of which several deployments are known and none moves, each with the time of the last move. */
function findHaltedChains(heads: readonly Head[], memory: Memory, now: number): ReadonlyMap<string, number> {
  const halted = new Map<string, number>();
  for (const [chain, own] of groupBy(heads, ({ chain }) => chain)) {
    const since = lastMove(own, memory);
    if (deploymentsOf(own).length > 1 && now - since > MAX_STILL) halted.set(chain, since);
  }
  return halted;
}

/** Builds the one finding of all chains that stand still; none where there are none. */
function describeHaltedChains(heads: readonly Head[], halted: ReadonlyMap<string, number>): Finding[] {
  const own = heads.filter(({ chain }) => halted.has(chain));
  const [[chain, since] = ["", 0], ...others] = halted;
  if (own.length === 0) return [];
  const blocks = own.map(({ deployment, block }) => `${deployment.name} at ${block}`).sort();
  const times = [...halted].map(([key, time]) => `${key} since ${timeText(time)}`).sort();
  const message =
    others.length === 0
      ? `No deployment of ${chain} has moved since ${timeText(since)}: ${list(blocks)}.`
      : `No deployment of these chains has moved: ${list(times)}.`;
  return [
    buildEndpointFinding(deploymentsOf(own), {
      code: "health/stuck",
      across: others.length === 0 ? chain : "several chains",
      facts: [message],
      fix: "see whether the chain itself has halted; else ask whoever runs its deployments.",
    }),
  ];
}

/**
 * When the newest of all blocks was made, where all whose time is known are old and most are of its time; else null. Old
 * blocks alone may be those of somebody who is catching up.
 */
function newestOfOldBlocks(chains: ReadonlyMap<string, readonly Head[]>, now: number): number | null {
  const times: number[] = [];
  const judged = new Set<string>();
  for (const own of chains.values()) {
    const dated = own.flatMap(({ block, madeAt }) => (madeAt === null ? [] : [{ block, madeAt }]));
    if (dated.length === 0) continue;
    const newest = Math.max(...dated.map(({ madeAt }) => madeAt));
    const furthest = Math.max(...dated.map(({ block }) => block));
    // A head far ahead of all blocks that have a time goes on, as far as can be known.
    if (now - newest <= MAX_STILL || own.some(({ block }) => block - furthest > MAX_LAG)) return null;
    times.push(newest);
    for (const { deployment } of own) judged.add(deployment.name);
  }
  const newest = Math.max(...times);
  const together = times.filter((time) => newest - time <= SAME_TIME).length;
  const isEverybody = [...chains.values()].flat().every(({ deployment }) => judged.has(deployment.name));
  return isEverybody && together >= FLEET && together * 2 > times.length ? newest : null;
}

/** When one of them last moved; a head of which nothing is known moves now. */
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

/** A time as findings have it: `2026-11-01 03:00 UTC`. */
function timeText(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/**
 * Finds deployments that the configuration calls retired and that answer for their chains all the same, by one request
 * each in the words of the snapshot of its kind.
 */
export async function findRetired(
  targets: readonly Target[],
  snapshots: readonly Snapshot[],
  options: IntrospectionSettings,
): Promise<Finding[]> {
  const known = new Map(options.definitions.map(({ key, identity }) => [key, identity.chain]));
  const answered = await mapConcurrently(targets, options.concurrency, async (target) => {
    const snapshot = snapshots.find(isOf(target.deployment));
    if (snapshot === undefined) return [];
    const chain = known.get(snapshot.protocol) ?? null;
    const question = styles[snapshot.style].prober.buildProbe(parseSnapshot(snapshot.base), chain);
    return (await answers(target, question, options)) ? [target] : [];
  });
  return findingsBySurface(answered.flat(), () => ({
    code: "health/retired",
    severity: "cosmetic",
    facts: [false],
    // Another finding than of what is gone and not called retired, also where one of the two is accepted.
    before: "retired",
    after: "answers",
    fix: 'set its status to "active" in the configuration, or take its URL away.',
  }));
}

async function answers(
  { deployment, url, headers }: Target,
  { query, parse }: Question,
  { chains, timeout }: IntrospectionSettings,
): Promise<boolean> {
  try {
    const { data } = parseGraphqlBody(await postGraphql({ url, headers, query, timeout }));
    const served = parse(data).chainIds ?? [];
    return chains.some(({ key, chainId }) => deployment.chains.includes(key) && served.includes(chainId));
  } catch {
    // Whatever it answers wrong, what is retired owes nobody an answer.
    return false;
  }
}
