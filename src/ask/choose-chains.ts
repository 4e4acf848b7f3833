import { describeStatus } from "../../packages/client/src/manifest/build-endpoint.ts";
import { listSome } from "../base/clean-text.ts";
import { UsageError } from "../base/errors.ts";
import { displayText, nearestName } from "../base/text.ts";
import type { Protocol, StyleName } from "../dialects/surface.ts";
import { findChain } from "../project/chain.ts";
import type { Project } from "../project/project.ts";

/**
 * Chooses chains by name: a key, an id or an alias. `all` means every chain of the protocol, and `mainnets` those
 * that are not testnets.
 *
 * @returns their keys, in the order of the names, those of `all` and `mainnets` in order of key; and whether exactly one chain was
 *   named, so that rows need no column for it.
 * @throws UsageError for an unknown chain, or one without the protocol.
 */
export function chooseChains(
  { chains, deployments }: Pick<Project, "chains" | "deployments">,
  names: readonly string[],
  { protocol, styles }: { readonly protocol: Protocol; readonly styles: readonly StyleName[] },
): { readonly keys: readonly string[]; readonly isOne: boolean } {
  const ofProtocol = deployments.filter(
    (deployment) => deployment.protocol === protocol && styles.includes(deployment.style),
  );
  const active = new Set(ofProtocol.flatMap(({ status, chains }) => (status === "retired" ? [] : chains)));
  const served = chains.filter(({ key }) => active.has(key));
  const refuse = (sentence: string, hint = `it is served on ${listSome(keysOf(served), 6)}.`): never => {
    throw new UsageError({ sentence, hint });
  };
  const asked = names.flatMap((name) => name.split(",")).map((name) => name.trim());
  if (asked.length === 0 || asked.includes("")) {
    const hint = `${protocol} is served on ${listSome(keysOf(served), 6)}.`;
    return refuse("`lockflow ask` needs a chain: --chain <key|id|all|mainnets>.", hint);
  }
  const keys = asked.flatMap((name) => {
    if (name === "all") return keysOf(served);
    if (name === "mainnets") return keysOf(served.filter(({ testnet }) => !testnet));
    const key = findChain(name, chains);
    if (key === undefined) {
      const nearest = nearestName(name, [...keysOf(served), "all", "mainnets"]);
      return refuse(
        `Unknown chain "${displayText(name, [])}".`,
        nearest ? `did you mean "${nearest}"?` : undefined,
      );
    }
    if (active.has(key)) return [key];
    const retired = ofProtocol.find((deployment) => deployment.chains.includes(key));
    const end = retired ? ` any more (${describeStatus(retired)})` : "";
    const style = styles.length === 1 ? ` in ${styles[0]} style` : "";
    return refuse(`${protocol} is not served on ${key}${style}${end}.`);
  });
  const unique = [...new Set(keys)];
  if (unique.length === 0) return refuse(`${protocol} is not served on any of these chains.`);
  return { keys: unique, isOne: unique.length === 1 && !asked.some((name) => GROUPS.includes(name)) };
}

const GROUPS: readonly string[] = ["all", "mainnets"];

function keysOf(chains: readonly { readonly key: string }[]): string[] {
  return chains.map(({ key }) => key);
}
