import type { OutputFile } from "../base/write-files.ts";
import type { ImportExtension, Protocol } from "../dialects/surface.ts";
import { renderHeader } from "./format-files.ts";
import { protocolNames } from "./manifest-types.ts";
import { embedModules } from "./runtime-source.ts";

/** Where the client is, from the output folder. */
export const CLIENT_PATH = "client.ts";

/** The modules of the client in its order. What `narrowed.ts` stands in for comes from the manifest. */
const CLIENT_MODULES = [
  "client/client-options",
  "client/create-client",
  "client/create-client-of",
  "client/run",
  "client/each",
  "client/merged",
  "client/pages",
  "client/health",
  "client/query",
  "client/settled",
  "client/indexer-error",
  "client/chain-ref",
  "client/portable-operation",
  "client/map-variables",
  "client/filter-table",
  "client/map-filter",
  "client/map-order",
  "client/takes-operator",
  "client/wrap-pattern",
  "client/read-value",
  "client/refuse-value",
  "client/inquiry",
  "client/settle-together",
  "client/settle-batch",
  "client/group-chains",
  "client/read-page",
  "client/compare-rows",
  "client/ask-endpoint",
  "client/build-part",
  "client/heads",
  "client/check-data",
  "client/values-at",
  "client/ask",
  "client/in-slot",
  "client/wait",
  "client/on-abort",
  "client/send",
  "client/read-text",
  "client/read-answer",
  "client/host-of",
  "client/headers-of",
  "client/classify",
  "client/failure-of",
  "client/proxy-endpoint",
  "client/proxy-question",
  "client/forward",
  "client/platform",
  "is-object",
  "own",
];

/** What users of the client name. */
const CLIENT_EXPORTS = [
  ...["createClient", "Client", "ClientOptions", "MaxLag", "RequestEvent"],
  ...["run", "RunOptions", "BlockRef", "each", "EachOptions", "merged", "MergedOptions", "Merged", "Row"],
  ...["pages", "PageOptions", "Page", "PageEnd", "PageRead", "Place", "health", "HealthOptions", "Health"],
  ...["query", "queryEach", "queryPages", "Query"],
  ...["Settled", "Success", "Failed", "Head", "Chain", "ChainRef", "ChainList"],
  ...["PortableOperation", "OrderKey", "Kind", "Given", "mapVariables"],
  ...["Columns", "FilterTable", "mapFilter", "mapOrder"],
  ...["ErrorCode", "ErrorFacts", "Failure", "IndexerError"],
  // For the proxy.
  ...["AnyOperation", "ProxyQuestion", "forward"],
];

/** What only operations need with ids that the styles write differently. */
const ID_MODULES = ["client/map-ids"];
const ID_EXPORTS = ["FilterIds", "IdFilterTable", "IdForms", "IdTarget", "mapIdFilter", "mapIds", "readIds"];

/** What it takes of the manifest. */
const MANIFEST = (
  extension: ImportExtension,
) => `import { chains, deployments, endpoint, hasEndpoint } from "./manifest${extension}";
import type {
  ChainKey,
  Chain as ChainRow,
  Deployment,
  Endpoint,
  EndpointRequest,
  Environment,
  Protocol,
  StyleChains,
  Variables,
} from "./manifest${extension}";

/** Both styles, also where the project has one of them. */
type StyleName = "multichain" | "subgraph";`;

/**
 * Renders the client, which runs portable operations: the same text for every project.
 *
 * @param mapsIds whether operations have ids that the styles write differently.
 */
export function renderClient(extension: ImportExtension = ".js", mapsIds = false): OutputFile {
  const code = embedModules(
    [...CLIENT_MODULES, ...(mapsIds ? ID_MODULES : [])],
    [...CLIENT_EXPORTS, ...(mapsIds ? ID_EXPORTS : [])],
  );
  return { path: CLIENT_PATH, content: `${renderHeader("")}\n${MANIFEST(extension)}\n\n${code}\n` };
}

/** Where the proxy is, from the output folder. */
export const PROXY_PATH = "proxy.ts";

/** The modules of the proxy in its order. What `operations.ts` stands in for is the project's own. */
const PROXY_MODULES = [
  "proxy/create-proxy",
  "proxy/answer",
  "proxy/read-body",
  "proxy/parse-question",
  "proxy/refuse-request",
  "proxy/answer-error",
  "proxy/render-body",
  "proxy/web",
  "is-object",
];

/** What users of the proxy name. */
const PROXY_EXPORTS = ["ProxyOptions", "WebRequest", "WebResponse", "createProxy"];

/** What it takes of the client. */
const CLIENT = (extension: ImportExtension) => `import {
  type AnyOperation,
  type Client,
  type ClientOptions,
  createClient,
  type ErrorCode,
  forward,
  IndexerError,
  type ProxyQuestion,
} from "./client${extension}";`;

/** Renders the proxy, which asks for pages what is written once in some protocols. */
export function renderProxy(protocols: readonly Protocol[], extension: ImportExtension): OutputFile {
  const modules = protocols.map((protocol) => [protocolNames(protocol).operations, protocol] as const);
  const header = [
    renderHeader(""),
    CLIENT(extension),
    ...modules.map(([name, protocol]) => `import * as ${name} from "./${protocol}/portable${extension}";`),
  ];
  const values = modules.map(([name]) => `...Object.values(${name})`).join(", ");
  // A function, so that who imports the module and uses nothing of it has nothing in a bundle.
  const list = `function listOperations(): readonly object[] {\n  return [${values}];\n}`;
  const sections = [header.join("\n"), list];
  return {
    path: PROXY_PATH,
    content: `${[...sections, embedModules(PROXY_MODULES, PROXY_EXPORTS)].join("\n\n")}\n`,
  };
}
