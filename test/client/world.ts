import type { Client, ClientOptions } from "../../generated/client.ts";
import { testServer } from "../support/test-server.ts";
import { clientAt, compileOperations, type Style } from "./support.ts";

const operations = compileOperations(`
  query Walk($after: BigInt! = 0, $first: Int! = 100) {
    streams(where: { subgraphId_gt: $after }, orderBy: subgraphId, first: $first) {
      id chainId subgraphId timestamp
    }
  }
`);
if (!operations["Walk"]) throw new Error("The operation does not compile.");

/** An operation that can be paged. */
export const Walk = operations["Walk"];

/** A row of `Walk`. */
export type WorldRow = {
  readonly id: string;
  readonly chainId: string;
  readonly subgraphId: string;
  readonly timestamp: string;
};

/** A chain of a world: the rows of each block, and how many blocks each style has indexed. */
export type WorldChain = {
  readonly key: "base" | "ethereum" | "polygon";
  readonly chainId: number;
  /** The names of the rows of each block, which a reorganization replaces. */
  blocks: string[][];
  readonly lag: Record<Style, number>;
};

/** A request that a world answers. */
export type WorldRequest = {
  readonly chain: WorldChain | null;
  readonly style: Style;
  readonly isHealth: boolean;
  readonly variables: Readonly<Record<string, unknown>>;
};

/** Indexers of simulated chains in both styles, on a real server. */
export type World = {
  readonly chains: readonly WorldChain[];
  readonly requests: WorldRequest[];
  readonly client: (options?: ClientOptions) => Client;
  /** The rows of a chain up to a block, without a block all. */
  readonly rows: (chain: WorldChain, block?: number) => WorldRow[];
  /** Called before each answer; what it returns is sent instead, a number as status. */
  interfere: (request: WorldRequest) => number | object | undefined;
};

const IDS = { base: 8453, ethereum: 1, polygon: 137 } as const;

/** Starts indexers of chains without rows at block 0. */
export async function startWorld(keys: readonly (keyof typeof IDS)[] = ["base", "ethereum"]): Promise<World> {
  const chains = keys.map((key): WorldChain => {
    return { key, chainId: IDS[key], blocks: [[]], lag: { multichain: 0, subgraph: 0 } };
  });
  const { url } = await testServer(({ path, body }, response) => {
    const style = path.endsWith("/multichain") ? "multichain" : "subgraph";
    const { query, variables = {} }: { query: string; variables?: Record<string, unknown> } =
      JSON.parse(body);
    const suffix = { base: "base", ethereum: "mainnet", polygon: "polygon" };
    const own = chains.find(({ key }) => path.endsWith(`-${suffix[key]}`)) ?? null;
    const request = { chain: own, style, isHealth: !query.includes("streams"), variables } as const;
    world.requests.push(request);
    const instead = world.interfere(request);
    response.setHeader("content-type", "application/json");
    if (typeof instead === "number") response.statusCode = instead;
    response.end(typeof instead === "number" ? "" : JSON.stringify(instead ?? answer(request, query)));
  });
  const world: World = {
    chains,
    requests: [],
    client: (options = {}) => clientAt(url, { retries: 0, ...options }),
    rows,
    interfere: () => undefined,
  };
  return world;

  function answer({ style, chain, variables }: WorldRequest, query: string): object {
    const chainIds = [...query.matchAll(/chain_id: \{_in: \[([\d,]*)\]/g)].flatMap(([, ids = ""]) =>
      ids.split(","),
    );
    const asked = chain ? [chain] : chains.filter(({ chainId }) => chainIds.includes(String(chainId)));
    const { number, number_gte: least = 0 } = (variables["block"] ?? {}) as {
      number?: number;
      number_gte?: number;
    };
    const headOf = (one: WorldChain) => Math.max(0, one.blocks.length - 1 - one.lag[style]);
    const [only] = asked;
    if (chain && only && Math.max(least, number ?? 0) > headOf(only)) {
      const message = `Failed to decode \`block.number\` value: \`subgraph QmX has only indexed up to block number ${headOf(only)} and data for block number ${Math.max(least, number ?? 0)} is therefore not yet available\``;
      return { errors: [{ message }] };
    }
    const { after = "0", first = 100 } = variables as { after?: string; first?: number };
    const streams = asked
      .flatMap((one) => rows(one, number ?? headOf(one)))
      .filter(({ subgraphId }) => Number(subgraphId) > Number(after))
      .sort((a, b) => Number(a.subgraphId) - Number(b.subgraphId) || (a.id < b.id ? -1 : 1))
      .slice(0, first);
    const heads = chain
      ? {
          _meta: {
            block: { number: number ?? headOf(chain), hash: null, timestamp: null },
            hasIndexingErrors: false,
          },
        }
      : {
          lockflow: asked.map((one) => {
            return {
              chain_id: one.chainId,
              latest_processed_block: headOf(one),
              block_height: one.blocks.length - 1,
            };
          }),
        };
    return { data: { ...(query.includes("streams") && { streams }), ...heads } };
  }

  function rows(chain: WorldChain, block = Infinity): WorldRow[] {
    const { chainId } = chain;
    return chain.blocks
      .slice(0, block + 1)
      .flatMap((names, number) => names.map((name) => ({ name, number })))
      .map(({ name, number }, index) => ({
        id: `0xab-${chainId}-${name}`,
        chainId: String(chainId),
        subgraphId: String(index + 1),
        timestamp: String(1000 + number),
      }));
  }
}
