import type { OutgoingHttpHeaders } from "node:http";
import { Kind, parse } from "graphql";
import { cached } from "../../src/base/collections.ts";
import type { ApiSchema } from "../../src/dialects/api-schema.ts";
import type { EntityModel } from "../../src/dialects/entity-model.ts";
import { styles } from "../../src/dialects/index.ts";
import { IS_PER_CHAIN, type StyleName } from "../../src/dialects/surface.ts";
import type { ChainDataset, Dataset } from "../dataset/dataset.ts";
import { unionRowStore } from "../dataset/rows/create-store-versions.ts";
import { servedStyles } from "../styles/index.ts";
import type { Block, ChainState, ReadView } from "../styles/read-view.ts";
import {
  createMemo,
  type Executor,
  type GraphqlRequest,
  type Memo,
  type OperatorSettings,
} from "../styles/served-style.ts";
import { deploymentHash, type EmulatedDeployment } from "./emulated-deployment.ts";

/** What answers the queries of one deployment. */
export type Indexer = {
  readonly answer: (request: GraphqlRequest) => Answer | Promise<Answer>;
  /** Replies to a POST by itself, as a real node does; absent where the adapter makes a reply of an answer. */
  readonly forward?: ((post: Post) => Promise<Forwarded>) | undefined;
  /** The last block indexed, of the first chain. */
  readonly head: () => Block;
  /** The first block indexed, of the first chain. */
  readonly startBlock: number;
  /** The platform's release it runs on. */
  readonly release: string;
};

/** A request over HTTP: what follows the question mark, its `content-type`, and its body. */
export type Post = { readonly search: string; readonly type: string; readonly body: string };

/** A reply as it came. */
export type Forwarded = {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
};

export type Answer = {
  /** The JSON to send. */
  readonly body: Buffer;
  readonly hasData: boolean;
  readonly hasErrors: boolean;
  /** The entries of `errors`; none when all went well. */
  readonly errors: readonly AnswerError[];
};

/** What both styles' errors have in common. */
export type AnswerError = { readonly message: string; readonly locations?: unknown };

export type Indexers = {
  /** The indexer of a deployment, or what the changes make of it: the same one for equal changes. */
  readonly of: (deployment: EmulatedDeployment, changes?: readonly IndexerChange[]) => Indexer;
  /** What a deployment is about. */
  readonly datasetOf: (deployment: EmulatedDeployment) => Dataset;
  /** Ends what runs beside this process. */
  readonly close: () => Promise<void>;
};

/** How an indexer differs from what its deployment should be. */
export type IndexerChange = {
  /** Equal keys are equal changes. */
  readonly key: string;
  /** The deployment it serves as. */
  readonly deployment?: (deployment: EmulatedDeployment) => EmulatedDeployment;
  readonly dataset?: (dataset: Dataset) => Dataset;
  readonly heads?: (heads: Heads, chain: ChainDataset) => Heads;
};

/** How far an indexer is on a chain, in block numbers. */
export type Heads = Pick<ChainState, "chainHead" | "errorBlock"> & { readonly head: number };

/** What serves the subgraphs in place of the emulator. */
export type Engine = {
  readonly indexerOf: (deployment: EmulatedDeployment) => Indexer;
  readonly close: () => Promise<void>;
};

/** What indexers need of the emulator they live in. */
export type IndexersOptions = {
  readonly datasetOf: (deployment: EmulatedDeployment) => Dataset;
  /** How many blocks a chain has grown since the start. */
  readonly newBlocks: (chainId: number) => number;
  /** Null where the emulator serves all. */
  readonly engine: Engine | null;
};

/** What all deployments of one dataset, release and operator have in common. */
type ServedSchema = {
  readonly schema: ApiSchema;
  /** Answers to introspection by query: half a megabyte each, so they are made and serialised once. */
  readonly introspections: Map<string, Answer>;
};

/** Schemas of a model that are cached: those that were needed last. */
const MOST_SCHEMAS = 20;

/** What is derived of a model is the same in every emulator. */
const servedSchemas = new WeakMap<EntityModel, Memo<string, ServedSchema>>();

/** Changed indexers that are cached: those that were asked last. */
const MOST_CHANGED = 100;

/** More different introspection queries than anyone asks; what comes after is answered but not cached. */
const MOST_INTROSPECTIONS = 20;

/**
 * Creates the indexers behind the endpoints. Each is created when it is first asked: its schema is derived
 * once for all deployments that have the same, and its rows are made up when a query first reads them.
 */
