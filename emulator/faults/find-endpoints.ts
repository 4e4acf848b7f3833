import { cached } from "../../src/base/collections.ts";
import { LockflowError } from "../../src/base/errors.ts";
import { nearestName } from "../../src/base/text.ts";
import { styles } from "../../src/dialects/index.ts";
import { ENVIRONMENTS, STYLE_NAMES } from "../../src/dialects/surface.ts";
import type { Dataset } from "../dataset/dataset.ts";
import type { Indexers } from "../indexers/create-indexers.ts";
import {
  chainNames,
  type EmulatedDeployment,
  type EmulatedEndpoint,
  type NamedChain,
} from "../indexers/emulated-deployment.ts";
import { editModel, type ModelEdit } from "./edit-model.ts";
import { createDatasetEditor } from "./edit-rows.ts";
import type { Effect } from "./effect.ts";
import { type FaultScope, hintOf, invalidFault } from "./fault.ts";

/** The endpoints and chains that can have faults. */
export type Places = {
  readonly endpoints: readonly EmulatedEndpoint[];
  readonly chains: readonly NamedChain[];
};

/**
 * Finds the endpoints in the scope of a fault.
 *
 * @throws EmulatorError `EMULATOR_INVALID_FAULT` for an unknown deployment or chain, or if no endpoint is in the scope.
 */
export function findEndpoints(scope: FaultScope, places: Places): EmulatedEndpoint[] {
  const named = scope.deployment === undefined ? places.endpoints : findNamed(scope.deployment, places);
  const found = named.filter(
    ({ deployment, environment }) =>
      environment === (scope.environment ?? environment) &&
      deployment.style === (scope.style ?? deployment.style) &&
      deployment.protocol === (scope.protocol ?? deployment.protocol),
  );
  if (found.length > 0) return found;
  const protocols = protocolsOf(places);
  if (scope.protocol !== undefined && !protocols.includes(scope.protocol)) {
    throw invalidFault(
      `No deployment is of the protocol "${scope.protocol}".`,
      hintOf(scope.protocol, protocols),
    );
  }
  const asked = [scope.deployment, scope.protocol, scope.style, scope.environment].filter(
    (part) => part !== undefined,
  );
  throw invalidFault(`No deployment matches all of ${asked.map((part) => `"${part}"`).join(", ")}.`);
}

function protocolsOf({ endpoints }: Places): string[] {
  return [...new Set(endpoints.flatMap(({ deployment }) => deployment.protocol ?? []))];
}

/** The id of a chain by any of its names, or a served id; null if unknown. */
function findChainId(name: string, { endpoints, chains }: Places): number | null {
  const chain = chains.find((candidate) => chainNames(candidate).includes(name));
  if (chain) return chain.chainId;
  const served = endpoints.flatMap(({ deployment }) => deployment.chainIds);
  return served.find((chainId) => String(chainId) === name) ?? null;
}

/**
 * The id of a chain by any of its names.
 *
 * @throws EmulatorError `EMULATOR_INVALID_FAULT` for an unknown name.
 */
export function requireChainId(name: string, places: Places): number {
  const chainId = findChainId(name, places);
  if (chainId !== null) return chainId;
  throw invalidFault(
    `There is no chain "${name}".`,
    hintOf(
      name,
      places.chains.flatMap(chainNames),
      places.chains.map(({ key }) => key),
    ),
  );
}

function findNamed(name: string, places: Places): readonly EmulatedEndpoint[] {
  const own = places.endpoints.filter(({ deployment }) => deployment.name === name);
  if (own.length > 0) return own;
  const chainId = findChainId(name, places);
  if (chainId === null) {
    const names = [
      ...places.endpoints.map(({ deployment }) => deployment.name),
      ...places.chains.flatMap(chainNames),
    ];
    const nearest = nearestName(name, [...names, ...STYLE_NAMES, ...protocolsOf(places), ...ENVIRONMENTS]);
    throw invalidFault(
      `There is no deployment and no chain "${name}".`,
      nearest === null ? "name a chain by its key, e.g. ethereum." : `did you mean "${nearest}"?`,
    );
  }
  const ofChain = places.endpoints.filter(
    ({ deployment: { chainIds } }) => chainIds.length === 1 && chainIds[0] === chainId,
  );
  if (ofChain.length > 0) return ofChain;
  throw invalidFault(
    `No deployment serves only the chain "${name}".`,
    "name the multichain deployment. Some faults also have a chain as their value.",
  );
}

