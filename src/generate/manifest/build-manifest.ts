import type { Lifecycle } from "../../../packages/client/src/manifest/manifest-types.ts";
import type { OutputFile } from "../../base/output-file.ts";
import { propertyName, quote, typescriptLiteral } from "../../base/text.ts";
import type { ResolvedProtocol } from "../../dialects/protocol.ts";
import type { StyleName } from "../../dialects/surface.ts";
import type { Chain } from "../../project/chain.ts";
import {
  buildSources,
  chainRow,
  deploymentRoutes,
  deploymentRow,
  ENDPOINT_KINDS,
  servedChains,
} from "../../project/manifest-rows.ts";
import type { Project } from "../../project/project.ts";
import { renderHeader } from "../format-files.ts";
import type { SurfaceCoverage } from "../prepare-documents.ts";
import { type Imports, runtimeModule } from "../runtime.ts";
import { docComment } from "../type-tree.ts";
import { type ManifestPart, manifestTypes, protocolNames, union } from "./manifest-types.ts";
import { declareProcess, textRow } from "./render-routes.ts";

/** The input of the manifest. It contains no keys and no values of environment variables. */
export type ManifestInput = Pick<Project, "brand" | "shared" | "chains" | "deployments"> & {
  readonly asOf: string;
  readonly definitions: readonly Pick<ResolvedProtocol, "key" | "title" | "styles" | "deployment">[];
  readonly operations: readonly SurfaceCoverage[];
};

/** Builds the manifest module: chains, deployments and operations as constants, and functions that look them up. */
export function buildManifest(input: ManifestInput, imports: Imports): OutputFile {
  const parts = input.definitions
    .map((definition): ManifestPart => {
      const deployments = input.deployments.filter(({ protocol }) => protocol === definition.key);
      return { definition, names: protocolNames(definition.key), deployments };
    })
    .filter(({ deployments }) => deployments.length > 0);
  const tables = parts.map((part) => served(part, input));
  const statements = [
    [renderHeader(" from the chain registry and the configuration"), ...importRuntime(parts, imports)].join(
      "\n",
    ),
    'type Status = Lifecycle["status"];',
    constant(
      "chains",
      `The chains, as of ${input.asOf}, by key. \`multichain\` is the name on multichain indexers, \`subgraph\` the suffix in the names of subgraph deployments, \`shortName\` the EIP-3770 name; null if there is none. \`secondsPerBlock\` is an estimate; null if unknown.`,
      input.chains.map((chain) => row(chain.key, lifecycleLiteral(chainRow(chain)))),
    ),
    ...parts.map((part) => listedDeployments(part, input.chains)),
    allDeployments(parts),
    ...parts.map(({ definition, names, deployments }) =>
      constant(
        names.operations,
        `The operations of ${definition.title} by style, each with the chains it is valid on; "all" is every chain of the style.`,
        input.operations.flatMap(({ style, coverage, ...surface }) => {
          if (surface.protocol !== definition.key) return [];
          const served = servedChains(deployments, style, "production");
          const rows = coverage.map((operation) =>
            row(operation.operation, typescriptLiteral(operationRow(operation, served))),
          );
          return block(style, rows);
        }),
      ),
    ),
    allOperations(parts),
    ...chainIds(parts),
    ...manifestTypes(parts, input.chains),
    ...manifestFunctions(parts),
    ...declareProcess(tables),
    ...tables,
  ];
  return { path: "manifest.ts", content: `${statements.join("\n\n")}\n` };
}

/** Imports the code of the manifest, and declares its types with the names of the project. */
function importRuntime(parts: readonly ManifestPart[], imports: Imports): string[] {
  const module = runtimeModule("manifest", imports);
  return [
    "import {",
    "  buildEndpoint,",
    "  type Deployment as DeploymentOf,",
    "  type Endpoint as AnyEndpoint,",
    "  type EndpointOf as AnyEndpointOf,",
    "  findChain,",
    "  isServed,",
    "  listDeployments,",
    "  type Lifecycle,",
    "  type Served,",
    "  type Variables,",
    `} from "${module}";`,
    `import { ${parts.map(({ names }) => names.routes).join(", ")} } from "./routes${imports.importExtension}";`,
    "",
    `export type { AuthRule, Chain, Lifecycle, Variables } from "${module}";`,
  ];
}

function constant(name: string, doc: string, lines: readonly string[]): string {
  return [`${docComment(doc, "")}export const ${name} = {`, ...indent(lines), "} as const;"].join("\n");
}

function row(key: string, literal: string): string {
  return `${propertyName(key)}: ${literal},`;
}

