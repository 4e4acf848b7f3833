import { findNamed, once } from "../../src/base/collections.ts";
import { EmulatorError } from "../../src/base/errors.ts";
import { nearestName } from "../../src/base/text.ts";
import { type Protocol, STYLE_NAMES, type StyleName } from "../../src/dialects/surface.ts";
import { findChain } from "../../src/project/chain.ts";
import { CHAINS } from "../../src/project/chains.ts";
import { BUILT_IN_PROTOCOLS } from "../../src/project/protocols.ts";
import type { OwnIndexer, OwnProtocol } from "../custom/custom-indexer.ts";
import type { Dataset, RowSource } from "../dataset/dataset.ts";
import type { EmulatedDeployment, NamedChain } from "../indexers/emulated-deployment.ts";
import type { OwnDatasets } from "../indexers/protocol-dataset.ts";
import type { OperatorSettings } from "../styles/served-style.ts";
import { applyFleet, type Fleet } from "./apply-fleet.ts";
import { type EngineName, onEngine } from "./check-engine.ts";

/** The deployments to serve, and their releases. */
export type DeploymentOptions = {
  /** The deployments, or names of default ones. @default those of all chains of the registry */
  readonly deployments?: readonly (string | EmulatedDeployment)[] | undefined;
  /** Custom indexers; served alone unless `deployments` are given too. */
  readonly indexers?: readonly OwnIndexer[] | undefined;
  /** Custom protocols by key. One with the key of a built-in protocol replaces it. */
  readonly protocols?: Readonly<Record<Protocol, OwnProtocol>> | undefined;
  /** The releases of deployments without a release of their own. */
  readonly fleet?: Fleet | undefined;
  /** The operator settings of deployments without their own, if their style has them. */
  readonly settings?: OperatorSettings | undefined;
  /**
   * Serves the subgraphs: the emulator itself, or a real graph-node with the emulator's rows, which needs the package
   * `lockflow-graph-node`. @default "emulator"
   */
  readonly engine?: EngineName | undefined;
  /** The chains that `fleet` may name. @default the registry's */
  readonly chains?: readonly NamedChain[] | undefined;
  /** The names, for errors, of the files that `indexers` were read from. @default the indexer's name */
  readonly places?: { readonly entities?: string; readonly rows?: string } | undefined;
};

type ResolvedDeployments = {
  readonly deployments: readonly EmulatedDeployment[];
  /** The datasets of custom indexers by name. */
  readonly datasets: ReadonlyMap<string, Dataset>;
  /** The datasets of own protocols. */
  readonly protocols: OwnDatasets;
};

/**
 * Resolves the deployments to serve.
 *
 * @param rows the inputs of the generated rows of custom protocols.
 * @throws SchemaError for entities that their platform refuses.
 * @throws EmulatorError for invalid rows, names or releases.
 */
export async function resolveDeployments(
  options: DeploymentOptions,
  rows: RowSource,
): Promise<ResolvedDeployments> {
  const { indexers, fleet = {}, protocols = {}, engine } = options;
  const served = Object.entries(protocols).map(([key, protocol]) => ({
    key,
    styles: stylesOf(protocol),
    chains: chainsOf(key, protocol),
  }));
  const defaults = once(() => defaultDeployments(served));
  const deployments =
    options.deployments?.map((deployment) =>
      typeof deployment === "string" ? findDeployment(deployment, defaults()) : deployment,
    ) ?? (indexers ? [] : defaults());
  for (const deployment of deployments) requireEntities(deployment, protocols);
  const configured = deployments.map((deployment) => {
    const settings = { ...options.settings, ...deployment.settings };
    return onEngine({ ...deployment, settings }, engine);
  });
  const released = await applyFleet(configured, fleet, options.chains ?? CHAINS);
  const custom = await withCustom(released, options);
  if (served.length === 0) return { ...custom, protocols: new Map() };
  // Loaded late: the styles are slow to load.
  const { resolveOwnProtocols } = await import("../custom/resolve-own-protocols.ts");
  return { ...custom, protocols: await resolveOwnProtocols(protocols, released, rows) };
}

async function withCustom(
  deployments: readonly EmulatedDeployment[],
  { indexers, places, engine }: DeploymentOptions,
): Promise<Omit<ResolvedDeployments, "protocols">> {
  if (indexers === undefined) return { deployments, datasets: new Map() };
  const { resolveCustomIndexers } = await import("../custom/resolve-custom-indexers.ts");
  const custom = await resolveCustomIndexers(
    indexers.map((indexer) => onEngine(indexer, engine)),
    places,
  );
  return {
    deployments: [...deployments, ...custom.map(({ deployment }) => deployment)],
    datasets: new Map(custom.map(({ deployment, dataset }) => [deployment.name, dataset])),
  };
}

