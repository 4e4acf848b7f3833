import { ConfigError } from "../base/errors.ts";
import { nearestName } from "../base/text.ts";
import type { ResolvedProtocol } from "../dialects/protocol.ts";
import {
  type DocumentMode,
  type Environment,
  type Format,
  type ImportExtension,
  IS_PER_CHAIN,
  type Protocol,
  type Runtime,
  STYLE_NAMES,
  type Surface,
  type SurfaceId,
  surfacesOf,
} from "../dialects/surface.ts";
import { buildDeployments } from "./build-deployments.ts";
import type { Chain } from "./chain.ts";
import type { Config, ConfigWithIds, DocumentsConfig, IdsConfig } from "./config.ts";
import { suggest } from "./config-shapes.ts";
import type { Deployment } from "./deployment.ts";
import { parseIdTable } from "./id-table.ts";
import { BUILT_IN_PROTOCOLS, resolveProtocols, withBuiltIn } from "./protocols.ts";
import { narrowDeployment, resolveChains, resolveOnly } from "./resolve-chains.ts";
import { resolveShared, type SharedSources } from "./variables.ts";

/** A configuration with every default applied and every path, chain and deployment resolved. */
export type Project = {
  /** Absolute path of the configuration's folder. */
  readonly root: string;
  /** The first word of deployment names. */
  readonly brand: string;
  readonly shared: SharedSources;
  /** Keys, in the order of `definitions`. */
  readonly protocols: readonly Protocol[];
  /** Built-in protocols first. */
  readonly definitions: readonly ResolvedProtocol[];
  /** Each protocol in each of its styles, in their order. */
  readonly surfaces: readonly Surface[];
  /** Known surfaces that the project does not read: those that `only` excludes, and built-in protocols that are not configured. */
  readonly unread: readonly SurfaceId[];
  /** The unread surfaces that `only` excludes. Their snapshots are kept. */
  readonly waiting: readonly SurfaceId[];
  /** Relative to `root`, with `/`. */
  readonly operations: string;
  /** Where operations are in code. If several entries match a file, the last one applies. */
  readonly documents: readonly DocumentsEntry[];
  /** Relative to `root`, with `/`. */
  readonly output: string;
  readonly format: Format;
  readonly importExtension: ImportExtension;
  readonly runtime: Runtime;
  readonly documentMode: DocumentMode;
  readonly scalars: Readonly<Record<string, string>>;
  readonly follow: Readonly<Partial<Record<Protocol, string>>>;
  /** In order of key. */
  readonly chains: readonly Chain[];
  /** In order of name. */
  readonly deployments: readonly Deployment[];
  /** The deployments that the run is about. */
  readonly selected: readonly Deployment[];
  readonly concurrency: number;
  /** Milliseconds. */
  readonly timeout: number;
};

/**
 * Resolves a configuration. All defaults are applied here and nowhere else.
 *
 * @param readIdFile reads a file of ids, by its path and the key that names it.
 */
export function resolveProject(written: Config, root: string, readIdFile = refuseIdFile): Project {
  const config = mapIds(written, (path, place) => {
    // `only` does not apply, because a table may have ids of all deployments.
    const all = resolveProject({ ...written, only: undefined, subgraph: undefined }, root);
    return parseIdTable(readIdFile(path, place), path, all);
  });
  // Names in files must not depend on the environment, so a brand from a variable is used in URLs only.
  const brand = typeof config.brand === "string" ? config.brand : "protocol";
  const registry = resolveChains(config.chains ?? {});
  const configured = resolveProtocols(config);
  const whole = resolveOnly({ subgraph: config.subgraph }, registry, configured);
  const { chains, definitions } = resolveOnly(config, registry, configured);
  const surfaces = surfacesOf(definitions);
  const allSurfaces = surfacesOf(withBuiltIn(whole.definitions));
  const protocols = definitions.map(({ key }) => key);
  const shared = resolveShared(
    config,
    brand,
    configured.map(({ key }) => key),
  );
  // Deployments that `only` excludes are checked too, so that adding `only` to a valid configuration never breaks it.
  const named = buildDeployments({ ...whole, config, shared, brand });
  const deployments = named.flatMap((deployment) => narrowDeployment(deployment, chains, surfaces));
  const operations = relativeFolder("operations", config.operations ?? "operations");
  const output = relativeFolder("output", config.output ?? "generated");
  const { format = "ts", importExtension = ".js", runtime = "package", documentMode = "both" } = config;
  if (format === "js" && importExtension === ".ts") {
    throw invalid(
      '"importExtension" is ".ts", but "format" is "js".',
      'remove "importExtension", or set it to "" or ".js".',
    );
  }
  requireApart(operations, output);
  requireOwnFolder(output);
  return {
    root,
    brand,
    shared,
    protocols,
    definitions,
    surfaces,
    unread: idsBeside(allSurfaces, surfaces),
    waiting: idsBeside(surfacesOf(whole.definitions), surfaces),
    operations,
    documents: resolveDocuments(config.documents ?? [], surfaces, allSurfaces),
    output,
    format,
    importExtension,
    runtime,
    documentMode,
    scalars: config.scalars ?? {},
    follow: resolveFollow(config.follow ?? {}, named, deployments),
    chains,
    deployments,
    selected: deployments,
    concurrency: config.concurrency ?? 8,
    timeout: config.timeout ?? 15_000,
  };
}

