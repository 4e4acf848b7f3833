import type { Endpoint } from "../manifest/manifest-types.ts";
import type { StyleName } from "../manifest/project.ts";
import { findTarget, orderStyles } from "./ask-endpoint.ts";
import { FINAL } from "./classify.ts";
import type { Failure, IndexerError } from "./indexer-error.ts";
import type { Inquiry } from "./inquiry.ts";
import { knowsPast } from "./map-variables.ts";
import { settle } from "./run.ts";
import type { Settled } from "./settled.ts";

/** Chains that one endpoint serves, which is the first that serves them. */
export type Group = {
  readonly style: StyleName;
  readonly target: Endpoint;
  readonly keys: readonly string[];
  /** What failed in the styles before. */
  readonly before: readonly Failure[];
};

/** Divides chains, each once, into those that are served together and those that are alone. */
export function groupChains<P extends string, R, V>(
  inquiry: Inquiry<P, R, V>,
  keys: readonly string[],
): { readonly groups: readonly Group[]; readonly alone: readonly string[] } {
  const groups = new Map<string, Group>();
  const alone: string[] = [];
  for (const chain of new Set(keys)) {
    const found = findGroup(inquiry, chain);
    if (!found) alone.push(chain);
    else {
      const { deployment } = found.target;
      groups.set(deployment, { ...found, keys: [...(groups.get(deployment)?.keys ?? []), chain] });
    }
  }
  return { groups: [...groups.values()], alone };
}

/** Asks for a chain that an endpoint of several has failed, in the styles after it. */
export function settleElsewhere<P extends string, R, V>(
  inquiry: Inquiry<P, R, V>,
  { style, before }: Group,
  chain: string,
  error: IndexerError,
): Promise<Settled<R, string>> {
  const { styles } = inquiry.client;
  const tried = [...before, { style, error: error.toJSON() }];
  const isOpen = (one: StyleName) => !tried.some((failed) => failed.style === one);
  return settle(inquiry, chain, FINAL.includes(error.code) ? [] : styles.filter(isOpen), tried);
}

/** The first endpoint of a chain, where it serves others, too. */
function findGroup<P extends string, R, V>(inquiry: Inquiry<P, R, V>, chain: string): Group | undefined {
  const before: Failure[] = [];
  const { client, operation, block } = inquiry;
  for (const style of orderStyles(inquiry, chain, client.styles)) {
    if (block && !knowsPast(operation[style as "subgraph"])) continue;
    try {
      const target = findTarget(inquiry, style, chain);
      if (target) return target.chains.length > 1 ? { style, target, keys: [], before } : undefined;
    } catch (error) {
      before.push({ style, error: (error as IndexerError).toJSON() });
    }
  }
  return undefined;
}
