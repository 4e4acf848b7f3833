import { STYLE_NAMES } from "../../src/dialects/surface.ts";
import type { Dataset, RowSource } from "../dataset/dataset.ts";
import type { Indexers } from "./create-indexers.ts";
import type { EmulatedDeployment } from "./emulated-deployment.ts";
import type { OwnDatasets } from "./protocol-dataset.ts";
import type { GraphNodeLibrary } from "./start-node-engine.ts";

/** A real graph-node to start, and the subgraphs it is to serve. */
type WantedEngine = {
  readonly library: GraphNodeLibrary;
  readonly deployments: readonly EmulatedDeployment[];
};

export type IndexersOptions = {
  readonly rows: RowSource;
  /** The growth of a chain since the start, in blocks. */
  readonly newBlocks: (chainId: number) => number;
  /** The datasets of custom indexers by name. */
  readonly datasets: ReadonlyMap<string, Dataset>;
  readonly protocols: OwnDatasets;
  readonly engine: WantedEngine | null;
};

/** Loads the indexers. Slow to load, so it waits for the first query. */
export async function loadIndexers(options: IndexersOptions): Promise<Indexers> {
  const { rows, newBlocks, datasets: custom, protocols, engine: wanted } = options;
  const [{ createIndexers }, { createProtocolDatasets }] = await loadIndexerCode();
  const datasets = createProtocolDatasets(rows, protocols);
  const datasetOf = (deployment: EmulatedDeployment) =>
    custom.get(deployment.name) ?? datasets(deployment.protocol ?? "", deployment.style);
  const engine =
    wanted &&
    (await (
      await import("./start-node-engine.ts")
    ).startNodeEngine(wanted.library, wanted.deployments, datasetOf));
  return createIndexers({ datasetOf, newBlocks, engine });
}

/** Loads the code of the indexers, without their schemas and rows. */
export async function loadIndexerCode() {
  const { servedStyles } = await import("../styles/index.ts");
  return Promise.all([
    import("./create-indexers.ts"),
    import("./protocol-dataset.ts"),
    ...STYLE_NAMES.map((style) => servedStyles[style].loadExecutor()),
  ]);
}