function refuseIdFile(path: string, place: string): string {
  throw new Error(`"${place}" names ${path}, but no file is read here.`);
}

function mapIds(config: Config, read: (path: string, place: string) => IdsConfig): ConfigWithIds {
  const { subgraph, ...rest } = config;
  if (subgraph === undefined) return rest;
  const withTable = (environment: Environment) => {
    const endpoint = subgraph[environment];
    if (endpoint === undefined) return undefined;
    const { ids } = endpoint;
    return { ...endpoint, ids: typeof ids === "string" ? read(ids, `subgraph.${environment}.ids`) : ids };
  };
  return {
    ...rest,
    subgraph: { ...subgraph, production: withTable("production"), testing: withTable("testing") },
  };
}

/** Throws if the output is in the operations folder, because generated schemas would be read as operations. */
function requireApart(operations: string, output: string): void {
  if (!`${output}/`.startsWith(`${operations}/`)) return;
  throw invalid(
    operations === output
      ? `"operations" and "output" name the same folder, "${output}".`
      : `"output" is in the folder of "operations": "${output}".`,
    "name a separate folder, because every file in the first one is read as operations.",
  );
}

/** Throws if the output folder belongs to git or a package manager. */
export function requireOwnFolder(output: string): void {
  // Some file systems ignore case, drop dots and blanks at the end, or have short aliases for long names.
  const foreign = output.split("/").find((part) => FOREIGN.test(part.replace(/[. ]+$/, "")));
  if (foreign === undefined) return;
  const hint = 'name a folder that is committed, for example "generated".';
  throw invalid(`"output" must not be in "${foreign}", but is "${output}".`, hint);
}

const FOREIGN = /^(\.git|\.hg|\.svn|\.jj|git~\d+|node_modules)$/i;

function relativeFolder(key: "operations" | "output", folder: string): string {
  const parts = folder.split(/[\\/]/).filter((part) => part !== "" && part !== ".");
  if (!folder.startsWith("/") && !/^[A-Za-z]:/.test(folder) && parts.length > 0 && !parts.includes("..")) {
    return parts.join("/");
  }
  throw invalid(
    `"${key}" must be a folder below the folder of the configuration, but is "${folder}".`,
    `for example "${key === "output" ? "generated" : key}".`,
  );
}

function invalid(sentence: string, hint: string): ConfigError {
  return new ConfigError({ code: "CONFIG_INVALID_VALUE", sentence, hint });
}

function idsBeside(all: readonly Surface[], some: readonly Surface[]): SurfaceId[] {
  return all.map(({ id }) => id).filter((id) => !some.some((surface) => surface.id === id));
}

/** @param named the deployments that a configuration may name; `only` may exclude some of them from `deployments`. */
function resolveFollow(
  follow: NonNullable<Config["follow"]>,
  named: readonly Deployment[],
  deployments: readonly Deployment[],
): Partial<Record<Protocol, string>> {
  const resolved: Partial<Record<Protocol, string>> = {};
  for (const [protocol, name] of Object.entries(follow)) {
    if (name === undefined) continue;
    if (deployments.some((deployment) => deployment.name === name)) resolved[protocol] = name;
    const candidates = named
      .filter((deployment) => deployment.protocol === protocol && IS_PER_CHAIN[deployment.style])
      .map((deployment) => deployment.name);
    if (candidates.includes(name)) continue;
    const nearest = nearestName(name, candidates);
    throw new ConfigError({
      code: "CONFIG_UNKNOWN_DEPLOYMENT",
      sentence: `"follow.${protocol}" names "${name}", which is not a subgraph deployment of ${protocol}.`,
      hint: nearest ? `did you mean "${nearest}"?` : "name one of that protocol's deployments.",
    });
  }
  return resolved;
}