/** Renders a row whose status has the type of any status, so that code can compare it with one that no row has now. */
function lifecycleLiteral(value: Lifecycle): string {
  return typescriptLiteral(value).replace(/\bstatus: "\w+"/, "$& as Status");
}

function block(key: string, lines: readonly string[]): string[] {
  return [`${key}: {`, ...indent(lines), "},"];
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

/** Renders the deployments of a protocol: a rule for their names, and a row for each that has other facts. */
function listedDeployments(
  { definition, names, deployments }: ManifestPart,
  chains: readonly Chain[],
): string {
  const { key: protocol, title } = definition;
  const active = deployments.filter(({ status }) => status !== "retired");
  const byRule = new Map<string, { readonly style: StyleName; readonly keys: string[] }>();
  for (const { style, name, chains: keys } of deploymentRoutes(active, chains)) {
    byRule.set(name, { style, keys: [...(byRule.get(name)?.keys ?? []), ...keys] });
  }
  const named = (style: StyleName, keys: readonly string[]) => {
    const isAll = union(servedChains(deployments, style, "production")) === union([...keys].sort());
    const kind = ENDPOINT_KINDS.find(
      ([kindStyle, environment]) => kindStyle === style && environment === "production",
    );
    return isAll && kind ? names.chainOf(kind[2]) : union(keys);
  };
  const typeOf = (style: StyleName, rest: string) =>
    `DeploymentOf<${[quote(protocol), quote(style), rest].join(", ")}>`;
  const types = [...byRule].map(([name, { style, keys }]) =>
    name.endsWith("{suffix}")
      ? `{ readonly [Key in ${named(style, keys)} as \`${escapeTemplate(name.slice(0, -"{suffix}".length))}\${(typeof chains)[Key]["subgraph"]}\`]: ${typeOf(style, "Key, readonly [Key]")} }`
      : `{ readonly ${quote(name)}: ${typeOf(style, named(style, keys))} }`,
  );
  const others = deployments.filter(
    (deployment) =>
      deployment.status !== "active" ||
      deployment.since !== undefined ||
      deployment.reason !== undefined ||
      deployment.formerChains !== undefined,
  );
  types.push(
    ...others
      .filter(({ status }) => status === "retired")
      .map(({ name, style, chains: keys }) => `{ readonly ${quote(name)}: ${typeOf(style, union(keys))} }`),
  );
  const rows = others.map((other) => row(other.name, typescriptLiteral(deploymentRow(other))));
  const parameters = [
    quote(protocol),
    names.routes,
    "chains",
    ...(rows.length > 0 ? [`{\n${indent(rows).join("\n")}\n}`] : []),
  ];
  const doc = `The deployments of ${title} by name. A multichain deployment serves all of its chains from one endpoint.`;
  const type = types.length === 0 ? "{}" : types.join(" &\n  ");
  return `${docComment(doc, "")}export const ${names.deployments}: ${type} = /* @__PURE__ */ listDeployments(${parameters.join(", ")});`;
}

function escapeTemplate(text: string): string {
  return text.replace(/[\\`]|\$\{/g, "\\$&");
}

function allDeployments(parts: readonly ManifestPart[]): string {
  const all = parts.map(({ names }) => names.deployments);
  const type = all.map((name) => `typeof ${name}`).join(" & ");
  // Bundlers keep a spread, which may run code; they drop an unused pure call.
  return `/** All deployments by name. */\nexport const deployments: ${type} = /* @__PURE__ */ Object.assign({}, ${all.join(", ")});`;
}

function allOperations(parts: readonly ManifestPart[]): string {
  return `/** All operations by protocol and style. */\nexport const operations: ${byProtocol(parts, "operations")};`;
}

/** Renders the type and the value of an object with one constant of each protocol. */
function byProtocol(parts: readonly ManifestPart[], constant: "operations" | "chainIds"): string {
  const rows = parts.map(({ definition, names }) => [propertyName(definition.key), names[constant]] as const);
  const type = rows.map(([key, name]) => `readonly ${key}: typeof ${name}`).join("; ");
  const value = rows.map(([key, name]) => `${key}: ${name}`).join(", ");
  return `{ ${type} } = { ${value} }`;
}

/**
 * Renders the chain ids for requests about all chains. They are strings, as `numeric` is in JSON, and lists instead of
 * tuples, because documents accept mutable lists.
 */
function chainIds(parts: readonly ManifestPart[]): string[] {
  const having = parts.filter(({ definition }) => definition.styles.includes("multichain"));
  return [
    ...having.map(({ definition, names, deployments }) => {
      const doc = `The ids of all chains that the multichain indexer of ${definition.title} serves: the variable \`chainIds\` for all of them.`;
      const served = deployments.find(
        (deployment) => servedChains([deployment], "multichain", "production").length > 0,
      );
      const list = served
        ? `/* @__PURE__ */ ${names.deployments}[${JSON.stringify(served.name)}].chains.map((key) => String(chains[key].chainId))`
        : "[]";
      return `${docComment(doc, "")}export const ${names.chainIds}: string[] = ${list};`;
    }),
    `/** The ids of the chains of every multichain indexer by protocol. */\nexport const multichainChainIds: ${byProtocol(having, "chainIds")};`,
  ];
}

