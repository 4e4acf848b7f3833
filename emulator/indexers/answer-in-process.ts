import { cached } from "../../src/base/collections.ts";
import { createIndexers } from "./create-indexers.ts";
import type { EmulatedDeployment } from "./emulated-deployment.ts";
import { createProtocolDatasets, type RowSource } from "./protocol-dataset.ts";

/** Answers the JSON of a request to a deployment with sample rows, without a server. */
export type AnswerInProcess = (deployment: Deployment, body: string) => Promise<string>;

type Deployment = Omit<EmulatedDeployment, "environments" | "protocol"> & { readonly protocol: string };

/** Creates indexers of sample rows in this process. A deployment with fewer chains needs fewer rows. */
export function createAnswerer(rows: RowSource): AnswerInProcess {
  const datasets = createProtocolDatasets(rows);
  const indexers = createIndexers({
    datasetOf: ({ protocol, style }) => datasets(protocol ?? "", style),
    newBlocks: () => 0,
    engine: null,
  });
  const known = new Map<string, EmulatedDeployment>();
  return async (deployment, body) => {
    const { query, variables = null } = JSON.parse(body);
    const key = `${deployment.name} ${deployment.chainIds}`;
    const { of } = await indexers;
    const indexer = of(cached(known, key, () => ({ ...deployment, environments: [] })));
    const answer = await indexer.answer({ query, variables, operationName: null });
    return new TextDecoder().decode(answer.body);
  };
}
