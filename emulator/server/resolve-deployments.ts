import { EmulatorError } from "../../src/base/errors/emulator-error.ts";
import { nearestName } from "../../src/base/nearest-name.ts";
import { CHAINS } from "../../src/project/chains.ts";
import type { OwnIndexer } from "../custom/custom-indexer.ts";
import type { Dataset } from "../dataset/dataset.ts";
import type { EmulatedDeployment } from "../indexers/emulated-deployment.ts";
import type { NamedChain } from "../indexers/named-chain.ts";
import type { OperatorSettings } from "../styles/served-style.ts";
import { applyFleet, type Fleet } from "./apply-fleet.ts";
import { defaultDeployments } from "./default-deployments.ts";

/** What to serve, and on which releases. */
export type DeploymentOptions = {
  /** What to serve: the names of some of the default's, or deployments. @default all of the registry's chains */
  readonly deployments?: readonly (string | EmulatedDeployment)[] | undefined;
  /** Custom indexers; served alone unless `deployments` are given too. */
  readonly indexers?: readonly OwnIndexer[] | undefined;
  /** The releases deployments run on where they do not say so themselves. */
  readonly fleet?: Fleet | undefined;
  /** What operators set, for all deployments whose style has it and that do not say so themselves. */
  readonly settings?: OperatorSettings | undefined;
  /** The chains that `fleet` may name. @default the registry's */
  readonly chains?: readonly NamedChain[] | undefined;
  /** What to call the files that `indexers` were read from, in errors. @default the indexer's name */
  readonly places?: { readonly entities?: string; readonly rows?: string } | undefined;
};

/** The deployments to serve. */
export type ResolvedDeployments = {
  readonly deployments: readonly EmulatedDeployment[];
  /** The datasets of the custom ones. */
  readonly datasets: ReadonlyMap<EmulatedDeployment, Dataset>;
};

/**
 * Resolves what to serve.
 *
 * @throws SchemaError for entities their platform refuses.
 * @throws EmulatorError for rows, names or releases that cannot be.
 */
export async function resolveDeployments(options: DeploymentOptions): Promise<ResolvedDeployments> {
  const { indexers, fleet = {} } = options;
  const deployments = options.deployments?.map(findNamed) ?? (indexers ? [] : defaultDeployments());
  for (const { name, protocol } of deployments) {
    if (protocol !== null) continue;
    throw new EmulatorError({
      code: "EMULATOR_BAD_INDEXER",
      sentence: `The deployment "${name}" has no protocol, so there is nothing it could serve.`,
      hint: "give it one, or give a custom indexer under `indexers`.",
    });
  }
  const released = await applyFleet(
    withSettings(deployments, options.settings),
    fleet,
    options.chains ?? CHAINS,
  );
  if (indexers === undefined) return { deployments: released, datasets: new Map() };
  // Loaded late: it brings the styles, which are what takes time to load.
  const { resolveCustomIndexers } = await import("../custom/resolve-custom-indexers.ts");
  const custom = await resolveCustomIndexers(indexers, options.places);
  return {
    deployments: [...released, ...custom.map(({ deployment }) => deployment)],
    datasets: new Map(custom.map(({ deployment, dataset }) => [deployment, dataset])),
  };
}

function findNamed(given: string | EmulatedDeployment): EmulatedDeployment {
  if (typeof given !== "string") return given;
  const known = defaultDeployments();
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
