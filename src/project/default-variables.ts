import type { Protocol } from "./vocabulary.ts";

// The environment variables that hold hosts, ids and keys while the configuration says nothing of them. The manifest and
// every command read the same ones.

/** A template with `{id}`. */
export const MULTICHAIN_URL = "LOCKFLOW_MULTICHAIN_URL";
/** A template with `{deployment}`. */
export const SUBGRAPH_PRODUCTION_URL = "LOCKFLOW_SUBGRAPH_PRODUCTION_URL";
/** The key for the host of `SUBGRAPH_PRODUCTION_URL`. */
export const SUBGRAPH_API_KEY = "LOCKFLOW_SUBGRAPH_API_KEY";
/** A template with `{deployment}`. */
export const SUBGRAPH_TESTING_URL = "LOCKFLOW_SUBGRAPH_TESTING_URL";
/** The first word of deployment names in URLs. */
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
