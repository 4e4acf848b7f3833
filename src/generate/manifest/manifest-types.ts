import { capitalize, propertyName } from "../../base/text.ts";
import type { ResolvedProtocol } from "../../dialects/protocol.ts";
import {
  type Environment,
  IS_PER_CHAIN,
  type Protocol,
  STYLE_NAMES,
  type StyleName,
} from "../../dialects/surface.ts";
import type { Chain } from "../../project/chain.ts";
import type { Deployment } from "../../project/deployment.ts";
import { ENDPOINT_KINDS, servedChains } from "../../project/manifest-rows.ts";
import { docComment } from "../type-tree.ts";

/** A type of the manifest: its name with its parameters, its definition and its comment. */
type ManifestType = readonly [name: string, type: string, doc: string];

/** One protocol's part of the manifest. Parts do not refer to each other, so that bundlers can drop unused ones. */
export type ManifestPart = {
  readonly definition: Pick<ResolvedProtocol, "key" | "title" | "styles" | "deployment">;
  readonly names: ReturnType<typeof protocolNames>;
  readonly deployments: readonly Deployment[];
};

/** Declares the types of the manifest. */
export function manifestTypes(
  served: readonly ManifestPart[],
  chains: readonly Pick<Chain, "key" | "chainId">[],
): string[] {
  const types: ManifestType[] = [
    ["ChainKey", "keyof typeof chains", "The key of a chain: `ethereum`."],
    ["ChainId", '(typeof chains)[ChainKey]["chainId"]', "A chain id as a number."],
    [
      "ChainOrId<Key extends ChainKey>",
      'Key | (typeof chains)[Key]["chainId"]',
      "A chain by its key or its id.",
    ],
    [
      "ChainsById",
      `{ ${chains.map(({ chainId, key }) => `readonly ${chainId}: ${JSON.stringify(key)}`).join("; ")} }`,
      "The key of each chain by its id.",
    ],
    ["Caip2", '(typeof chains)[ChainKey]["caip2"]', "A chain id with its namespace: `eip155:1`."],
    ["DeploymentName", "keyof typeof deployments", "The name of a deployment."],
    ["Protocol", union(served.map(({ definition }) => definition.key)), "The key of a protocol."],
    [
      "StyleName",
      union(STYLE_NAMES.filter((style) => served.some(has(style)))),
      "How an indexer is deployed.",
    ],
    ["Environment", '"production" | "testing"', "The environment of an endpoint."],
    [
      "Deployment",
      "DeploymentOf<Protocol, StyleName, ChainKey>",
      "A deployment: its protocol, its style and its chains.",
    ],
    [
      "Endpoint<P extends Protocol = Protocol, S extends StyleName = StyleName>",
      "AnyEndpoint<P, S, ChainKey, DeploymentName>",
      "Where to send a query, and how.",
    ],
    [
      "EndpointOf<Surface extends string>",
      "AnyEndpointOf<Surface, ChainKey, DeploymentName>",
      "The endpoints that answer the documents of a surface, which is named `protocol/style`.",
    ],
    ...manifestUnions(served),
    ["StyleChains", `{ ${served.map(styleChains).join("; ")} }`, "The chains of each style of a protocol."],
    [
      "OperationChain<P extends keyof typeof operations & keyof StyleChains, S extends keyof (typeof operations)[P] & keyof StyleChains[P], Name extends keyof (typeof operations)[P][S]>",
      "(typeof operations)[P][S][Name] extends readonly (infer Key)[] ? Key : StyleChains[P][S]",
      "The chains an operation is valid on.",
    ],
  ];
  return types.map(
    ([name, type, doc]) =>
      `${docComment(doc, "")}export type ${name} =${type.startsWith("\n") ? "" : " "}${type};`,
  );
}

function styleChains({ definition, names }: ManifestPart): string {
  const members = ENDPOINT_KINDS.filter(
    ([style, environment]) => environment === "production" && definition.styles.includes(style),
  ).map(([style, , type]) => `readonly ${style}: ${names.chainOf(type)}`);
  return `readonly ${propertyName(definition.key)}: { ${members.join("; ")} }`;
}

