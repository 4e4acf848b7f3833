import type { OutgoingHttpHeaders } from "node:http";
import { Kind, parse } from "graphql";
import { utf8 } from "../../src/base/bytes.ts";
import { cached } from "../../src/base/collections.ts";
import type { ApiSchema } from "../../src/dialects/api-schema.ts";
import type { EntityModel } from "../../src/dialects/entity-model.ts";
import { styles } from "../../src/dialects/index.ts";
import { IS_PER_CHAIN } from "../../src/dialects/surface.ts";
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

/** Answers the queries of one deployment. */
export type Indexer = {
  readonly answer: (request: GraphqlRequest) => Answer | Promise<Answer>;
  /** Replies to a POST as a real node does; absent if the adapter builds the reply from an answer. */
  readonly forward?: ((post: Post) => Promise<Forwarded>) | undefined;
  /** The last indexed block of the first chain. */
  readonly head: () => Block;
  /** The first indexed block of the first chain. */
  readonly startBlock: number;
  readonly release: string;
};

/** A request over HTTP: query string, content type and body. */
export type Post = { readonly search: string; readonly type: string; readonly body: string };

/** An HTTP reply, unchanged. */
export type Forwarded = {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
};

export type Answer = {
  readonly body: Uint8Array;
  readonly hasData: boolean;
  readonly hasErrors: boolean;
  /** The entries of `errors`, if any. */
  readonly errors: readonly AnswerError[];
};

export type AnswerError = { readonly message: string; readonly locations?: unknown };

export type Indexers = {
  /** The indexer of a deployment after the changes; equal changes return the same indexer. */
  readonly of: (deployment: EmulatedDeployment, changes?: readonly IndexerChange[]) => Indexer;
  readonly datasetOf: (deployment: EmulatedDeployment) => Dataset;
  /** Stops processes beside this one. */
  readonly close: () => Promise<void>;
};

export type IndexerChange = {
  /** Changes with equal keys are equal. */
  readonly key: string;
  /** The deployment that it serves. */
  readonly deployment?: (deployment: EmulatedDeployment) => EmulatedDeployment;
  readonly dataset?: (dataset: Dataset) => Dataset;
  readonly heads?: (heads: Heads, chain: ChainDataset) => Heads;
};

/** The progress of an indexer on a chain, in block numbers. */
export type Heads = Pick<ChainState, "chainHead" | "errorBlock"> & { readonly head: number };

/** Serves the subgraphs in place of the emulator. */
export type Engine = {
  readonly indexerOf: (deployment: EmulatedDeployment) => Indexer;
  readonly close: () => Promise<void>;
};

export type IndexersOptions = {
  readonly datasetOf: (deployment: EmulatedDeployment) => Dataset;
  /** The growth of a chain since the start, in blocks. */
  readonly newBlocks: (chainId: number) => number;
  /** Null if the emulator serves everything. */
  readonly engine: Engine | null;
};

/** Shared by all deployments with the same dataset, release and settings. */
type ServedSchema = {
  readonly schema: ApiSchema;
  /** Introspection answers by query: half a megabyte each, so they are built and serialised once. */
  readonly introspections: Map<string, Answer>;
};

/** Cached schemas of a model; least recently used go first. */
const MOST_SCHEMAS = 20;

/** Emulators share the schema that is derived from a model. */
const servedSchemas = new WeakMap<EntityModel, Memo<string, ServedSchema>>();

/** Cached changed indexers; least recently used go first. */
const MOST_CHANGED = 100;

/** Further introspection queries are answered, but not cached. */
const MOST_INTROSPECTIONS = 20;

/**
 * Creates the indexers behind the endpoints, each on first use. Deployments with equal schemas share one derivation;
 * rows are generated when a query first reads them.
 */
