import { mapConcurrently } from "../base/map-concurrently.ts";
import { isOf } from "../project/surface.ts";
import type { Finding } from "../report/finding.ts";
import { parseSnapshot } from "../snapshots/parse-snapshot.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import { styles } from "../styles/index.ts";
import type { Question } from "../styles/style.ts";
import { findingsBySurface } from "./endpoint-finding.ts";
import type { IntrospectionSettings } from "./introspect-targets.ts";
import { parseGraphqlBody } from "./parse-graphql-body.ts";
import { postGraphql } from "./post-graphql.ts";
import type { Target } from "./resolve-targets.ts";

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
    const question = styles[snapshot.style].probe(parseSnapshot(snapshot.base), chain);
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