/** An edit that was set before the checked one. */
type EarlierEdit = { readonly edit: ModelEdit; readonly endpoints: ReadonlySet<EmulatedEndpoint> };

/**
 * The endpoints whose entities an edit fits, after the edits that were set before.
 *
 * @throws EmulatorError `EMULATOR_INVALID_FAULT` when it fits none.
 */
export function findEndpointsToEdit(
  edit: ModelEdit,
  endpoints: readonly EmulatedEndpoint[],
  { earlier, datasetOf }: { readonly earlier: readonly EarlierEdit[] } & Pick<Indexers, "datasetOf">,
): EmulatedEndpoint[] {
  /** Keyed by the inputs: most deployments share entities, release and settings. */
  const reasons = new Map<string, LockflowError | null>();
  const fitting = endpoints.filter((endpoint) => {
    const { deployment } = endpoint;
    const dataset = earlier
      .filter(({ endpoints: others }) => others.has(endpoint))
      .reduce((before, { edit }) => createDatasetEditor(edit)(before), datasetOf(deployment));
    const key = JSON.stringify([dataset.name, deployment.style, deployment.release, deployment.settings]);
    return cached(reasons, key, () => reasonAgainst(edit, dataset, deployment)) === null;
  });
  const [reason] = reasons.values();
  if (fitting.length === 0 && reason) throw reason;
  return fitting;
}

/** The error of serving edited entities; null without one. */
function reasonAgainst(
  edit: ModelEdit,
  dataset: Dataset,
  deployment: EmulatedDeployment,
): LockflowError | null {
  const model = editModel(dataset.model, edit);
  if ("problem" in model) {
    return invalidFault(`A fault "${edit.kind}" cannot be set: ${model.problem}`, model.hint);
  }
  try {
    const { style, settings, release = dataset.release } = deployment;
    styles[style].deriver.derive(model, { ...dataset.settings, ...settings, release });
    return null;
  } catch (error) {
    if (!(error instanceof LockflowError)) throw error;
    return invalidFault(
      `A fault "${edit.kind}" makes entities that ${deployment.name} cannot serve: ${error.sentence}`,
      error.hint,
    );
  }
}

/**
 * The endpoints whose entities the releases of a fault can serve.
 *
 * @throws EmulatorError `EMULATOR_INVALID_FAULT` when they can serve none.
 */
export function findEndpointsToRun(
  { change }: Extract<Effect, { readonly slot: "change" }>,
  endpoints: readonly EmulatedEndpoint[],
  datasetOf: Indexers["datasetOf"],
): EmulatedEndpoint[] {
  /** Keyed by the inputs: most deployments share entities and settings. */
  const reasons = new Map<string, LockflowError | null>();
  const fitting = endpoints.filter(({ deployment }) =>
    // Of two alternating releases, one serves each of the first two requests.
    [1, 2].every((number) => {
      const changed = change(deployment, number)?.deployment?.(deployment) ?? deployment;
      const { name, model, settings, release } = datasetOf(deployment);
      const options = { ...settings, ...changed.settings, release: changed.release ?? release };
      const key = JSON.stringify([name, changed.style, options]);
      const derive = () => styles[changed.style].deriver.derive(model, options);
      return cached(reasons, key, () => reasonAgainstDeriving(derive)) === null;
    }),
  );
  const reason = [...reasons.values()].find((one) => one !== null);
  if (fitting.length > 0 || reason === undefined) return fitting;
  const [first = ""] = reason.context;
  throw invalidFault(
    `A release cannot serve these entities: ${reason.sentence} ${first}`.trim(),
    reason.hint,
  );
}

function reasonAgainstDeriving(derive: () => unknown): LockflowError | null {
  try {
    derive();
    return null;
  } catch (error) {
    if (error instanceof LockflowError) return error;
    throw error;
  }
}
