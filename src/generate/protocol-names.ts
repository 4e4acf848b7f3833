import { capitalize } from "../base/identifier.ts";
import { once } from "../base/once.ts";
import type { Protocol } from "../project/vocabulary.ts";
import { runtimeSource } from "./runtime-source.ts";

/** What the manifest calls a protocol's parts. No two protocols share a name, whatever their keys are. */
export type ProtocolNames = {
  /** How it is served, for the manifest alone: `myAuctions`. */
  readonly served: string;
  /** `myAuctionsDeployments` */
  readonly deployments: string;
  /** `myAuctionsOperations` */
  readonly operations: string;
  /** `myAuctionsMultichainChainIds` */
  readonly chainIds: string;
  /** `myAuctionsEndpoint` */
  readonly endpoint: string;
  /** `MyAuctionsRequest` */
  readonly request: string;
  /** `MyAuctionsSubgraphChain`, of `SubgraphChain`. */
  readonly chainOf: (type: string) => string;
};

/** Names the parts of a protocol after its key. A name that is taken gets an underscore, which no key makes there. */
export function protocolNames(protocol: Protocol): ProtocolNames {
  const value = camelCase(protocol);
  const type = capitalize(value);
  return {
    // Another protocol's key may be this one's and the end of a public name.
    served:
      /(Deployments|Operations|MultichainChainIds|Endpoint)$/.test(value) || isTaken(value)
        ? `${value}_`
        : value,
    deployments: nameOf(value, "Deployments"),
    operations: nameOf(value, "Operations"),
    chainIds: nameOf(value, "MultichainChainIds"),
    endpoint: nameOf(value, "Endpoint"),
    request: nameOf(type, "Request"),
    chainOf: (chain) => nameOf(type, chain),
  };
}

/** `my-auctions` gives `myAuctions`. What has no upper case leaves a trace, so that `a-1` is not `a1`, nor `a-` `a`. */
function camelCase(key: string): string {
  return key
    .replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
    .replace(/-(?=\d)/g, "_")
    .replaceAll("-", () => "$");
}

function nameOf(base: string, end: string): string {
  return isTaken(base + end) ? `${base}_${end}` : base + end;
}

function isTaken(name: string): boolean {
  return RESERVED.has(name) || ownWords().has(name);
}

/** Every word of the manifest's own code: more than its names, but none that is a name is forgotten. */
const ownWords = once(() => new Set([...(runtimeSource().match(/\w+/g) ?? []), ...MANIFEST_NAMES]));

/** The names of the manifest that the modules of its code do not hold. */
const MANIFEST_NAMES = [
  ...["chains", "deployments", "operations", "multichainChainIds", "resolveChain", "endpoint", "hasEndpoint"],
  ...["EndpointRequest", "MultichainChain", "SubgraphChain", "TestingChain"],
  // The parameters of its functions.
  ...["chain", "request", "env"],
];

/** What names no constant of a module. */
export const RESERVED: ReadonlySet<string> = new Set(
  "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function globalThis if implements import in instanceof interface let new null package private process protected public return static super switch this throw true try typeof undefined var void while with yield".split(
    " ",
  ),
);
