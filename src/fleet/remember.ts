import type { Chain } from "../project/chain.ts";
import type { Deployment } from "../project/deployment.ts";
import { collectHeads, furthestHeads, type Head } from "./collect-heads.ts";
import { isSilent } from "./describe-failure.ts";
import type { Outcome } from "./introspect-targets.ts";
import type { Memory, Remembered, RememberedHead } from "./memory.ts";

/**
 * Adds a run to what earlier ones kept. Whoever was not asked this time is kept as it was; what is no deployment any
 * more, or retired, is forgotten.
 *
 * @param now when the run began, in milliseconds since the epoch.
 */
export function remember(
  earlier: Memory,
  outcomes: readonly Outcome[],
  project: { readonly chains: readonly Chain[]; readonly deployments: readonly Deployment[] },
  now: number,
): Memory {
  const moment = new Date(now).toISOString();
  const heads = collectHeads(outcomes, project.chains);
  const furthest = furthestHeads(heads);
  const byName = new Map(outcomes.map((outcome) => [outcome.deployment.name, outcome]));
  const memory = new Map<string, Remembered>();
  for (const { name, status } of project.deployments) {
    if (status === "retired") continue;
    const known = earlier.get(name);
    const outcome = byName.get(name);
    if (outcome === undefined) {
      if (known !== undefined) memory.set(name, known);
      continue;
    }
    const own = heads.filter(({ deployment }) => deployment.name === name);
    memory.set(name, {
      silentSince: isSilent(outcome) ? earliest(known?.silentSince ?? null, moment.slice(0, 10)) : null,
      heads:
        outcome.kind === "failed"
          ? (known?.heads ?? new Map())
          : new Map(own.map((head) => [head.chain, rememberHead(head, known, furthest, moment)])),
    });
  }
  return memory;
}

function rememberHead(
  { chain, block }: Head,
  known: Remembered | undefined,
  furthest: ReadonlyMap<string, number>,
  moment: string,
): RememberedHead {
  const before = known?.heads.get(chain);
  if (before?.block === block) return { ...before, since: earliest(before.since, moment) };
  return { block, since: moment, furthest: furthest.get(chain) ?? block };
}

/** A clock that was ahead once must not put off for ever what is counted from then. */
function earliest(known: string | null, now: string): string {
  return known !== null && known < now ? known : now;
}