/** Files of code with documents. */
export type DocumentsEntry = {
  /** Patterns from the project's root. */
  readonly files: readonly string[];
  /** Patterns of excluded files. */
  readonly except: readonly string[];
  /** The functions and tags whose arguments are documents. */
  readonly names: readonly string[];
  /** The surfaces that their documents may be of; empty if `only` excludes all of them. */
  readonly surfaces: readonly Surface[];
};

/**
 * Resolves where documents are in code.
 *
 * @param surfaces the surfaces that the project reads.
 * @param allSurfaces the surfaces that a configuration may name, including those that `only` excludes.
 * @throws ConfigError for an unknown protocol or style.
 */
export function resolveDocuments(
  documents: NonNullable<Config["documents"]>,
  surfaces: readonly Surface[],
  allSurfaces: readonly Surface[],
): DocumentsEntry[] {
  const entries = documents.map((entry) => (typeof entry === "string" ? { files: entry } : entry));
  // An excluding pattern outside of an object applies to all entries.
  const excluded = documents.flatMap((entry) =>
    typeof entry === "string" && isExcept(entry) ? [entry] : [],
  );
  return entries.flatMap(({ files, protocol, style, names = DOCUMENT_NAMES }, index) => {
    const patterns = typeof files === "string" ? [files] : files;
    if (patterns.every(isExcept)) return [];
    const matches = (surface: Surface) =>
      (protocol ?? surface.protocol) === surface.protocol && (style ?? surface.style) === surface.style;
    if (!allSurfaces.some(matches))
      throw unknownDocuments(`documents.${index}`, { protocol, style }, allSurfaces);
    return [
      {
        files: patterns.filter((pattern) => !isExcept(pattern)).map(normalize),
        except: [...patterns.filter(isExcept), ...excluded].map((pattern) => normalize(pattern.slice(1))),
        names,
        surfaces: surfaces.filter(matches),
      },
    ];
  });
}

/** The names of the client preset of graphql-codegen and of GraphQL clients. */
const DOCUMENT_NAMES = ["graphql", "gql"];

function isExcept(pattern: string): boolean {
  return pattern.startsWith("!");
}

function normalize(pattern: string): string {
  return pattern.replace(/^(\.\/+)+/, "");
}

function unknownDocuments(
  place: string,
  { protocol, style }: Pick<DocumentsConfig, "protocol" | "style">,
  allSurfaces: readonly Surface[],
): ConfigError {
  const protocols = [...new Set(allSurfaces.map((surface) => surface.protocol))];
  const isKnown = protocol === undefined || protocols.includes(protocol);
  return new ConfigError({
    code: "CONFIG_UNKNOWN_KEY",
    sentence: isKnown
      ? `"${place}" has the style "${style}", but ${protocol === undefined ? "no protocol is" : `${protocol} is not`} deployed in it.`
      : `"${place}.protocol" is "${protocol}", which is not a protocol.`,
    hint: isKnown ? 'see "protocols" for the styles.' : suggest(protocol, protocols),
  });
}

/** Returns whether a definition names the entities of at least one style. */
export function hasEntities({ entities }: ResolvedProtocol): boolean {
  return STYLE_NAMES.some((style) => entities[style] !== undefined);
}

/** Returns the key that must be configured before the emulator can serve a deployment; null if it can. */
export function missingEntities(
  { definitions }: Pick<Project, "definitions">,
  { protocol, style }: Pick<Deployment, "protocol" | "style">,
): string | null {
  const definition = definitions.find(({ key }) => key === protocol);
  if (definition === undefined || !hasEntities(definition))
    return BUILT_IN_PROTOCOLS.includes(protocol) ? null : `protocols.${protocol}.entities`;
  return definition.entities[style] === undefined ? `protocols.${protocol}.entities.${style}` : null;
}

/** Returns the keys that must be configured before the emulator can serve these deployments, each once. */
export function allMissingEntities(
  project: Pick<Project, "definitions">,
  deployments: readonly Deployment[],
): string[] {
  const served = deployments.filter(({ status }) => status !== "retired");
  return [...new Set(served.flatMap((deployment) => missingEntities(project, deployment) ?? []))];
}
