import { createHash } from "node:crypto";
import type { ApiSchema } from "../model/api-schema.ts";
import type { Block, Moment } from "../model/rows.ts";
import type { StyleName } from "../model/vocabulary.ts";
import { styles } from "../styles/index.ts";
import type { Executor, GraphqlRequest, OperatorSettings } from "../styles/style.ts";
import type { ChainContent, Content } from "./content.ts";
import type { EmulatedDeployment } from "./emulated-deployment.ts";
import { isPureIntrospection } from "./is-pure-introspection.ts";
import { unionRowStore } from "./rows/create-row-store.ts";

/** What answers the queries of one deployment. */
export type Indexer = {
  readonly answer: (request: GraphqlRequest) => Answer;
  /** The last block indexed, of the first chain. */
  readonly head: () => Block;
};

export type Answer = {
  /** The JSON to send. */
  readonly body: Buffer;
  readonly hasData: boolean;
  readonly hasErrors: boolean;
};

export type Indexers = { readonly of: (deployment: EmulatedDeployment) => Indexer };

/** What indexers need of the emulator they live in. */
export type IndexerWorld = {
  readonly contentOf: (deployment: EmulatedDeployment) => Content;
  /** How many blocks a chain has grown since the start. */
  readonly growth: (chainId: number) => number;
};

/** What all deployments of one content, release and operator have in common. */
type Design = {
  readonly schema: ApiSchema;
  /** Answers to introspection by query: half a megabyte each, so they are made and serialised once. */
  readonly introspections: Map<string, Answer>;
};

/** More different introspection queries than anyone asks; what comes after is answered but not kept. */
const MOST_INTROSPECTIONS = 20;

/**
 * Creates the indexers behind the endpoints. Each comes to life when it is first asked: its schema is derived
 * once for all deployments that have the same, and its rows are made up when a query first reads them.
 */
export async function createIndexers({ contentOf, growth }: IndexerWorld): Promise<Indexers> {
  const createExecutor = {
    multichain: await styles.multichain.loadExecutor(),
    subgraph: await styles.subgraph.loadExecutor(),
  };
  const designs = new Map<string, Design>();
  const indexers = new Map<EmulatedDeployment, Indexer>();

  function designOf(content: Content, style: StyleName, release: string, settings: OperatorSettings): Design {
    const key = JSON.stringify([content.name, style, release, settings]);
    let design = designs.get(key);
    if (design === undefined) {
      const schema = styles[style].derive(content.model, { ...settings, release });
      design = { schema, introspections: new Map() };
      designs.set(key, design);
    }
    return design;
  }

  function createIndexer(deployment: EmulatedDeployment): Indexer {
    const { name, style, chainIds } = deployment;
    const content = contentOf(deployment);
    const release = deployment.release ?? styles[style].defaultRelease;
    const settings = { ...content.settings, ...deployment.settings };
    const { schema, introspections } = designOf(content, style, release, settings);
    const chains = [...chainIds].sort((a, b) => a - b).map(content.chain);
    const now = createMoments(chains, growth);
    const [first] = chains;
    if (first === undefined) throw new TypeError(`The deployment ${name} serves no chain.`);
    let executor: Executor | undefined;
    const execute = (request: GraphqlRequest) => {
      executor ??= createExecutor[style]({
        model: content.model,
        schema,
        release,
        settings,
        now,
        history: chains.length === 1 ? first : null,
        deploymentHash: deploymentHash(name),
      });
      return buildAnswer(executor(request));
    };
    return {
      head: () => first.blockAt(first.firstHead + growth(first.chainId)),
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

/** What the indexer knows now: the same moment until a chain grows, the same store until a row changes. */
function createMoments(chains: readonly ChainContent[], growth: (chainId: number) => number): () => Moment {
  let moment: Moment | undefined;
  let stores: readonly unknown[] = [];
  return () => {
    const heads = chains.map((chain) => chain.firstHead + growth(chain.chainId));
    if (moment?.chains.every(({ head }, index) => head.number === heads[index])) return moment;
    const storesNow = chains.map((chain, index) => chain.storeAt(heads[index] ?? chain.firstHead));
    const unchanged = storesNow.every((store, index) => store === stores[index]);
    const [only] = storesNow;
    const store =
      moment && unchanged ? moment.store : only && storesNow.length === 1 ? only : unionRowStore(storesNow);
    stores = storesNow;
    moment = {
      store,
      chains: chains.map(({ chainId, startBlock, earliestBlock, firstHead, blockAt }, index) => {
        const head = heads[index] ?? firstHead;
        return { chainId, startBlock, earliestBlock, head: blockAt(head), chainHead: head, errorBlock: null };
      }),
    };
    return moment;
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
