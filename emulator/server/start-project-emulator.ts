import { resolve } from "node:path";
import { ConfigError, EmulatorError } from "../../src/base/errors.ts";
import { readText } from "../../src/base/read-files.ts";
import type { ResolvedProtocol } from "../../src/dialects/protocol.ts";
import { IS_PER_CHAIN, type Protocol, STYLE_NAMES, type StyleName } from "../../src/dialects/surface.ts";
import type { Deployment } from "../../src/project/deployment.ts";
import { missingEntityFile, missingFile } from "../../src/project/missing-file.ts";
import { allMissingEntities, hasEntities, missingEntities, type Project } from "../../src/project/project.ts";
import type { OwnIndexer, OwnProtocol } from "../custom/custom-indexer.ts";
import type { EmulatedDeployment } from "../indexers/emulated-deployment.ts";
import { type Emulator, type EmulatorOptions, startServer } from "./start-emulator.ts";

/**
 * Starts the emulator with the deployments, brand, protocols, chains and variables of a project. A protocol that is
 * not built in needs entities in its definition.
 *
 * @param isPartial whether to leave out deployments that cannot be served, unless none is left.
 * @throws ConfigError for a deployment that cannot be served, and for files that are not there.
 */
export async function startProjectEmulator(
  project: Project,
  { settings, ...options }: Omit<EmulatorOptions, "deployments" | "chains" | "protocols">,
  isPartial = false,
): Promise<Emulator> {
  const asked = new Set(project.selected.map(({ protocol }) => protocol));
  const definitions = project.definitions.filter(({ key }) => asked.has(key));
  const served = project.deployments.filter(
    ({ protocol, status }) => status !== "retired" && asked.has(protocol),
  );
  const servable = served.filter((deployment) => missingEntities(project, deployment) === null);
  const unservable = project.selected.filter(
    (deployment) => served.includes(deployment) && !servable.includes(deployment),
  );
  if (unservable.length > 0 && (!isPartial || servable.length === 0)) throw noEntities(project, unservable);
  const protocols = await readOwnProtocols(project.root, definitions);
  const settingsOf = await createSettings(settings, servable, protocols);
  const { resolveOwnOptions } = await import("../../src/dialects/platform.ts");
  const { styles } = await import("../../src/dialects/index.ts");
  const platformOf = (
    protocol: Protocol,
    style: StyleName,
  ): Pick<EmulatedDeployment, "release" | "settings"> => {
    const definition = definitions.find(({ key }) => key === protocol);
    const { release, ...ownSettings } = resolveOwnOptions(definition, styles[style]);
    // A real node is of its own release.
    const isNode = options.engine === "graph-node" && IS_PER_CHAIN[style];
    return { release: isNode ? undefined : release, settings: { ...ownSettings, ...settingsOf(protocol) } };
  };
  const chainIds = new Map(project.chains.map((chain) => [chain.key, chain.chainId]));
  const deployments = servable.map(
    ({ name, protocol, style, chains, endpoints }): EmulatedDeployment => ({
      name,
      protocol,
      style,
      chainIds: chains.flatMap((key) => chainIds.get(key) ?? []),
      environments: endpoints.map((endpoint) => endpoint.environment),
      ...platformOf(protocol, style),
    }),
  );
  const serverOptions = { ...options, protocols, deployments, chains: project.chains };
  const { variablesOf, ...emulator } = await startServer(serverOptions);
  return { ...emulator, env: () => variablesOf(project) };
}

/** The settings of each protocol: aggregates are public for its own entities only. */
async function createSettings(
  settings: EmulatorOptions["settings"],
  servable: readonly Deployment[],
  protocols: NonNullable<EmulatorOptions["protocols"]>,
): Promise<(protocol: Protocol) => EmulatorOptions["settings"]> {
  const names = settings?.aggregates ?? [];
  if (names.length === 0) return () => settings;
  const { chooseAggregates } = await import("../custom/resolve-own-protocols.ts");
  const multichain = servable.filter(({ style }) => !IS_PER_CHAIN[style]).map(({ protocol }) => protocol);
  const chosen = chooseAggregates(names, multichain, protocols);
  return (protocol) => ({ ...settings, aggregates: chosen.get(protocol) ?? [] });
}

function noEntities(project: Project, deployments: readonly Deployment[]): ConfigError {
  const keys = allMissingEntities(project, deployments);
  const protocols = [...new Set(deployments.map(({ protocol }) => protocol))];
  return new ConfigError({
    code: "CONFIG_NO_HOST",
    sentence: `The emulator cannot serve ${protocols.join(" and ")}, because it does not know ${protocols.length === 1 ? "its" : "their"} entities.`,
    hint: `add ${keys.join(" and ")}, the path of the entity SDL, or configure a host.`,
  });
}

/**
 * Reads the entities, and any rows, of protocols whose definition names their files.
 *
 * @throws ConfigError for files that are not there.
 * @throws EmulatorError `EMULATOR_ROWS_INVALID` for rows that are not JSON.
 */
async function readOwnProtocols(
  root: Project["root"],
  definitions: readonly ResolvedProtocol[],
): Promise<Record<Protocol, OwnProtocol>> {
  const protocols: [Protocol, OwnProtocol][] = [];
  for (const definition of definitions) {
    if (!hasEntities(definition)) continue;
    protocols.push([definition.key, await readProtocol(root, definition)]);
  }
  return Object.fromEntries(protocols);
}

async function readProtocol(root: string, definition: ResolvedProtocol): Promise<OwnProtocol> {
  const { key, entities: paths, rows: rowsPath, identity, chainPath, cursors, ids } = definition;
  const entities: { [S in StyleName]?: string } = {};
  for (const style of STYLE_NAMES) {
    const path = paths[style];
    if (path === undefined) continue;
    entities[style] = await read(root, path, () => missingEntityFile(definition, style));
  }
  const chain = identity.chain && { chain: `${identity.chain.entity}.${identity.chain.field}` };
  return {
    entities,
    ...(rowsPath !== null && {
      rows: parseRowsText(
        rowsPath,
        await read(root, rowsPath, () => missingFile(`protocols.${key}.rows`, rowsPath)),
      ),
    }),
    identity: chain ?? {},
    chainPath,
    cursors,
    ids,
    places: { entities: paths, ...(rowsPath !== null && { rows: rowsPath }) },
  };
}

async function read(root: string, path: string, missing: () => ConfigError): Promise<string> {
  const text = await readText(resolve(root, path));
  if (text === null) throw missing();
  return text;
}

/**
 * Parses a file of rows as JSON. Its content is checked with the entities.
 *
 * @throws EmulatorError `EMULATOR_ROWS_INVALID`
 */
export function parseRowsText(path: string, text: string): NonNullable<OwnIndexer["rows"]> {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new EmulatorError({
      code: "EMULATOR_ROWS_INVALID",
      sentence: `${path} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}.`,
      hint: "give an object from entity to a list of rows.",
      cause,
    });
  }
}
