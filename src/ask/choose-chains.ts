import { displayText } from "../base/display-text.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import { listSome } from "../base/list-some.ts";
import { nearestName } from "../base/nearest-name.ts";
import { findChain } from "../project/find-chain.ts";

import type { Project } from "../project/project.ts";
import type { Protocol, StyleName } from "../project/vocabulary.ts";
import { describeStatus } from "../runtime/describe-status.ts";

/** The chains of a question. */
export type ChosenChains = {
  /** Their keys, in the order in which they are named; those of `all` and `mainnets` in order of key. */
  readonly keys: readonly string[];
  /** Whether it is one chain that is named, so that nobody has to be told of which a row is. */
  readonly isOne: boolean;
};

/**
 * Chooses chains by their names: keys, ids or whatever else a chain is called; `all` are those that the protocol is
 * served on and `mainnets` the same without testnets.
 *
 * @throws UsageError for a chain that is not there, and one that the protocol is not served on.
 */
export function chooseChains(
  { chains, deployments }: Pick<Project, "chains" | "deployments">,
  names: readonly string[],
  protocol: Protocol,
  styles: readonly StyleName[],
): ChosenChains {
  const own = deployments.filter((one) => one.protocol === protocol && styles.includes(one.style));
  const active = new Set(own.flatMap((one) => (one.status === "retired" ? [] : one.chains)));
  const served = chains.filter(({ key }) => active.has(key));
  const asked = names.flatMap((name) => name.split(",")).map((name) => name.trim());
  if (asked.length === 0 || asked.includes("")) {
    throw new UsageError({
      sentence: "`lockflow ask` needs a chain: --chain <key|id|all|mainnets>.",
      hint: `${protocol} is served on ${listSome(keysOf(served), 6)}.`,
    });
  }
  const keys = asked.flatMap((name) => {
    if (name === "all") return keysOf(served);
    if (name === "mainnets") return keysOf(served.filter(({ testnet }) => !testnet));
    const key = findChain(name, chains);
    if (key !== undefined && active.has(key)) return [key];
    const nearest = nearestName(name, [...keysOf(served), "all", "mainnets"]);
    const retired = own.find((one) => key !== undefined && one.chains.includes(key));
    const end = retired ? ` any more (${describeStatus(retired)})` : "";
    throw new UsageError({
      sentence:
        key === undefined
          ? `"${displayText(name, [])}" is no chain of this project.`
          : `${protocol} is not served on ${key}${styles.length === 1 ? ` in ${styles[0]} style` : ""}${end}.`,
      hint:
        key === undefined && nearest
          ? `did you mean "${nearest}"?`
          : `it is served on ${listSome(keysOf(served), 6)}.`,
    });
  });
  const unique = [...new Set(keys)];
  if (unique.length === 0) {
    throw new UsageError({
      sentence: `${protocol} is served on none of these chains.`,
      hint: `it is served on ${listSome(keysOf(served), 6)}.`,
    });
  }
  return { keys: unique, isOne: unique.length === 1 && !asked.some((name) => GROUPS.includes(name)) };
}

const GROUPS: readonly string[] = ["all", "mainnets"];

function keysOf(chains: readonly { readonly key: string }[]): string[] {
  return chains.map(({ key }) => key);
}
