import { listSome } from "../base/list-some.ts";
import type { Finding } from "../report/finding.ts";
import { buildEndpointFinding, byProtocolAndStyle } from "./build-endpoint-finding.ts";
import { deploymentsOf, furthestHeads, type Head, MOST_BLOCKS_BEHIND } from "./collect-heads.ts";
import { MOST_LISTED, momentText } from "./describe-heads.ts";
import {
  describeHaltedChains,
  findFleetStandstill,
  findHaltedChains,
  LONGEST_STILL,
} from "./find-standstill.ts";
import type { Memory } from "./memory.ts";

/**
 * Finds heads that stand still, and heads that are far behind. The yardstick of a chain is the furthest head that
 * anybody has of it, mostly the other style's. What stands still together is told once: a chain, or all there are.
 *
 * @param memory what is known with this run.
 * @param now when the run began, in milliseconds since the epoch.
 */
export function findSlowHeads(heads: readonly Head[], memory: Memory, now: number): Finding[] {
  const fleet = findFleetStandstill(heads, memory, now);
  if (fleet !== null) return [fleet];
  const halted = findHaltedChains(heads, memory, now);
  const moving = heads.filter(({ chain }) => !halted.has(chain));
  const furthest = furthestHeads(moving);
  const slow = moving.flatMap((head) => {
    const lag = (furthest.get(head.chain) ?? head.block) - head.block;
    const since = findStandstill(head, moving, furthest, memory, now);
    return since !== null || lag > MOST_BLOCKS_BEHIND ? [{ ...head, lag, since }] : [];
  });
  // One that stands still is behind as well, and that is the lesser part of it.
  const stuck = slow.filter(({ since }) => since !== null);
  const behind = slow.filter(({ since }) => since === null);
  return [
    ...byProtocolAndStyle(stuck).map((group) =>
      buildEndpointFinding({
        code: "health/stuck",
        severity: "risky",
        deployments: deploymentsOf(group),
        message: describeStuck(group),
        fix: "ask whoever runs it, and read the other style meanwhile.",
      }),
    ),
    ...describeHaltedChains(heads, halted),
    ...byProtocolAndStyle(behind).map((group) =>
      buildEndpointFinding({
        code: "health/behind",
        severity: "risky",
        deployments: deploymentsOf(group),
        message: `Its newest block is behind that of its peers for the same chain: ${listSome(
          group.map(({ chain, lag }) => `${chain} by ${lag}`),
          MOST_LISTED,
        )}.`,
        fix: "wait if it is catching up; else ask whoever runs it.",
      }),
    ),
  ];
}

type SlowHead = Head & {
  /** Blocks behind the furthest head of the chain. */
  readonly lag: number;
  /** The moment since which it stands still though its chain goes on; null when it does not. */
  readonly since: string | null;
};

/** The moment since which a head stands still though its chain goes on, as far as can be told; else null. */
function findStandstill(
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
    ? (furthest.get(chain) ?? 0) - known.furthest > MOST_BLOCKS_BEHIND
    : now - Date.parse(known.since) > LONGEST_STILL;
  return isStuck ? known.since : null;
}

function describeStuck(group: readonly SlowHead[]): string {
  // Without a peer a head is the furthest of its chain itself.
  const parts: readonly [what: string, heads: readonly SlowHead[]][] = [
    ["Its newest block stands still while its peers go on", group.filter(({ lag }) => lag > 0)],
    [
      "Its newest block has stood still for more than 24 hours, with no peer to compare it with",
      group.filter(({ lag }) => lag === 0),
    ],
  ];
  return parts
    .flatMap(([what, heads]) =>
      heads.length === 0 ? [] : [`${what}: ${listSome(heads.map(describeStandstill), MOST_LISTED)}.`],
    )
    .join(" ");
}

function describeStandstill({ chain, block, lag, since }: SlowHead): string {
  const behind = lag === 0 ? "" : ` (${lag} behind)`;
  return `${chain} at ${block} since ${momentText(Date.parse(since ?? ""))}${behind}`;
}