function served({ definition, names, deployments }: ManifestPart, { shared }: ManifestInput): string {
  const { links } = buildSources(shared, deployments, definition.key);
  const lines = [
    row("protocol", typescriptLiteral(definition.key)),
    row("routes", names.routes),
    row("deployments", names.deployments),
    ...block(
      "links",
      Object.entries(links).map(([name, { playground, explorer }]) =>
        textRow(name, { playground, explorer }),
      ),
    ),
  ];
  return [`const ${names.served}: Served = {`, ...indent(lines), "};"].join("\n");
}

/** Renders the functions of the manifest, which pass its chains and deployments to the run time. */
export function manifestFunctions(parts: readonly ManifestPart[]): string[] {
  const all = `[${parts.map(({ names }) => names.served).join(", ")}]`;
  return [
    declare(
      [
        "resolveChain(chain: string | number | bigint): ChainKey",
        "resolveChain<Id extends keyof ChainsById>(chain: Id): ChainsById[Id]",
        "resolveChain(chain: string | number | bigint): ChainKey",
      ],
      "findChain(chains, chain)",
      "Returns the key of a chain by its id (number, bigint, decimal or hex), CAIP-2 id, key, name, EIP-3770 short name, suffix or alias. Ignores case, blanks, underscores and dashes, except before a digit. Throws for an unknown chain, and suggests the nearest names. For a literal id, the compiler knows the key.",
    ),
    declare(
      [
        "endpoint(request: EndpointRequest, env?: Variables): Endpoint",
        "endpoint<P extends Protocol, S extends StyleName>(request: EndpointRequest & { readonly protocol: P; readonly style: S }, env?: Variables): Endpoint<P, S>",
      ],
      `buildEndpoint(${all}, chains, { ${spread(parts)} }, env)`,
      "Returns the endpoint of a protocol in a style, on a chain; `environment` is production by default. `chain` is a key, as `resolveChain` returns it, or an id. `env` has the environment variables that the URLs contain; the default is `process.env`, or the values that a bundler inserts. Throws if there is no such endpoint, and lists the existing ones. Throws if a variable is missing or invalid.",
    ),
    ...parts.map((part) => {
      const { definition, names } = part;
      return declare(
        [
          `${names.endpoint}(request: ${names.request}, env?: Variables): Endpoint`,
          `${names.endpoint}<S extends StyleName>(request: ${names.request} & { readonly style: S }, env?: Variables): Endpoint<"${definition.key}", S>`,
        ],
        `buildEndpoint([${names.served}], chains, { protocol: "${definition.key}", ${spread([part])} }, env)`,
        `\`endpoint\` for ${definition.title} alone: its bundle contains nothing of other protocols.`,
      );
    }),
    declare(
      "hasEndpoint(request: { readonly protocol: string; readonly style: string; readonly chain?: string | number | undefined; readonly environment?: string | undefined }): request is EndpointRequest",
      `isServed(${all}, chains, { ...request })`,
      "Returns whether there is such an endpoint. Narrows a request with any chain to one that `endpoint` accepts.",
    ),
  ];
}

/** Without any endpoint, the type of a request is `never`, which the compiler does not spread. */
function spread(parts: readonly ManifestPart[]): string {
  return parts.some(isServed) ? "...request" : "...(request as object)";
}

function isServed({ deployments }: ManifestPart): boolean {
  return ENDPOINT_KINDS.some(
    ([style, environment]) => servedChains(deployments, style, environment).length > 0,
  );
}

/** @param signatures that of the implementation, and the overloads that callers see instead of the implementation's signature, which the compiler checks faster. */
function declare(signatures: string | readonly string[], value: string, doc: string): string {
  const [implementation = "", ...overloads] = [signatures].flat();
  const lines = [...overloads.map((overload) => `${overload};`), `${implementation} {`];
  return `${docComment(doc, "")}${lines.map((line) => `export function ${line}\n`).join("")}  return ${value};\n}`;
}

function operationRow(
  { chains, missing }: SurfaceCoverage["coverage"][number],
  served: readonly string[],
): "all" | string[] {
  return missing.length === 0 ? "all" : served.filter((chain) => chains.includes(chain));
}