export async function createIndexers({ datasetOf, newBlocks, engine }: IndexersOptions): Promise<Indexers> {
  const createExecutor = {
    multichain: await servedStyles.multichain.loadExecutor(),
    subgraph: await servedStyles.subgraph.loadExecutor(),
  };
  const indexers = new Map<EmulatedDeployment, Indexer>();
  const changed = createMemo<string, Indexer>(MOST_CHANGED);

  function createIndexer(original: EmulatedDeployment, changes: readonly IndexerChange[]): Indexer {
    const deployment = changes.reduce((as, change) => change.deployment?.(as) ?? as, original);
    const { name, style, chainIds } = deployment;
    if (engine !== null && IS_PER_CHAIN[style]) return engine.indexerOf(deployment);
    const dataset = changes.reduce((as, change) => change.dataset?.(as) ?? as, datasetOf(deployment));
    const release = deployment.release ?? dataset.release ?? styles[style].platform.defaultRelease;
    const settings = { ...dataset.settings, ...deployment.settings };
    const { schema, introspections } = servedSchemaOf(dataset.model, deployment, { release, settings });
    const chains = [...chainIds].sort((a, b) => a - b).map(dataset.chain);
    const headsOf = (chain: ChainDataset) => {
      const head = chain.firstHead + newBlocks(chain.chainId);
      const heads: Heads = { head, chainHead: head, errorBlock: null };
      return changes.reduce((as, change) => change.heads?.(as, chain) ?? as, heads);
    };
    const now = createReadViews(chains, headsOf);
    const [first] = chains;
    if (first === undefined) throw new TypeError(`The deployment ${name} serves no chain.`);
    // A failed indexer answers introspection differently.
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
      // A read view includes its block, which is expensive to build.
      head: () => now().chains[0]?.head ?? first.blockAt(headsOf(first).head),
      answer: (request) => {
        if (!isShared || !isBare(request)) return execute(request);
        const { query } = request;
        const cachedAnswer = introspections.get(query);
        if (cachedAnswer) return cachedAnswer;
        const answer = execute(request);
        const hasRoom = introspections.size < MOST_INTROSPECTIONS;
        if (hasRoom && answer.hasData && isPureIntrospection(query)) introspections.set(query, answer);
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
  { style, chainIds }: EmulatedDeployment,
  { release, settings }: { readonly release: string; readonly settings: OperatorSettings },
): ServedSchema {
  const schemas = cached(servedSchemas, model, () => createMemo<string, ServedSchema>(MOST_SCHEMAS));
  const key = JSON.stringify([style, release, settings]);
  const served = schemas.get(key, () => ({
    schema: styles[style].deriver.derive(model, { ...settings, release }),
    introspections: new Map(),
  }));
  const schema = servedStyles[style].schemaOf?.(served.schema, chainIds) ?? served.schema;
  if (schema === served.schema) return served;
  return schemas.get(`${key} ${chainIds}`, () => ({ schema, introspections: new Map() }));
}

/** The indexer's current state: the same read view until a head moves, the same store until a row changes. */
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
    // An indexer far behind may be before all readable blocks: it then serves the first of them.
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

/** Whether only the query decides the answer. */
function isBare({ variables, operationName }: GraphqlRequest): boolean {
  return operationName === null && (variables === null || Object.keys(variables).length === 0);
}

function buildAnswer(result: Readonly<Record<string, unknown>>): Answer {
  return {
    body: utf8(JSON.stringify(result)),
    hasData: "data" in result,
    hasErrors: "errors" in result,
    errors: Array.isArray(result.errors) ? result.errors : [],
  };
}

const META_FIELDS = ["__schema", "__type", "__typename"];

/**
 * Whether a document requests the schema only, so that all deployments of a protocol and style give the same answer.
 */
function isPureIntrospection(query: string): boolean {
  if (!query.includes("__schema")) return false;
  try {
    const [operation, ...others] = parse(query, { noLocation: true }).definitions.filter(
      (definition) => definition.kind === Kind.OPERATION_DEFINITION,
    );
    const isMeta = operation?.selectionSet.selections.every(
      (selection) => selection.kind === Kind.FIELD && META_FIELDS.includes(selection.name.value),
    );
    return isMeta === true && others.length === 0;
  } catch {
    return false;
  }
}
