import { EmulatorError } from "../../src/base/errors.ts";
import { nearestName } from "../../src/base/text.ts";
import { type Protocol, STYLE_NAMES, type StyleName } from "../../src/dialects/surface.ts";
import { type Chain, findChain } from "../../src/project/chain.ts";
import { CHAINS } from "../../src/project/chains.ts";
import { BUILT_IN_PROTOCOLS } from "../../src/project/protocols.ts";
import type { OwnIndexer, OwnProtocol } from "../custom/custom-indexer.ts";
import type { Dataset } from "../dataset/dataset.ts";
import type { EmulatedDeployment, NamedChain } from "../indexers/emulated-deployment.ts";
import type { OwnDatasets, RowSource } from "../indexers/protocol-dataset.ts";
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
  /** The datasets of custom indexers. */
  readonly datasets: ReadonlyMap<EmulatedDeployment, Dataset>;
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
  const known = () => defaultDeployments(served);
  const deployments =
    options.deployments?.map((deployment) => findNamed(deployment, known)) ?? (indexers ? [] : known());
  for (const deployment of deployments) requireEntities(deployment, protocols);
  const released = await applyFleet(
    withSettings(deployments, options.settings).map((deployment) => onEngine(deployment, engine)),
    fleet,
    options.chains ?? CHAINS,
  );
  return {
    ...(await withCustom(released, options)),
    protocols: served.length === 0 ? new Map() : await resolveOwn(protocols, released, rows),
  };
}

// Loaded late: the styles are slow to load.

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
    datasets: new Map(custom.map(({ deployment, dataset }) => [deployment, dataset])),
  };
}

async function resolveOwn(
  protocols: Readonly<Record<Protocol, OwnProtocol>>,
  deployments: readonly EmulatedDeployment[],
  rows: RowSource,
): Promise<OwnDatasets> {
  const { resolveOwnProtocols } = await import("../custom/resolve-own-protocols.ts");
  return resolveOwnProtocols(protocols, deployments, rows);
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
    const found = findChain(String(name), CHAINS);
    if (found !== undefined) return found;
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
  deployment: EmulatedDeployment,
  protocols: Readonly<Record<Protocol, OwnProtocol>>,
): void {
  const [sentence, hint] = whyUnservable(deployment, protocols) ?? [];
  if (sentence !== undefined) throw new EmulatorError({ code: "EMULATOR_BAD_INDEXER", sentence, hint });
}

function whyUnservable(
  { name, protocol: key, style }: EmulatedDeployment,
  protocols: Readonly<Record<Protocol, OwnProtocol>>,
): readonly [sentence: string, hint: string] | null {
  if (key === null) {
    return [
      `The deployment "${name}" has no protocol to serve.`,
      "set its protocol, or add a custom indexer under `indexers`.",
    ];
  }
  const own = Object.hasOwn(protocols, key) ? protocols[key] : undefined;
  if (own === undefined ? BUILT_IN_PROTOCOLS.includes(key) : stylesOf(own).includes(style)) return null;
  if (own !== undefined) {
    return [
      `The deployment "${name}" has the style "${style}", but the protocol "${key}" has no entities of that style.`,
      `give them under protocols.${key}.entities.${style}.`,
    ];
  }
  const nearest = nearestName(key, [...BUILT_IN_PROTOCOLS, ...Object.keys(protocols)]);
  return [
    `The deployment "${name}" has the unknown protocol "${key}".`,
    `${nearest === null ? "" : `did you mean "${nearest}"? `}define the entities of a custom protocol under protocols.${key}.entities.`,
  ];
}

function findNamed(
  given: string | EmulatedDeployment,
  all: () => readonly EmulatedDeployment[],
): EmulatedDeployment {
  if (typeof given !== "string") return given;
  const known = all();
  const found = known.find(({ name }) => name === given);
  if (found !== undefined) return found;
  const nearest = nearestName(
    given,
    known.map(({ name }) => name),
  );
  throw new EmulatorError({
    code: "EMULATOR_UNKNOWN_DEPLOYMENT",
    sentence: `There is no deployment "${given}".`,
    hint:
      nearest === null
        ? "name one of the deployments that are served by default, such as protocol-lockup-mainnet."
        : `did you mean "${nearest}"?`,
  });
}

function withSettings(
  deployments: readonly EmulatedDeployment[],
  settings: OperatorSettings = {},
): readonly EmulatedDeployment[] {
  if (Object.keys(settings).length === 0) return deployments;
  return deployments.map((deployment) => ({
    ...deployment,
    settings: { ...settings, ...deployment.settings },
  }));
}

/** The facts of a chain that decide its deployments. */
type DeployedChain = Pick<Chain, "key" | "chainId" | "multichainName" | "subgraphSuffix" | "testing">;

type ServedProtocol = {
  readonly key: Protocol;
  readonly styles: readonly StyleName[];
  /** Keys of chains; null for every chain. */
  readonly chains: readonly string[] | null;
};

const REFERENCE: readonly ServedProtocol[] = BUILT_IN_PROTOCOLS.map((key) => ({
  key,
  styles: STYLE_NAMES,
  chains: null,
}));

/**
 * The default deployments: for each protocol a multichain one and a subgraph per chain with a suffix. The registry's
 * chains and the built-in protocols give 54.
 *
 * @param own custom protocols, which may replace built-in ones.
 */
function defaultDeployments(
  own: readonly ServedProtocol[] = [],
  all: readonly DeployedChain[] = CHAINS,
  brand = "protocol",
): EmulatedDeployment[] {
  const protocols = new Map([...REFERENCE, ...own].map((protocol) => [protocol.key, protocol]));
  return [...protocols.values()].flatMap(({ key, styles, chains: named }) => {
    const chains = all.filter((chain) => named?.includes(chain.key) ?? true);
    return [
      ...(styles.includes("multichain") && chains.some((chain) => chain.multichainName !== null)
        ? [multichainDeployment(chains, `${brand}-${key}-multichain`, key)]
        : []),
      ...chains.flatMap((chain) =>
        chain.subgraphSuffix === null || !styles.includes("subgraph")
          ? []
          : [subgraphDeployment(chain, `${brand}-${key}-${chain.subgraphSuffix}`, key)],
      ),
    ];
  });
}

function multichainDeployment(
  chains: readonly DeployedChain[],
  name: string,
  protocol: Protocol,
): EmulatedDeployment {
  const chainIds = chains.filter((chain) => chain.multichainName !== null).map(({ chainId }) => chainId);
  return { name, protocol, style: "multichain", chainIds, environments: ["production"] };
}

function subgraphDeployment(chain: DeployedChain, name: string, protocol: Protocol): EmulatedDeployment {
  return {
    name,
    protocol,
    style: "subgraph",
    chainIds: [chain.chainId],
    environments: chain.testing ? ["production", "testing"] : ["production"],
  };
}
