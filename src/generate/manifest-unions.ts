import { capitalize } from "../base/identifier.ts";
import type { Deployment } from "../project/deployment.ts";
import { IS_PER_CHAIN, type Protocol } from "../project/vocabulary.ts";
import { servedChains } from "./manifest-rows.ts";

/** A type of the manifest: its name, what it is, a sentence on it, and what it is given. */
export type ManifestType = readonly [name: string, type: string, doc: string, parameters?: readonly string[]];

/** The kinds of endpoint there can be, and what the chains that have one are called. */
const KINDS = [
  ["multichain", "production", "MultichainChain", "a multichain endpoint"],
  ["subgraph", "production", "SubgraphChain", "a subgraph"],
  ["subgraph", "testing", "TestingChain", "a subgraph with a testing URL"],
] as const;

type Served = readonly { readonly protocol: Protocol; readonly deployments: readonly Deployment[] }[];

/**
 * The chains that can be asked, and what `endpoint` takes, as unions that are written out: the compiler has nothing
 * to work out.
 */
export function manifestUnions(served: Served): ManifestType[] {
  const types: ManifestType[] = [];
  const requests: string[] = [];
  const own = new Map<Protocol, string[]>(served.map(({ protocol }) => [protocol, []]));
  for (const [style, environment, name, what] of KINDS) {
    const sets = served.map(({ protocol, deployments }) => ({
      protocol,
      name: `${capitalize(protocol)}${name}`,
      union: union(servedChains(deployments, style, environment)),
    }));
    const isSame = sets.every((set) => set.union === sets[0]?.union);
    const all = isSame ? (sets[0]?.union ?? "never") : sets.map((set) => set.name).join(" | ");
    types.push([name, all, `The chains that have ${what}.`]);
    for (const set of sets) {
      types.push([
        set.name,
        isSame ? name : set.union,
        `The chains that have ${what} of ${capitalize(set.protocol)}.`,
      ]);
      if (set.union === "never") continue;
      const member = requestMember(style, environment, set.name);
      own.get(set.protocol)?.push(`{ ${member} }`);
      if (!isSame) requests.push(`{ readonly protocol: "${set.protocol}"; ${member} }`);
    }
    if (isSame && all !== "never") {
      requests.push(`{ readonly protocol: Protocol; ${requestMember(style, environment, name)} }`);
    }
  }
  types.push(["EndpointRequest", members(requests), "What `endpoint` can be asked for."]);
  for (const [protocol, list] of own) {
    const title = capitalize(protocol);
    types.push([`${title}Request`, members(list), `What \`${protocol}Endpoint\` can be asked for.`]);
  }
  return types;
}

function requestMember(style: (typeof KINDS)[number][0], environment: string, chains: string): string {
  return [
    `readonly style: "${style}"`,
    IS_PER_CHAIN[style] ? `readonly chain: ${chains}` : `readonly chain?: ${chains} | undefined`,
    // Whoever has a testing URL has one for production, so that either may be asked for by a variable.
    `readonly environment?: ${environment === "production" ? '"production"' : "Environment"} | undefined`,
  ].join("; ");
}

function union(names: readonly string[]): string {
  return names.length === 0 ? "never" : names.map((name) => JSON.stringify(name)).join(" | ");
}

function members(list: readonly string[]): string {
  return list.length === 0 ? "never" : list.map((member) => `\n| ${member}`).join("");
}
