import { ConfigError } from "../base/errors/config-error.ts";
import { nearestName } from "../base/nearest-name.ts";
import { buildDeployments } from "./build-deployments.ts";
import type { Chain } from "./chain.ts";
import type { Config } from "./config.ts";
import type { Deployment } from "./deployment.ts";
import { type ResolvedProtocol, resolveProtocols, withBuiltIn } from "./protocols/resolve-protocols.ts";
import { resolveChains } from "./resolve-chains.ts";
import { type DocumentsEntry, resolveDocuments } from "./resolve-documents.ts";
import { narrowDeployment, resolveOnly } from "./resolve-only.ts";
import { resolveShared, type SharedSources } from "./resolve-shared.ts";
import { type Surface, type SurfaceId, surfacesOf } from "./surface.ts";
import { type Format, IS_PER_CHAIN, type Protocol } from "./vocabulary.ts";

/** A configuration with every default applied and every path, chain and deployment resolved. */
export type Project = {
  /** Absolute path of the configuration's folder. */
  readonly root: string;
  /** The first word of deployment names. */
  readonly brand: string;
  readonly shared: SharedSources;
  /** Keys, in the order of `definitions`. */
  readonly protocols: readonly Protocol[];
  /** Those that ship with the toolkit first. */
  readonly definitions: readonly ResolvedProtocol[];
  /** Each of the protocols in each style, in their order. */
  readonly surfaces: readonly Surface[];
  /** Surfaces that are known and not asked for: `only` leaves them out, or the protocol ships and is not configured. */
  readonly unread: readonly SurfaceId[];
  /** Those of them that `only` leaves out, whose snapshots wait for the day on which it does not. */
  readonly waiting: readonly SurfaceId[];
  /** Relative to `root`, with `/`. */
  readonly operations: string;
  /** Where code holds operations; of entries that match one file the last counts. */
  readonly documents: readonly DocumentsEntry[];
  /** Relative to `root`, with `/`. */
  readonly output: string;
  readonly format: Format;
  readonly scalars: Readonly<Record<string, string>>;
  readonly follow: Readonly<Partial<Record<Protocol, string>>>;
  /** In order of key. */
  readonly chains: readonly Chain[];
  /** In order of name. */
  readonly deployments: readonly Deployment[];
  /** Those of them that the run is about. */
  readonly selected: readonly Deployment[];
  readonly concurrency: number;
  /** Milliseconds. */
  readonly timeout: number;
};

/** Resolves a configuration; below this no code knows a default. */
export function resolveProject(config: Config, root: string): Project {
  // A name in files must not depend on a variable, so a brand that is in one is used in URLs only.
  const brand = typeof config.brand === "string" ? config.brand : "protocol";
  const registry = resolveChains(config.chains ?? {});
  const configured = resolveProtocols(config);
  const whole = resolveOnly({ subgraph: config.subgraph }, registry, configured);
  const { chains, definitions } = resolveOnly(config, registry, configured);
  const surfaces = surfacesOf(definitions);
  const known = surfacesOf(withBuiltIn(whole.definitions));
  const protocols = definitions.map(({ key }) => key);
  const shared = resolveShared(
    config,
    brand,
    configured.map(({ key }) => key),
  );
  // What is said of those that `only` leaves out is right all the same, so that it can be added to any configuration.
  const named = buildDeployments({ ...whole, config, shared, brand });
  const deployments = named.flatMap((deployment) => narrowDeployment(deployment, chains, surfaces));
  const operations = relativeFolder("operations", config.operations ?? "operations");
  const output = relativeFolder("output", config.output ?? "generated");
  requireApart(operations, output);
  requireOwnFolder(output);
  return {
    root,
    brand,
    shared,
    protocols,
    definitions,
    surfaces,
    unread: idsBeside(known, surfaces),
    waiting: idsBeside(surfacesOf(whole.definitions), surfaces),
    operations,
    documents: resolveDocuments(config.documents ?? [], surfaces, known),
    output,
    format: config.format ?? "ts",
    scalars: config.scalars ?? {},
    follow: resolveFollow(config.follow ?? {}, named, deployments),
    chains,
    deployments,
    selected: deployments,
    concurrency: config.concurrency ?? 8,
    timeout: config.timeout ?? 15_000,
  };
}

/** What is generated holds schemas, which would be read as operations. The other way round nothing is mistaken. */
function requireApart(operations: string, output: string): void {
  if (!`${output}/`.startsWith(`${operations}/`)) return;
  throw invalid(
    operations === output
      ? `"operations" and "output" name one folder, "${output}".`
      : `"output" lies in "operations", where all is read as operations: "${output}".`,
    "what is written and what is generated need a folder each.",
  );
}

/** Refuses an output folder that belongs to a tool: what is in it is not a repository's own, or is the repository. */
export function requireOwnFolder(output: string): void {
  // Some file systems know no case, drop dots and blanks at the end, or give long names short ones.
  const foreign = output.split("/").find((part) => FOREIGN.test(part.replace(/[. ]+$/, "")));
  if (foreign === undefined) return;
  const hint = 'name a folder that is committed, for example "generated".';
  throw invalid(`"output" must not lie in "${foreign}", but is "${output}".`, hint);
}

const FOREIGN = /^(\.git|\.hg|\.svn|\.jj|git~\d+|node_modules)$/i;

function relativeFolder(key: "operations" | "output", folder: string): string {
  const parts = folder.split(/[\\/]/).filter((part) => part !== "" && part !== ".");
  if (!folder.startsWith("/") && !/^[A-Za-z]:/.test(folder) && parts.length > 0 && !parts.includes("..")) {
    return parts.join("/");
  }
  throw invalid(
    `"${key}" must name a folder below the configuration's own, but is "${folder}".`,
    `for example "${key === "output" ? "generated" : key}".`,
  );
}

function invalid(sentence: string, hint: string): ConfigError {
  return new ConfigError({ code: "CONFIG_INVALID_VALUE", sentence, hint });
}

function idsBeside(all: readonly Surface[], some: readonly Surface[]): SurfaceId[] {
  return all.map(({ id }) => id).filter((id) => !some.some((surface) => surface.id === id));
}

/** @param named those that may be followed, of which `deployments` are left. */
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
      sentence: `"follow.${protocol}" names "${name}", which is no subgraph deployment of ${protocol}.`,
      hint: nearest ? `did you mean "${nearest}"?` : "name one of that protocol's deployments.",
    });
  }
  return resolved;
}
