import { cached } from "../../src/base/collections.ts";
import type { RowSource } from "../dataset/dataset.ts";
import type { EmulatedDeployment } from "./emulated-deployment.ts";

/** Answers the JSON of a request to a deployment with sample rows, without a server. */
export type AnswerInProcess = (deployment: Deployment, body: string) => Promise<string>;

type Deployment = Omit<EmulatedDeployment, "environments" | "protocol"> & { readonly protocol: string };

/** Creates indexers of sample rows in this process, with the first request. A deployment with fewer chains needs fewer rows. */
export function createAnswerer(rows: RowSource): AnswerInProcess {
  let loading: ReturnType<typeof loadIndexers> | undefined;
  const deployments = new Map<string, EmulatedDeployment>();
  return async (deployment, body) => {
    loading ??= loadIndexers(rows);
    const { query, variables = null } = JSON.parse(body);
    const key = `${deployment.name} ${deployment.chainIds}`;
    const { of } = await loading;
    const indexer = of(cached(deployments, key, () => ({ ...deployment, environments: [] })));
    const answer = await indexer.answer({ query, variables, operationName: null });
    return new TextDecoder().decode(answer.body);
  };
}

async function loadIndexers(rows: RowSource) {
  const { createIndexers } = await import("./create-indexers.ts");
  const { createProtocolDatasets } = await import("./protocol-dataset.ts");
  const datasets = createProtocolDatasets(rows);
  return createIndexers({
    datasetOf: ({ protocol, style }) => datasets(protocol ?? "", style),
    newBlocks: () => 0,
    engine: null,
  });
}