function stylesOf({ entities, styles = STYLE_NAMES }: OwnProtocol): StyleName[] {
  return STYLE_NAMES.filter(
    (style) => styles.includes(style) && (typeof entities === "string" || entities[style] !== undefined),
  );
}

/** The keys of the chains that a protocol names; null for every chain. */
function chainsOf(key: Protocol, { chains }: OwnProtocol): readonly string[] | null {
  if (chains === undefined) return null;
  return chains.map((name, index) => {
    const match = findChain(String(name), CHAINS);
    if (match !== undefined) return match;
    const keys = CHAINS.map((chain) => chain.key);
    const nearest = nearestName(String(name), keys);
    throw new EmulatorError({
      code: "EMULATOR_BAD_OPTION",
      sentence: `"protocols.${key}.chains[${index}]" is "${name}", which is not a known chain.`,
      hint: nearest === null ? `known chains: ${keys.join(", ")}.` : `did you mean "${nearest}"?`,
    });
  });
}

function requireEntities(
  { name, protocol: key, style }: EmulatedDeployment,
  protocols: Readonly<Record<Protocol, OwnProtocol>>,
): void {
  if (key === null) {
    throw badIndexer(
      `The deployment "${name}" has no protocol to serve.`,
      "set its protocol, or add a custom indexer under `indexers`.",
    );
  }
  const protocol = Object.hasOwn(protocols, key) ? protocols[key] : undefined;
  if (protocol !== undefined) {
    if (stylesOf(protocol).includes(style)) return;
    throw badIndexer(
      `The deployment "${name}" has the style "${style}", but the protocol "${key}" has no entities of that style.`,
      `give them under protocols.${key}.entities.${style}.`,
    );
  }
  if (BUILT_IN_PROTOCOLS.includes(key)) return;
  const nearest = nearestName(key, [...BUILT_IN_PROTOCOLS, ...Object.keys(protocols)]);
  throw badIndexer(
    `The deployment "${name}" has the unknown protocol "${key}".`,
    `${nearest === null ? "" : `did you mean "${nearest}"? `}define the entities of a custom protocol under protocols.${key}.entities.`,
  );
}

function badIndexer(sentence: string, hint: string): EmulatorError {
  return new EmulatorError({ code: "EMULATOR_BAD_INDEXER", sentence, hint });
}

function findDeployment(name: string, defaults: readonly EmulatedDeployment[]): EmulatedDeployment {
  const deployment = findNamed(defaults, name);
  if (deployment !== undefined) return deployment;
  const nearest = nearestName(
    name,
    defaults.map((candidate) => candidate.name),
  );
  throw new EmulatorError({
    code: "EMULATOR_UNKNOWN_DEPLOYMENT",
    sentence: `Unknown deployment "${name}".`,
    hint:
      nearest === null
        ? "name one of the deployments that are served by default, such as protocol-lockup-mainnet."
        : `did you mean "${nearest}"?`,
  });
}

type ServedProtocol = {
  readonly key: Protocol;
  readonly styles: readonly StyleName[];
  /** Keys of chains; null for every chain. */
  readonly chains: readonly string[] | null;
};

/**
 * The default deployments: for each protocol a multichain one and a subgraph per chain with a suffix. The registry's
 * chains and the built-in protocols give 54.
 *
 * @param custom protocols that may replace built-in ones.
 */
function defaultDeployments(custom: readonly ServedProtocol[]): EmulatedDeployment[] {
  const builtIn = BUILT_IN_PROTOCOLS.map((key) => ({ key, styles: STYLE_NAMES, chains: null }));
  const protocols = new Map(
    [...builtIn, ...custom].map((protocol): [Protocol, ServedProtocol] => [protocol.key, protocol]),
  );
  return [...protocols.values()].flatMap(({ key: protocol, styles, chains: keys }) => {
    const chains = CHAINS.filter((chain) => keys?.includes(chain.key) ?? true);
    const chainIds = chains
      .filter(({ multichainName }) => multichainName !== null)
      .map(({ chainId }) => chainId);
    const name = `protocol-${protocol}-multichain`;
    const deployments: EmulatedDeployment[] = [];
    if (styles.includes("multichain") && chainIds.length > 0)
      deployments.push({ name, protocol, style: "multichain", chainIds, environments: ["production"] });
    for (const { chainId, subgraphSuffix, testing } of styles.includes("subgraph") ? chains : []) {
      if (subgraphSuffix === null) continue;
      deployments.push({
        name: `protocol-${protocol}-${subgraphSuffix}`,
        protocol,
        style: "subgraph",
        chainIds: [chainId],
        environments: testing ? ["production", "testing"] : ["production"],
      });
    }
    return deployments;
  });
}
