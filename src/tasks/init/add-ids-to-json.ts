import { isObject, parseJson } from "../../base/parse-json.ts";
import type { IdTable } from "../../project/id-table.ts";
import { SUBGRAPH_API_KEY, SUBGRAPH_PRODUCTION_URL } from "../../project/variables.ts";

/** `addIds` for a configuration in JSON, which is written anew. Null when it is no object. */
export function addIdsToJson(text: string, table: IdTable): string | null {
  const config = parseJson(text);
  if (!isObject(config)) return null;
  const subgraph = objectOf(config["subgraph"]);
  const production = objectOf(
    subgraph["production"] ?? { url: { env: SUBGRAPH_PRODUCTION_URL }, apiKey: { env: SUBGRAPH_API_KEY } },
  );
  const ids = objectOf(production["ids"]);
  const merged = Object.fromEntries(
    [...table].map(([protocol, chains]) => [
      protocol,
      { ...objectOf(ids[protocol]), ...Object.fromEntries(chains) },
    ]),
  );
  const edited = {
    ...config,
    subgraph: { ...subgraph, production: { ...production, ids: { ...ids, ...merged } } },
  };
  return `${JSON.stringify(edited, null, 2)}\n`;
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
