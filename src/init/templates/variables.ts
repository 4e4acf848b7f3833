import type { Protocol } from "../../model/vocabulary.ts";

/** The variables that hold hosts and keys: those the manifest reads while the configuration says nothing of them. */
export const MULTICHAIN_URL = "LOCKFLOW_MULTICHAIN_URL";
export const SUBGRAPH_PRODUCTION_URL = "LOCKFLOW_SUBGRAPH_PRODUCTION_URL";
export const SUBGRAPH_API_KEY = "LOCKFLOW_SUBGRAPH_API_KEY";
export const SUBGRAPH_TESTING_URL = "LOCKFLOW_SUBGRAPH_TESTING_URL";
export const BRAND = "LOCKFLOW_BRAND";

/** The variable of the id that stands in a protocol's multichain URL. */
export function idVariable(protocol: Protocol): string {
  return `LOCKFLOW_${protocol.toUpperCase()}_ID`;
}

/** All of them, in the order of `.env.example`. */
export function variablesOf(protocols: readonly Protocol[]): string[] {
  return [
    MULTICHAIN_URL,
    ...protocols.map(idVariable),
    SUBGRAPH_PRODUCTION_URL,
    SUBGRAPH_API_KEY,
    SUBGRAPH_TESTING_URL,
    BRAND,
  ];
}
