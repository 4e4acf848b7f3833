import { listSome } from "../base/list-some.ts";
import type { Finding } from "../report/finding.ts";
import { buildEndpointFinding } from "./build-endpoint-finding.ts";
import { deploymentsOf, type Head, MOST_BLOCKS_BEHIND } from "./collect-heads.ts";
import { MOST_LISTED, momentText } from "./describe-heads.ts";
import type { Memory } from "./memory.ts";

/** How long a head may stand still where no other tells whether its chain does. */
export const LONGEST_STILL = 24 * 60 * 60 * 1000;

/** What stops all deployments at once leaves them with blocks of about one time. */
const SAME_TIME = 60 * 60 * 1000;

/** Fewer chains than these are no fleet: each of them is told by itself. */
const FLEET = 2;

/**
 * Finds that no deployment of any chain moves, by what earlier runs kept; and by the times of the newest blocks, where
 * these are told. Old blocks alone may be those of somebody who is catching up, so most of them have to be of one time.
 *
 * @param memory what is known with this run.
 * @param now when the run began, in milliseconds since the epoch.
 */
export function findFleetStandstill(heads: readonly Head[], memory: Memory, now: number): Finding | null {
  const chains = groupByChain(heads);
  if (chains.size < FLEET) return null;
  const deployments = deploymentsOf(heads);
  const made = newestOfOldBlocks(chains, now);
  const since = made ?? lastMove(heads, memory);
  if (now - since <= LONGEST_STILL) return null;
  const what =
    made === null
      ? `all ${deployments.length} have the block that they had then`
      : `that is when the newest block was made that any of the ${deployments.length} has`;
  return buildEndpointFinding({
    code: "health/stuck",
    severity: "risky",
    deployments,
    across: "every deployment",
    message: `No deployment has moved since ${momentText(since)}: ${what}.`,
    fix: "look first at what they have in common: a provider, a gateway, a cache that answers with old blocks.",
  });
}

/**
 * Finds the chains of which several deployments are known and none moves.
 *
 * @returns by the chain's key, when one of them last moved, in milliseconds since the epoch.
 */
export function findHaltedChains(
  heads: readonly Head[],
  memory: Memory,
  now: number,
): ReadonlyMap<string, number> {
  const halted = [...groupByChain(heads)].flatMap(([chain, own]): [string, number][] => {
    const since = lastMove(own, memory);
    return deploymentsOf(own).length > 1 && now - since > LONGEST_STILL ? [[chain, since]] : [];
  });
  return new Map(halted);
}

/** Builds the one finding of all chains that stand still; none where there are none. */
export function describeHaltedChains(heads: readonly Head[], halted: ReadonlyMap<string, number>): Finding[] {
  const own = heads.filter(({ chain }) => halted.has(chain));
  const [[chain, since] = ["", 0], ...others] = halted;
  if (own.length === 0) return [];
  const message =
    others.length === 0
      ? `No deployment of ${chain} has moved since ${momentText(since)}: ${listSome(own.map(({ deployment, block }) => `${deployment.name} at ${block}`).sort(), MOST_LISTED)}.`
      : `No deployment of these chains has moved: ${listSome([...halted].map(([key, moment]) => `${key} since ${momentText(moment)}`).sort(), MOST_LISTED)}.`;
  return [
    buildEndpointFinding({
      code: "health/stuck",
      severity: "risky",
      deployments: deploymentsOf(own),
      across: others.length === 0 ? chain : "several chains",
      message,
      fix: "see whether the chain itself has halted; else ask whoever runs its deployments.",
    }),
  ];
}

/** When the newest of all blocks was made, where all that can be told are old and most are of its time; else null. */
function newestOfOldBlocks(chains: ReadonlyMap<string, readonly Head[]>, now: number): number | null {
  const times: number[] = [];
  const judged = new Set<string>();
  for (const own of chains.values()) {
    const dated = own.flatMap(({ block, madeAt }) => (madeAt === null ? [] : [{ block, madeAt }]));
    if (dated.length === 0) continue;
    const newest = Math.max(...dated.map(({ madeAt }) => madeAt));
    const furthest = Math.max(...dated.map(({ block }) => block));
    // Who is far ahead of all blocks that have a time goes on, as far as can be told.
    if (now - newest <= LONGEST_STILL || own.some(({ block }) => block - furthest > MOST_BLOCKS_BEHIND))
      return null;
    times.push(newest);
    for (const { deployment } of own) judged.add(deployment.name);
  }
  const newest = Math.max(...times);
  const together = times.filter((time) => newest - time <= SAME_TIME).length;
  const isEverybody = [...chains.values()].flat().every(({ deployment }) => judged.has(deployment.name));
  return isEverybody && together >= FLEET && together * 2 > times.length ? newest : null;
}

/** When one of them last moved; a head that nobody remembers moves now. */
function lastMove(heads: readonly Head[], memory: Memory): number {
  return heads.reduce((latest, { deployment, chain }) => {
    const since = memory.get(deployment.name)?.heads.get(chain)?.since;
    return Math.max(latest, since === undefined ? Number.POSITIVE_INFINITY : Date.parse(since));
  }, Number.NEGATIVE_INFINITY);
}

function groupByChain(heads: readonly Head[]): ReadonlyMap<string, readonly Head[]> {
  const chains = new Map<string, Head[]>();
  for (const head of heads) {
    const own = chains.get(head.chain);
    if (own) own.push(head);
    else chains.set(head.chain, [head]);
  }
  return chains;
}
