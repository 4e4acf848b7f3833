import { createHash } from "node:crypto";
import type { ApiSchema } from "../model/api-schema.ts";
import type { EntityModel } from "../model/entity-model.ts";
import type { Block, RowStore } from "../model/rows.ts";
import type { Protocol, StyleName } from "../model/vocabulary.ts";
import { styles } from "../styles/index.ts";
import type { Executor, GraphqlRequest } from "../styles/style.ts";
import type { EmulatedDeployment } from "./emulated-deployment.ts";
import { entitiesOf, PUBLIC_AGGREGATES } from "./entities/index.ts";
import { isPureIntrospection } from "./is-pure-introspection.ts";
import { chainState } from "./rows/chain-clock.ts";
import { createChainStores } from "./rows/create-chain-stores.ts";
import { unionRowStore } from "./rows/create-row-store.ts";

/** What answers the queries of one deployment. */
export type Indexer = {
  readonly answer: (request: GraphqlRequest) => Answer;
  /** The last block indexed, of the first chain. */
  readonly head: Block;
};

export type Answer = {
  /** The JSON to send. */
  readonly body: Buffer;
  readonly hasData: boolean;
  readonly hasErrors: boolean;
};

export type Indexers = { readonly of: (deployment: EmulatedDeployment) => Indexer };

/** What all deployments of one protocol and style have in common. */
type Design = {
  readonly model: EntityModel;
  readonly schema: ApiSchema;
  /** Answers to introspection by query: half a megabyte each, so they are made and serialised once. */
  readonly introspections: Map<string, Answer>;
};

/** More different introspection queries than anyone asks; what comes after is answered but not kept. */
const MOST_INTROSPECTIONS = 20;

/**
 * Creates the indexers behind the endpoints. Each comes to life when it is first asked: its schema is derived
 * once per protocol and style, and its rows are made up when a query first reads them.
 */
export async function createIndexers(seed: string, streams: number | null): Promise<Indexers> {
  const createExecutor = {
    multichain: await styles.multichain.loadExecutor(),
    subgraph: await styles.subgraph.loadExecutor(),
  };
  const designs = new Map<string, Design>();
  const indexers = new Map<EmulatedDeployment, Indexer>();
  const storesOf = createChainStores(seed, streams);

  function designOf(protocol: Protocol, style: StyleName): Design {
    const key = `${protocol} ${style}`;
    let design = designs.get(key);
    if (design === undefined) {
      const model = entitiesOf(protocol, style);
      const schema = styles[style].derive(model, { aggregates: PUBLIC_AGGREGATES });
      design = { model, schema, introspections: new Map() };
      designs.set(key, design);
    }
    return design;
  }

  function createIndexer({ name, protocol, style, chainIds }: EmulatedDeployment): Indexer {
    const { model, schema, introspections } = designOf(protocol, style);
    const chains = [...chainIds].sort((a, b) => a - b).map((chainId) => chainState(seed, chainId));
    const store = unionRowStore(chains.flatMap(({ chainId }): RowStore[] => storesOf(protocol, chainId)));
    let executor: Executor | undefined;
    const execute = (request: GraphqlRequest) => {
      executor ??= createExecutor[style]({
        model,
        schema,
        store,
        chains,
        deploymentHash: deploymentHash(name),
      });
      return buildAnswer(executor(request));
    };
    const [first] = chains;
    if (first === undefined) throw new TypeError(`The deployment ${name} serves no chain.`);
    return {
      head: first.head,
      answer: (request) => {
        const known = introspections.get(request.query);
        if (known && isBare(request)) return known;
        const answer = execute(request);
        if (
          introspections.size < MOST_INTROSPECTIONS &&
          isBare(request) &&
          answer.hasData &&
          isPureIntrospection(request.query)
        ) {
          introspections.set(request.query, answer);
        }
        return answer;
      },
    };
  }

  return {
    of: (deployment) => {
      let indexer = indexers.get(deployment);
      if (indexer === undefined) {
        indexer = createIndexer(deployment);
        indexers.set(deployment, indexer);
      }
      return indexer;
    },
  };
}

/** Whether a request is its query and nothing else that could change the answer. */
function isBare({ variables, operationName }: GraphqlRequest): boolean {
  return operationName === null && (variables === null || Object.keys(variables).length === 0);
}

function buildAnswer(result: Readonly<Record<string, unknown>>): Answer {
  return {
    body: Buffer.from(JSON.stringify(result)),
    hasData: "data" in result,
    hasErrors: "errors" in result,
  };
}

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** The content hash a deployment goes by: `Qm` and 44 digits, made of its name. */
function deploymentHash(name: string): string {
  const digest = createHash("sha512").update(name).digest();
  return `Qm${Array.from(digest.subarray(0, 44), (byte) => BASE58[byte % BASE58.length]).join("")}`;
}
