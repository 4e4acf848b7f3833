import * as v from "valibot";
import { compareCodeUnits } from "../base/collections.ts";
import { MemoryError } from "../base/errors.ts";
import { closedObject, parseShape, text } from "../base/parse-json.ts";
import type { Chain } from "../project/chain.ts";
import type { Deployment } from "../project/deployment.ts";
import type { Project } from "../project/project.ts";
import { isSilent, type Outcome } from "./outcome.ts";

/** The state that runs keep for later runs, outside the repository, by deployment name. Empty before the first run. */
export type Memory = ReadonlyMap<string, DeploymentMemory>;

type DeploymentMemory = {
  /** The day since which it has not answered, such as `2026-11-21`; null if it answered last time. */
  readonly silentSince: string | null;
  /** Its newest block when it last answered, by chain key. */
  readonly heads: ReadonlyMap<string, HeadMemory>;
};

type HeadMemory = {
  readonly block: number;
  /** The time at which a run first saw this block as the newest, such as `2026-11-21T03:17:00.000Z`. */
  readonly since: string;
  /** The furthest block of the chain in any deployment at that time. */
  readonly furthest: number;
  /** Earlier newest blocks, and the times at which runs first saw them, oldest first. */
  readonly earlier: readonly { readonly block: number; readonly since: string }[];
};

/** The most earlier blocks to keep: two weeks of nightly runs. */
const MOST_EARLIER = 14;

/**
 * Adds a run that began at `now` to the memory. Deployments that were not queried keep their entries. Entries of removed
 * or retired deployments are dropped.
 */
export function updateMemory(
  earlier: Memory,
  { outcomes, now }: { readonly outcomes: readonly Outcome[]; readonly now: number },
  project: Pick<Project, "chains" | "deployments">,
): Memory {
  const time = new Date(now).toISOString();
  const heads = collectHeads(outcomes, project.chains);
  const furthest = furthestHeads(heads);
  const byName = new Map(outcomes.map((outcome) => [outcome.deployment.name, outcome]));
  const memory = new Map<string, DeploymentMemory>();
  for (const { name, status } of project.deployments) {
    const former = earlier.get(name);
    const outcome = byName.get(name);
    if (status === "retired") continue;
    if (outcome === undefined) {
      if (former !== undefined) memory.set(name, former);
      continue;
    }
    const newest = heads
      .filter(({ deployment }) => deployment.name === name)
      .map(({ chain, block }): [string, HeadMemory] => {
        const before = former?.heads.get(chain);
        if (before?.block === block) return [chain, { ...before, since: earliest(before.since, time) }];
        const seen = before ? [...before.earlier, { block: before.block, since: before.since }] : [];
        const earlier = seen.slice(-MOST_EARLIER);
        return [chain, { block, since: time, furthest: furthest.get(chain) ?? block, earlier }];
      });
    memory.set(name, {
      silentSince: isSilent(outcome) ? earliest(former?.silentSince, time.slice(0, 10)) : null,
      heads: outcome.kind === "failed" ? (former?.heads ?? new Map()) : new Map(newest),
    });
  }
  return memory;
}

/** Returns the earlier of two times. A clock that was ahead once must not leave a time in the future. */
function earliest(first: string | null | undefined, now: string): string {
  return first && first < now ? first : now;
}

/** Renders a memory with one deployment per line, in code-unit order of name. */
export function renderMemory(memory: Memory): string {
  const lines = sorted(memory).map(([name, { silentSince, heads }]) => {
    const list = sorted(heads).map(([chain, { earlier, ...head }]) => {
      return { chain, ...head, ...(earlier.length > 0 && { earlier }) };
    });
    return `    ${JSON.stringify({ name, silentSince, heads: list })}`;
  });
  const body = lines.length === 0 ? "" : `\n${lines.join(",\n")}\n  `;
  return `{\n  "version": 1,\n  "deployments": [${body}]\n}\n`;
}

function sorted<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].sort(([a], [b]) => compareCodeUnits(a, b));
}

