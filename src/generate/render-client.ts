import type { OutputFile } from "../base/output-file.ts";
import { renderHeader } from "./format-files.ts";
import { protocolNames } from "./manifest/manifest-types.ts";
import type { PreparedSurface } from "./prepare-documents.ts";
import { type Imports, runtimeModule } from "./runtime.ts";

/** The path of the client, from the output folder. */
export const CLIENT_PATH = "client.ts";

/** The path of the client of pages behind a proxy, from the output folder. */
export const PROXIED_PATH = "proxied.ts";

/**
 * Renders the client of a project: the run time's functions with the project's types and endpoints.
 *
 * @param isProxied renders that of pages behind a proxy, which only sends their calls to it.
 */
export function renderClient(imports: Imports, isProxied: boolean): OutputFile {
  const { importExtension: extension } = imports;
  const runtime = runtimeModule(isProxied ? "proxied" : "index", imports);
  const routes = isProxied ? "routesWithoutUrls" : "routes";
  const create = isProxied
    ? `/** Creates a client of this project's proxy, for the operations of \`proxied.ts\`. */
export function createClient(options: ClientOptions): Client {
  return createClientOf(options);
}`
    : `/** Creates a client of this project. Sends nothing yet; one client can serve a whole program. */
export function createClient(options: ClientOptions = {}): Client {
  return createClientOf(routes, options);
}`;
  const names = [...TYPES.map(([name]) => name), "ClientOptions"].sort();
  const types = TYPES.map(
    ([name, parameters, value, doc]) =>
      `/** ${doc} */\nexport type ${name}${parameters} = ${name}Of<${value}>;`,
  );
  const request = isProxied ? "" : "\n  EndpointRequest,";
  const sections = [
    `${renderHeader("")}
import {
${names.map((name) => `  type ${name} as ${name}Of,\n`).join("")}  createClient as createClientOf,
  isServed as isServedOf,
  type ServedOperation,
} from "${runtime}";
import type {
  ChainKey,
  chains,${request}
  Protocol,
  StyleChains,
} from "./manifest${extension}";
import { ${routes} } from "./routes${extension}";

export * from "${runtime}";`,
    `/** The ids of each protocol's chains by their keys. */
export type Project = {
  readonly [P in Protocol]: {
    readonly [Key in ChainKey & StyleChains[P][keyof StyleChains[P]]]: (typeof chains)[Key]["chainId"];
  };
};`,
    `/** The options of a client. */
export type ClientOptions = ClientOptionsOf${isProxied ? "" : "<EndpointRequest>"};`,
    ...types,
    create,
    `/** Returns whether the protocol of an operation is served on a chain, by key or by id, for example the id of a wallet. */
export function isServed<P extends Protocol>(operation: ServedOperation<P>, id: unknown): id is ChainRef<P> {
  return isServedOf(${routes}, operation, id);
}`,
  ];
  return { path: isProxied ? PROXIED_PATH : CLIENT_PATH, content: `${sections.join("\n\n")}\n` };
}

/** The types of the run time that a project narrows to its chains. */
const TYPES: readonly (readonly [name: string, parameters: string, value: string, doc: string])[] = [
  ["Client", "", "Project", "A client of this project."],
  ["Chain", "<P extends Protocol>", "Project[P]", "The keys of a protocol's chains, in either style."],
  ["ChainRef", "<P extends Protocol>", "Project[P]", "A chain by its key or its id."],
  ["ChainList", "<P extends Protocol>", "Project[P]", 'Several chains, or `"all"` or `"mainnets"`.'],
  ["RunOptions", "<P extends Protocol>", "Project[P]", "The options of `run`."],
  ["EachOptions", "<P extends Protocol, R>", "Project[P], R", "The options of `each`."],
  ["MergedOptions", "<P extends Protocol>", "Project[P]", "The options of `merged`."],
  ["PageOptions", "<P extends Protocol>", "Project[P]", "The options of `pages`."],
  ["HealthOptions", "<P extends Protocol>", "Project[P]", "The options of `health`."],
];

/** The path of the proxy, from the output folder. */
export const PROXY_PATH = "proxy.ts";

/** Renders the proxy of a project, which answers calls of the portable operations of all protocols; nothing without any. */
export function renderProxy(prepared: readonly PreparedSurface[], imports: Imports): OutputFile[] {
  const protocols = new Set(prepared.flatMap(({ protocol, compiled }) => (compiled ? [protocol] : [])));
  if (protocols.size === 0) return [];
  const { importExtension: extension } = imports;
  const runtime = runtimeModule("proxy", imports);
  const modules = [...protocols].map((protocol) => [protocolNames(protocol).operations, protocol] as const);
  const values = modules.map(([name]) => `...Object.values(${name})`).join(", ");
  const content = `${renderHeader("")}
import {
  createProxy as createProxyOf,
  type ProxyOptions as ProxyOptionsOf,
  type WebRequest,
  type WebResponse,
} from "${runtime}";
import type { EndpointRequest } from "./manifest${extension}";
import { routes } from "./routes${extension}";
${modules.map(([name, protocol]) => `import * as ${name} from "./${protocol}/portable${extension}";\n`).join("")}
export type { WebRequest, WebResponse } from "${runtime}";
export { toNodeHandler } from "${runtimeModule("node", imports)}";

/** The options of a proxy. */
export type ProxyOptions = ProxyOptionsOf<EndpointRequest>;

/**
 * Creates the handler of the calls of pages. It has the texts of the operations and their endpoints, queries the indexers
 * with the key, and only runs generated operations.
 */
export function createProxy(options: ProxyOptions = {}): (request: WebRequest) => Promise<WebResponse> {
  const operations = [${values}];
  return createProxyOf(routes, operations, options);
}
`;
  return [{ path: PROXY_PATH, content }];
}
