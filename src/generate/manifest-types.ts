import { capitalize } from "../base/identifier.ts";
import type { Deployment } from "../project/deployment.ts";
import { IS_PER_CHAIN, type Protocol, STYLE_NAMES, type StyleName } from "../project/vocabulary.ts";
import { ENDPOINT_KINDS, servedChains } from "./manifest-rows.ts";

/** A type of the manifest: its name with its parameters, what it is, and a sentence on it. */
type ManifestType = readonly [name: string, type: string, doc: string];

/** One protocol's part of the manifest. Nothing of one is in another's, so that a bundler can leave it out. */
export type ManifestPart = { readonly protocol: Protocol; readonly deployments: readonly Deployment[] };

/** Declares the types of the manifest. */
export function manifestTypes(served: readonly ManifestPart[]): string[] {
  const types: ManifestType[] = [
    ["ChainKey", "keyof typeof chains", "Our key of a chain: `ethereum`."],
    ["ChainId", '(typeof chains)[ChainKey]["chainId"]', "A chain id as a number."],
    ["Caip2", '(typeof chains)[ChainKey]["caip2"]', "A chain id with its namespace: `eip155:1`."],
    ["DeploymentName", "keyof typeof deployments", "The name of a deployment."],
    ["Protocol", union(served.map(({ protocol }) => protocol)), "A token-streaming protocol."],
    ["StyleName", union(STYLE_NAMES), "How an indexer is deployed."],
    ["Environment", '"production" | "testing"', "Which URL of a deployment is meant."],
    ...manifestUnions(served),
    [
      "StyleChains",
      `{ ${served.map(({ protocol }) => `readonly ${protocol}: { readonly multichain: ${capitalize(protocol)}MultichainChain; readonly subgraph: ${capitalize(protocol)}SubgraphChain }`).join("; ")} }`,
      "The chains of each style of a protocol.",
    ],
    [
      "OperationChain<P extends keyof typeof operations & keyof StyleChains, S extends keyof (typeof operations)[P] & keyof StyleChains[P], Name extends keyof (typeof operations)[P][S]>",
      "(typeof operations)[P][S][Name] extends readonly (infer Key)[] ? Key : StyleChains[P][S]",
      "The chains an operation is valid on.",
    ],
  ];
  return types.map(
    ([name, type, doc]) => `/** ${doc} */\nexport type ${name} =${type.startsWith("\n") ? "" : " "}${type};`,
  );
}

/** The chains that can be asked, and what `endpoint` takes, written out so that the compiler has nothing to work out. */
function manifestUnions(served: readonly ManifestPart[]): ManifestType[] {
  const types: ManifestType[] = [];
  const requests: string[] = [];
  const own = new Map<Protocol, string[]>(served.map(({ protocol }) => [protocol, []]));
  for (const [style, environment, name, what] of ENDPOINT_KINDS) {
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

function requestMember(style: StyleName, environment: string, chains: string): string {
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
  return list.length === 0 ? "never" : list.map((member) => `\n  | ${member}`).join("");
}
