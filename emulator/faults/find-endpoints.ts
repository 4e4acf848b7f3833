import { nearestName } from "../../src/base/text.ts";
import { ENVIRONMENTS, STYLE_NAMES } from "../../src/dialects/surface.ts";
import { chainNames, type EmulatedEndpoint, type NamedChain } from "../indexers/emulated-deployment.ts";
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
  const matches = named.filter(
    ({ deployment, environment }) =>
      environment === (scope.environment ?? environment) &&
      deployment.style === (scope.style ?? deployment.style) &&
      deployment.protocol === (scope.protocol ?? deployment.protocol),
  );
  if (matches.length > 0) return matches;
  const protocols = protocolsOf(places);
  if (scope.protocol !== undefined && !protocols.includes(scope.protocol)) {
    throw invalidFault(
      `No deployment is of the protocol "${scope.protocol}".`,
      hintOf(scope.protocol, protocols),
    );
  }
  const parts = [scope.deployment, scope.protocol, scope.style, scope.environment].filter(
    (part) => part !== undefined,
  );
  throw invalidFault(`No deployment matches all of ${parts.map((part) => `"${part}"`).join(", ")}.`);
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
  const matches = places.endpoints.filter(({ deployment }) => deployment.name === name);
  if (matches.length > 0) return matches;
  const chainId = findChainId(name, places);
  if (chainId === null) {
    const names = [
      ...places.endpoints.map(({ deployment }) => deployment.name),
      ...places.chains.flatMap(chainNames),
    ];
    const nearest = nearestName(name, [...names, ...STYLE_NAMES, ...protocolsOf(places), ...ENVIRONMENTS]);
    throw invalidFault(
      `Unknown deployment or chain "${name}".`,
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
