/** A row of an indexer. */
export type TrueRow = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly subgraphId: string;
};

/** The rows of a chain at a block. */
export type TrueBlock = {
  readonly number: number;
  readonly hash: string;
  readonly streams: readonly TrueRow[];
  readonly actions: readonly TrueRow[];
};

/** An event of a chain. */
export type Step = {
  /** `new` streams, a `change` of one, or the last blocks `reorganized`, whose rows vanish and whose ids are used again. */
  readonly kind: "new" | "change" | "reorganized";
  /** The index of the chain. */
  readonly chain: number;
  /** The number of streams or blocks, or the index of a stream. */
  readonly number: number;
};

/** Indexers that keep the rows of every block. */
export type Truth = {
  readonly step: (step: Step) => void;
  /** Answers a request; null for a missing block. */
  readonly answer: (request: TrueRequest) => object | null;
  /** The rows of an operation at the head, or some blocks below it, by chain. */
  readonly rows: (query: string, chain: string, below: number) => readonly TrueRow[];
};

export type TrueRequest = {
  /** The key of the chain of a subgraph; null for the multichain indexer. */
  readonly chain: string | null;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
};

/** @param ids the ids of the chains by their keys. */
export function createTruth(ids: Readonly<Record<string, number>>): Truth {
  const keys = Object.keys(ids);
  let forks = 0;
  const histories = new Map(keys.map((key) => [key, [blockOf(key, 0, { streams: [], actions: [] })]]));
  const historyOf = (key: string) => histories.get(key) ?? [];
  const headOf = (key: string) => historyOf(key).at(-1) ?? blockOf(key, 0, { streams: [], actions: [] });

  function blockOf(key: string, number: number, rows: Pick<TrueBlock, "streams" | "actions">): TrueBlock {
    const hash = `0x${[ids[key], number, forks].map((one) => Number(one).toString(16).padStart(8, "0")).join("")}`;
    return { number, hash: hash.padEnd(66, "0"), ...rows };
  }

  /** Adds a block with a changed stream, or a new one. */
  function grow(key: string, which: number | null) {
    const { number, streams, actions } = headOf(key);
    const count = which === null ? streams.length + 1 : 1 + (which % streams.length);
    const time = 1_700_000_000 + number * 400_000;
    const chainId = String(ids[key]);
    const id = `0x${"ab".repeat(20)}-${chainId}-${count}`;
    const known = streams[count - 1];
    const stream: TrueRow = {
      ...{ id, chainId, subgraphId: String(count), timestamp: String(time) },
      // A stream of another fork with the same id may be equal or completely different.
      amount: String(10n ** 20n * BigInt(count) + BigInt(forks % 3)),
      withdrawnAmount: "0",
      asset: { id: `asset-${chainId}`, symbol: 'A ",\n🙂' },
      ...known,
      ...(known && { withdrawnAmount: String(Number(known["withdrawnAmount"]) + 1 + (forks % 2)) }),
    };
    const action: TrueRow = {
      ...{ id: `${chainId}-${number + 1}-${forks}`, chainId, subgraphId: String(actions.length + 1) },
      ...{ timestamp: String(time), block: String(number + 1), stream: { id }, hash: `0x${forks}` },
    };
    const rows = {
      streams: [...streams.slice(0, count - 1), stream, ...streams.slice(count)],
      actions: [...actions, action],
    };
    historyOf(key).push(blockOf(key, number + 1, rows));
  }

  function rowsOf(query: string, { streams, actions }: TrueBlock): readonly TrueRow[] {
    if (/\bactions[:(]/.test(query)) return actions;
    return /withdrawnAmount(_lt|: ?\{ ?_lt)/.test(query)
      ? streams.filter(({ withdrawnAmount }) => Number(withdrawnAmount) < 3)
      : streams;
  }

  return {
    step: ({ kind, chain, number }) => {
      const key = keys[chain % keys.length] ?? "";
      const history = historyOf(key);
      if (kind === "new") for (let one = 0; one < number; one++) grow(key, null);
      else if (kind === "change") {
        if (headOf(key).streams.length > 0) grow(key, number);
      } else {
        const gone = Math.min(number, history.length - 1);
        history.splice(history.length - gone);
        forks++;
        // A winning fork has at least as many blocks.
        for (let one = 0; one < gone; one++)
          grow(key, one % 2 === 0 || headOf(key).streams.length === 0 ? null : one);
      }
    },
    rows: (query, chain, below) => {
      const history = historyOf(chain);
      const block = history[history.length - 1 - below];
      return block ? rowsOf(query, block) : [];
    },
    answer: ({ chain, query, variables }) => {
      const {
        block = {},
        after = "0",
        first = 1000,
        lockflowIds,
      } = variables as {
        readonly block?: { readonly number?: number; readonly hash?: string };
        readonly after?: string;
        readonly first?: number;
        readonly lockflowIds?: readonly string[];
      };
      const asked = /chain_id: \{_in: \[([\d,]+)\]/.exec(query)?.[1]?.split(",") ?? [];
      const chains = chain === null ? keys.filter((key) => asked.includes(String(ids[key]))) : [chain];
      const blocks = chains.map((key) =>
        historyOf(key).find(({ number, hash }) =>
          block.hash ? hash === block.hash : number === (block.number ?? headOf(key).number),
        ),
      );
      const [at] = blocks;
      if (!at) return null;
      const sign = /desc/.test(query) ? -1 : 1;
      const rows = blocks
        .flatMap((one) => (one ? rowsOf(query, one) : []))
        .filter(({ subgraphId }) => Number(subgraphId) > Number(after))
        .filter(({ id }) => lockflowIds?.includes(id) ?? true)
        .sort((a, b) => sign * (Number(a.subgraphId) - Number(b.subgraphId)))
        .slice(0, first);
      const heads = chains.map((key) => {
        const { number } = headOf(key);
        return { chain_id: ids[key], latest_processed_block: number, block_height: number };
      });
      return {
        ...(chain === null
          ? { lockflow: heads }
          : {
              _meta: {
                block: { number: at.number, hash: at.hash, timestamp: null },
                hasIndexingErrors: false,
              },
            }),
        [/\bactions[:(]/.test(query) ? "actions" : "streams"]: rows.map((row) => ({
          ...row,
          lockflow: row["chainId"],
        })),
      };
    },
  };
}
