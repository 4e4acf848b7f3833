import { chains, endpoint } from "lockflow-operations/manifest";
import type { Question } from "./question.js";

/** Finds one chain in both styles, on a host and under an id that are known at run time. */
export function findUrls(host: string, id: string): Question["urls"] {
  const env = {
    LOCKFLOW_LOCKUP_ID: id,
    LOCKFLOW_MULTICHAIN_URL: `${host}/{id}/v1/graphql`,
    LOCKFLOW_SUBGRAPH_TESTING_URL: `${host}/testing/{deployment}`,
  };
  const chain = "base";
  chains[chain].chainId satisfies 8453;
  return {
    multichain: endpoint({ protocol: "lockup", style: "multichain", chain }, env).url,
    subgraph: endpoint({ protocol: "lockup", style: "subgraph", chain, environment: "testing" }, env).url,
  };
}

export function mistakeWithManifest(): void {
  // @ts-expect-error Morph has no subgraph.
  endpoint({ protocol: "lockup", style: "subgraph", chain: "morph" });
  // @ts-expect-error Form has no testing URL.
  endpoint({ protocol: "flow", style: "subgraph", chain: "form", environment: "testing" });
  // @ts-expect-error There is no such chain.
  chains.moon;
}