export async function createIndexers({ datasetOf, newBlocks, engine }: IndexersOptions): Promise<Indexers> {
  const createExecutor = {
    multichain: await servedStyles.multichain.loadExecutor(),
    subgraph: await servedStyles.subgraph.loadExecutor(),
  };
  const indexers = new Map<EmulatedDeployment, Indexer>();
  const changed = createMemo<string, Indexer>(MOST_CHANGED);

  function createIndexer(asked: EmulatedDeployment, changes: readonly IndexerChange[]): Indexer {
    const deployment = changes.reduce((as, change) => change.deployment?.(as) ?? as, asked);
    const { name, style, chainIds } = deployment;
    if (engine !== null && IS_PER_CHAIN[style]) return engine.indexerOf(deployment);
    const dataset = changes.reduce((as, change) => change.dataset?.(as) ?? as, datasetOf(deployment));
    const release = deployment.release ?? styles[style].platform.defaultRelease;
    const settings = { ...dataset.settings, ...deployment.settings };
    const { schema, introspections } = servedSchemaOf(dataset.model, style, release, settings);
    const chains = [...chainIds].sort((a, b) => a - b).map(dataset.chain);
    const headsOf = (chain: ChainDataset) => {
      const head = chain.firstHead + newBlocks(chain.chainId);
      const heads: Heads = { head, chainHead: head, errorBlock: null };
      return changes.reduce((as, change) => change.heads?.(as, chain) ?? as, heads);
    };
    const now = createReadViews(chains, headsOf);
    const [first] = chains;
    if (first === undefined) throw new TypeError(`The deployment ${name} serves no chain.`);
    // What a failed indexer answers to introspection is not what others of its design do.
    const isShared = changes.every((change) => change.heads === undefined);
    let executor: Executor | undefined;
    const execute = (request: GraphqlRequest) => {
      executor ??= createExecutor[style]({
        model: dataset.model,
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
      startBlock: first.startBlock,
      release,
      // A read view has its block, which is expensive to make.
      head: () => now().chains[0]?.head ?? first.blockAt(headsOf(first).head),
      answer: (request) => {
        if (!isShared) return execute(request);
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
    datasetOf,
    close: async () => engine?.close(),
    of: (deployment, changes = []) => {
      if (changes.length === 0) return cached(indexers, deployment, () => createIndexer(deployment, []));
      const key = JSON.stringify([deployment.name, ...changes.map((change) => change.key)]);
      return changed.get(key, () => createIndexer(deployment, changes));
    },
  };
}

function servedSchemaOf(
  model: EntityModel,
  style: StyleName,
  release: string,
  settings: OperatorSettings,
): ServedSchema {
  const schemas = cached(servedSchemas, model, () => createMemo<string, ServedSchema>(MOST_SCHEMAS));
  return schemas.get(JSON.stringify([style, release, settings]), () => ({
    schema: styles[style].deriver.derive(model, { ...settings, release }),
    introspections: new Map(),
  }));
}

/** What the indexer knows now: the same read view until a head moves, the same store until a row changes. */
function createReadViews(
  chains: readonly ChainDataset[],
  headsOf: (chain: ChainDataset) => Heads,
): () => ReadView {
  let view: ReadView | undefined;
  let heads: readonly Heads[] = [];
  let stores: readonly unknown[] = [];
  return () => {
    const states = chains.map((chain) => ({ chain, heads: headsOf(chain) }));
    if (view && states.every((state, index) => isSame(state.heads, heads[index]))) return view;
    // An indexer that is far behind may be before all blocks whose rows can be read: it has the first of them.
    const storesNow = states.map(({ chain, heads: { head } }) =>
      chain.storeAt(Math.max(head, chain.earliestBlock)),
    );
    const unchanged = storesNow.every((store, index) => store === stores[index]);
    const [only] = storesNow;
    const store =
      view && unchanged ? view.store : only && storesNow.length === 1 ? only : unionRowStore(storesNow);
    stores = storesNow;
    heads = states.map((state) => state.heads);
    view = {
      store,
      chains: states.map(({ chain, heads: { head, chainHead, errorBlock } }) => ({
        chainId: chain.chainId,
        startBlock: chain.startBlock,
        earliestBlock: Math.min(chain.earliestBlock, head),
        head: chain.blockAt(head),
        chainHead,
        errorBlock,
      })),
    };
    return view;
  };
}

function isSame(a: Heads, b: Heads | undefined): boolean {
  return a.head === b?.head && a.chainHead === b.chainHead && a.errorBlock === b.errorBlock;
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
    errors: Array.isArray(result.errors) ? result.errors : [],
  };
}

const META_FIELDS = ["__schema", "__type", "__typename"];

/**
 * Whether a document asks for the schema and nothing else, so that every deployment of a protocol and style
 * gives the same answer.
 */
export function isPureIntrospection(query: string): boolean {
  if (!query.includes("__schema")) return false;
  try {
    const operations = parse(query, { noLocation: true }).definitions.filter(
      (definition) => definition.kind === Kind.OPERATION_DEFINITION,
    );
    return (
      operations.length === 1 &&
      operations.every(({ selectionSet }) =>
        selectionSet.selections.every(
          (selection) => selection.kind === Kind.FIELD && META_FIELDS.includes(selection.name.value),
        ),
      )
    );
  } catch {
    return false;
  }
}