/** Declares the served chains and the requests of `endpoint`, written out so that the compiler has less to compute. */
function manifestUnions(served: readonly ManifestPart[]): ManifestType[] {
  const types: ManifestType[] = [];
  const requests: string[] = [];
  const requestsOf = new Map<ManifestPart, string[]>(served.map((part) => [part, []]));
  for (const kind of ENDPOINT_KINDS) {
    const [style, environment, name, what] = kind;
    const sets = served.filter(has(style)).map((part) => {
      const chains = servedChains(part.deployments, style, environment);
      return { part, name: part.names.chainOf(name), union: union(chains) };
    });
    const having = sets.filter((set) => set.union !== "never");
    const isCommon = having.every(
      ({ part, union }) => union === having[0]?.union && !lacksProduction(part, style, environment),
    );
    const common = isCommon ? having[0]?.union : undefined;
    types.push([
      name,
      having.length === 0 ? "never" : (common ?? having.map((set) => set.name).join(" | ")),
      `The chains that have ${what}.`,
    ]);
    for (const set of sets) {
      const { key, title } = set.part.definition;
      const isSame = set.union === common;
      types.push([set.name, isSame ? name : set.union, `The chains that have ${what} of ${title}.`]);
      if (set.union === "never") continue;
      const all = requestMembers(set.part, kind, set.name);
      requestsOf.get(set.part)?.push(...all.map((member) => `{ ${member} }`));
      if (!isSame) requests.push(...all.map((member) => `{ readonly protocol: "${key}"; ${member} }`));
    }
    const [first] = having;
    if (common !== undefined && first !== undefined) {
      const protocols =
        having.length === served.length ? "Protocol" : union(having.map(({ part }) => part.definition.key));
      const all = requestMembers(first.part, kind, name);
      requests.push(...all.map((member) => `{ readonly protocol: ${protocols}; ${member} }`));
    }
  }
  types.push(["EndpointRequest", members(requests), "The requests that `endpoint` accepts."]);
  for (const [{ names }, list] of requestsOf) {
    types.push([names.request, members(list), `The requests that \`${names.endpoint}\` accepts.`]);
  }
  return types;
}

function has(style: StyleName): (part: ManifestPart) => boolean {
  return ({ definition }) => definition.styles.includes(style);
}

function requestMembers(
  part: ManifestPart,
  [style, environment]: (typeof ENDPOINT_KINDS)[number],
  chains: string,
): string[] {
  const member = (keys: string, environments: string) =>
    [
      `readonly style: "${style}"`,
      IS_PER_CHAIN[style]
        ? `readonly chain: ChainOrId<${keys}>`
        : `readonly chain?: ChainOrId<${keys}> | undefined`,
      `readonly environment${environments}`,
    ].join("; ");
  if (environment === "production") return [member(chains, '?: "production" | undefined')];
  // Most chains with a testing URL also have one for production, so the environment may be a variable.
  const either = (keys: string) => member(keys, "?: Environment | undefined");
  return lacksProduction(part, style, environment)
    ? [either(`Extract<${chains}, ${part.names.chainOf("SubgraphChain")}>`), member(chains, ': "testing"')]
    : [either(chains)];
}

/** Whether a chain has an endpoint in an environment but not in production, where a gateway may have no id for it. */
function lacksProduction({ deployments }: ManifestPart, style: StyleName, environment: Environment): boolean {
  const inProduction = servedChains(deployments, style, "production");
  return servedChains(deployments, style, environment).some((key) => !inProduction.includes(key));
}

/** Renders a union of strings. */
export function union(names: readonly string[]): string {
  return names.length === 0 ? "never" : names.map((name) => JSON.stringify(name)).join(" | ");
}

function members(list: readonly string[]): string {
  return list.length === 0 ? "never" : list.map((member) => `\n  | ${member}`).join("");
}

/**
 * Names the parts of a protocol after its key. A reserved name gets an underscore, which no key produces there, so that no
 * two protocols share a name.
 */
export function protocolNames(protocol: Protocol) {
  const value = camelCase(protocol);
  const type = capitalize(value);
  return {
    // The constant with routes and deployments is not exported. Another protocol's key may be this key followed by the end
    // of a public name.
    served:
      /(Routes|Deployments|Operations|MultichainChainIds|Endpoint)$/.test(value) || isTaken(value)
        ? `${value}_`
        : value,
    routes: nameOf(value, "Routes"),
    deployments: nameOf(value, "Deployments"),
    operations: nameOf(value, "Operations"),
    chainIds: nameOf(value, "MultichainChainIds"),
    endpoint: nameOf(value, "Endpoint"),
    request: nameOf(type, "Request"),
    chainOf: (chain: string) => nameOf(type, chain),
  };
}

/** Turns `my-auctions` into `myAuctions`. A dash before a digit or at the end leaves a trace: `a-1` is not `a1`. */
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
  return RESERVED.has(name) || MANIFEST_NAMES.has(name);
}

/** The other names of the manifest that a protocol's part could have. */
const MANIFEST_NAMES: ReadonlySet<string> = new Set([
  ...["chains", "deployments", "operations", "multichainChainIds", "resolveChain", "endpoint", "hasEndpoint"],
  "EndpointRequest",
  // The parameters of its functions.
  ...["chain", "request", "env"],
  // Its imports.
  ...["buildEndpoint", "findChain", "isServed", "listDeployments"],
]);

/** Names that a constant of a module cannot have. */
export const RESERVED: ReadonlySet<string> = new Set(
  "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function globalThis if implements import in instanceof interface let new null package private process protected public return static super switch this throw true try typeof undefined var void while with yield".split(
    " ",
  ),
);
