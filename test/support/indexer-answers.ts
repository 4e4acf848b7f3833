import { buildIntrospection } from "../../src/schema/build-introspection.ts";
import { parseEntities } from "../../src/schema/parse-entities.ts";
import { styles } from "../../src/styles/index.ts";

/** The entities of a small indexer with everything that introspection and the probes look at. */
export const SMALL_ENTITIES = `
  enum StreamCategory { LockupLinear LockupDynamic }
  type Watcher @entity { id: String! chainId: BigInt! streamCounter: BigInt! }
  type Stream @entity {
    id: String!
    alias: String!
    category: StreamCategory!
    depositAmount: BigInt!
    sender: Bytes!
  }
`;

/** The body of an introspection answer for an entity schema. */
export function introspectionAnswer(style: "subgraph" | "multichain", entities = SMALL_ENTITIES): string {
  const schema = styles[style].derive(parseEntities(entities, "entities.graphql"));
  return JSON.stringify({ data: buildIntrospection(schema) });
}

/** The body of a subgraph's answer to the probe. */
export function subgraphProbeAnswer(chainId: number | null): string {
  return JSON.stringify({
    data: {
      _meta: { block: { number: 100 }, hasIndexingErrors: false },
      watchers: chainId === null ? [] : [{ id: String(chainId), chainId: String(chainId) }],
    },
  });
}
