import type { Protocol } from "../../src/project/vocabulary.ts";
import type { Dataset } from "../dataset/dataset.ts";
import type { Indexers } from "./create-indexers.ts";
import type { EmulatedDeployment } from "./emulated-deployment.ts";
import type { OwnDatasets } from "./protocol-dataset.ts";

/** Loads what answers queries. It is what takes time to load, so it is loaded with the first of them. */
export async function loadIndexers(
  seed: string,
  streams: number | null,
  newBlocks: (chainId: number) => number,
  custom: ReadonlyMap<EmulatedDeployment, Dataset>,
  protocols: OwnDatasets,
): Promise<Indexers> {
  const [{ createIndexers }, { createProtocolDatasets }] = await Promise.all([
    import("./create-indexers.ts"),
    import("./protocol-dataset.ts"),
  ]);
  const datasets = createProtocolDatasets(seed, streams, protocols);
  // By name, because a fault may have a deployment serve as a slightly different one.
  const customByName = new Map(Array.from(custom, ([{ name }, dataset]) => [name, dataset]));
  return createIndexers({
    datasetOf: (deployment) =>
      customByName.get(deployment.name) ?? datasets(protocolOf(deployment), deployment.style),
    newBlocks,
  });
}

function protocolOf({ name, protocol }: EmulatedDeployment): Protocol {
  if (protocol === null)
    throw new TypeError(`The deployment ${name} has neither a protocol nor entities of its custom.`);
  return protocol;
}
