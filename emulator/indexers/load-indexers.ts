import type { Protocol } from "../../src/project/vocabulary.ts";
import type { Content } from "../dataset/dataset.ts";
import type { Indexers } from "./create-indexers.ts";
import type { EmulatedDeployment } from "./emulated-deployment.ts";

/** Loads what answers queries. It is what takes time to load, so it is loaded with the first of them. */
export async function loadIndexers(
  seed: string,
  streams: number | null,
  growth: (chainId: number) => number,
  own: ReadonlyMap<EmulatedDeployment, Content>,
): Promise<Indexers> {
  const [{ createIndexers }, { createProtocolContents }] = await Promise.all([
    import("./create-indexers.ts"),
    import("./protocol-dataset.ts"),
  ]);
  const contents = createProtocolContents(seed, streams);
  // By name, because a fault may have a deployment serve as a slightly different one.
  const ownByName = new Map(Array.from(own, ([{ name }, content]) => [name, content]));
  return createIndexers({
    contentOf: (deployment) =>
      ownByName.get(deployment.name) ?? contents(protocolOf(deployment), deployment.style),
    growth,
  });
}

function protocolOf({ name, protocol }: EmulatedDeployment): Protocol {
  if (protocol === null)
    throw new TypeError(`The deployment ${name} has neither a protocol nor entities of its own.`);
  return protocol;
}