/** Parses the memory file at `place`. Others may write to the cache, so the file is not trusted. */
export function parseMemory(content: string, place: string): Memory {
  const nouns = { deployments: "deployment", heads: "head", earlier: "block" };
  const { deployments } = parseShape(content, MEMORY, nouns, (reason) => invalid(place, reason));
  const memory = new Map<string, DeploymentMemory>();
  for (const [index, { name, silentSince, heads }] of deployments.entries()) {
    const where = `in deployment ${index + 1}`;
    if (memory.has(name)) throw invalid(place, `${where}, ${name} is a duplicate`);
    const byChain = new Map<string, HeadMemory>();
    for (const [at, { chain, ...head }] of heads.entries()) {
      if (byChain.has(chain)) throw invalid(place, `${where}, head ${at + 1}, ${chain} is a duplicate`);
      byChain.set(chain, head);
    }
    memory.set(name, { silentSince, heads: byChain });
  }
  return memory;
}

/** The form of deployment names and chain keys. */
const NAME = text((name) => /^[a-z0-9-]{1,200}$/.test(name), "is not a name");
const BLOCK = v.custom<number>(Number.isSafeInteger, "is not the number of a block");
const TIME = text(isTime, 'is not a time such as "2026-11-21T03:17:00.000Z"');
const DAY = text((day) => isTime(`${day}T00:00:00.000Z`), 'is neither null nor a day such as "2026-11-21"');
const EARLIER = v.pipe(
  v.array(closedObject({ block: BLOCK, since: TIME }), "is not a list"),
  v.maxLength(MOST_EARLIER, `has more than ${MOST_EARLIER} items`),
);
const HEAD = v.pipe(
  closedObject({
    chain: NAME,
    block: BLOCK,
    since: TIME,
    furthest: BLOCK,
    // Earlier releases kept none.
    earlier: v.optional(EARLIER, []),
  }),
  v.forward(
    v.check(({ block, furthest }) => furthest >= block, 'is less than "block"'),
    ["furthest"],
  ),
);
const MEMORY = closedObject({
  version: v.literal(1, "is not 1, the only supported version"),
  deployments: v.array(
    closedObject({ name: NAME, silentSince: v.nullable(DAY), heads: v.array(HEAD, "is not a list") }),
    "is not a list",
  ),
});

/** Returns whether a text is an exact ISO time. Some engines parse the 30th of February as the 2nd of March. */
function isTime(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString() === text;
}

function invalid(place: string, reason: string): MemoryError {
  return new MemoryError({
    code: "MEMORY_INVALID",
    sentence: `${place} is not a memory file of \`lockflow drift --memory\`: ${reason}.`,
    hint: "name another file, or delete this one to start again.",
  });
}

/** The newest block of a chain in a deployment. */
export type Head = {
  readonly deployment: Deployment;
  /** The chain's key. */
  readonly chain: string;
  readonly block: number;
  /** The block's time in milliseconds since the epoch; null if the platform does not return it. */
  readonly madeAt: number | null;
};

/** Collects the heads of all deployments that answered, one for each deployment and chain. */
export function collectHeads(outcomes: readonly Outcome[], chains: readonly Chain[]): Head[] {
  const keys = new Map(chains.map((chain) => [chain.chainId, chain.key]));
  return outcomes.flatMap((outcome) => {
    if (outcome.kind === "failed") return [];
    const { deployment, probe } = outcome;
    const heads = new Map<string, Head>();
    for (const { chainId, block, timestamp } of probe.heads) {
      const chain = chainId === null ? deployment.chains[0] : keys.get(chainId);
      const madeAt = timestamp === undefined ? null : timestamp * 1000;
      // A server may list a chain twice.
      if (chain !== undefined && block >= (heads.get(chain)?.block ?? block)) {
        heads.set(chain, { deployment, chain, block, madeAt });
      }
    }
    return [...heads.values()];
  });
}

/** Returns the furthest head of each chain in any deployment, by chain key. */
export function furthestHeads(heads: readonly Head[]): ReadonlyMap<string, number> {
  const furthest = new Map<string, number>();
  for (const { chain, block } of heads) furthest.set(chain, Math.max(block, furthest.get(chain) ?? block));
  return furthest;
}
