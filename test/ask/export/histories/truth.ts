/** A row of an indexer. */
export type TrueRow = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly subgraphId: string;
};

/** The rows of a chain at a block. */
type TrueBlock = {
  readonly number: number;
  readonly hash: string;
  readonly streams: readonly TrueRow[];
  readonly actions: readonly TrueRow[];
};

/** An event of a chain. */
export type Step = {
  /**
   * `new` streams, a `change` of one, the last blocks `reorganized`, whose rows vanish and whose ids are used again, or empty
   * blocks that `pass`.
   */
  readonly kind: "new" | "change" | "reorganized" | "pass";
  /** The index of the chain. */
  readonly chain: number;
  /** The number of streams or blocks, or the index of a stream. */
  readonly number: number;
};

/** How an indexer differs from the chain. */
export type Distortion = {
  /** How many blocks it is behind. */
  readonly lag?: number;
  /** The most rows that an answer has. */
  readonly cap?: number;
  /** The deployment of a subgraph. @default "first" */
  readonly deployment?: string;
  /** The number of streams that it has, as while it is built. @default all */
  readonly streams?: number;
  /** The end of the ids of all rows, as after a change of their form. @default none */
  readonly ids?: string;
  /** A head that is not right. */
  readonly head?: number;
};

/** Indexers that keep the rows of every block. */
export type Truth = ReturnType<typeof createTruth>;

export type TrueRequest = {
  /** The key of the chain of a subgraph; null for the multichain indexer. */
  readonly chain: string | null;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
};

const NO_ROWS = { streams: [], actions: [] };

/** @param ids the ids of the chains by their keys. */
export function createTruth(ids: Readonly<Record<string, number>>) {
  const keys = Object.keys(ids);
  let forks = 0;
  const distortions = { multichain: {} as Distortion, subgraph: {} as Distortion };
  const histories = new Map(keys.map((key) => [key, [blockOf(key, 0, NO_ROWS)]]));
  const historyOf = (key: string) => histories.get(key) ?? [];
  const headOf = (key: string) => historyOf(key).at(-1) ?? blockOf(key, 0, NO_ROWS);

  function blockOf(key: string, number: number, rows: Pick<TrueBlock, "streams" | "actions">): TrueBlock {
    const hash = `0x${[ids[key], number, forks].map((one) => Number(one).toString(16).padStart(8, "0")).join("")}`;
    return { number, hash: hash.padEnd(66, "0"), ...rows };
  }

  function blockAt(key: string, number: number): TrueBlock | undefined {
    return number > headOf(key).number ? undefined : historyOf(key).findLast((one) => one.number <= number);
  }

  /** Adds a block with a changed stream, or a new one. */
  function grow(key: string, which: number | null) {
    const { number, streams, actions } = headOf(key);
    const count = which === null ? streams.length + 1 : 1 + (which % streams.length);
    const time = 1_700_000_000 + number * 2;
    const chainId = String(ids[key]);
    const id = `0x${"ab".repeat(20)}-${chainId}-${count}`;
    const known = streams[count - 1];
    const stream: TrueRow = {
      id,
      chainId,
      subgraphId: String(count),
      timestamp: String(time),
      // A stream of another fork with the same id may be equal or completely different. Some amounts fit no type.
      amount: String(10n ** (count % 7 === 3 ? 36n : 20n) * BigInt(count) + BigInt(forks % 3)),
      withdrawnAmount: "0",
      asset: { id: `asset-${chainId}`, symbol: 'A ",\n🙂' },
      ...known,
      ...(known && { withdrawnAmount: String(Number(known["withdrawnAmount"]) + 1 + (forks % 2)) }),
    };
    const action: TrueRow = {
      id: `${chainId}-${number + 1}-${forks}`,
      chainId,
      subgraphId: String(actions.length + 1),
      timestamp: String(time),
      block: String(number + 1),
      stream: { id },
      hash: `0x${forks}`,
    };
    const rows = {
      streams: [...streams.slice(0, count - 1), stream, ...streams.slice(count)],
      actions: [...actions, action],
    };
    historyOf(key).push(blockOf(key, number + 1, rows));
  }

  /** Returns the last block before an indexer has more streams. */
  function blockOfBuild(key: string, block: TrueBlock, { streams: most }: Distortion): TrueBlock {
    const has = (one: TrueBlock) => one.number <= block.number && one.streams.length <= (most ?? 0);
    return most === undefined ? block : (historyOf(key).findLast(has) ?? block);
  }

  function rowsOf(query: string, block: TrueBlock, { ids: end = "" }: Distortion = {}) {
    const isActions = /\bactions[:(]|\bAction[:(]/.test(query);
    const rows = isActions ? block.actions : block.streams;
    const shown = end === "" ? rows : rows.map((row) => ({ ...row, id: `${row.id}${end}` }));
    return !isActions && /withdrawnAmount(_lt|: ?\{ ?_lt)/.test(query)
      ? shown.filter((row) => Number((row as TrueRow)["withdrawnAmount"]) < 3)
      : shown;
  }

  return {
    distortions,
    head: (chain: string) => headOf(chain).number,
    step: ({ kind, chain, number }: Step) => {
      const key = keys[chain % keys.length] ?? "";
      const history = historyOf(key);
      if (kind === "new") for (let one = 0; one < number; one++) grow(key, null);
      else if (kind === "change") {
        if (headOf(key).streams.length > 0) grow(key, number);
      } else if (kind === "pass") {
        const { streams, actions, number: last } = headOf(key);
        history.push(blockOf(key, last + number, { streams, actions }));
      } else {
        const gone = Math.min(number, history.length - 1);
        history.splice(history.length - gone);
        forks++;
        // A winning fork has at least as many blocks.
        for (let one = 0; one < gone; one++) {
          grow(key, one % 2 === 0 || headOf(key).streams.length === 0 ? null : one);
        }
      }
    },
    /** Returns the rows of an operation at a block; undefined for an unknown block. */
    rows: (query: string, chain: string, number: number): readonly TrueRow[] | undefined => {
      const block = blockAt(chain, number);
      return block && (rowsOf(query, block) as readonly TrueRow[]);
    },
    /** Answers a request; null for a missing block. */
    answer: ({ chain, query, variables }: TrueRequest): object | null => {
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
      const distortion = distortions[chain === null ? "multichain" : "subgraph"];
      const { lag = 0, cap = 1000, deployment = "first" } = distortion;
      const asked = /chain_id: \{_in: \[([\d,]+)\]/.exec(query)?.[1]?.split(",") ?? [];
      const chains = chain === null ? keys.filter((key) => asked.includes(String(ids[key]))) : [chain];
      const lastOf = (key: string) => Math.max(0, headOf(key).number - lag);
      // graph-node answers the hash of a replaced block that it kept with the rows of its number on the new fork.
      const wanted = block.hash ? Number.parseInt(block.hash.slice(10, 18), 16) : block.number;
      const blocks = chains.map((key) =>
        (wanted ?? 0) <= lastOf(key) ? blockAt(key, wanted ?? lastOf(key)) : undefined,
      );
      const [at] = blocks;
      if (!at) return null;
      const sign = /desc/.test(query) ? -1 : 1;
      const rows = blocks
        .flatMap((one, index) => {
          const built = one && blockOfBuild(chains[index] ?? "", one, distortion);
          return built ? (rowsOf(query, built, distortion) as readonly TrueRow[]) : [];
        })
        .filter(({ subgraphId }) => Number(subgraphId) > Number(after))
        .filter(({ id }) => lockflowIds?.includes(id) ?? true)
        .sort((a, b) => sign * (Number(a.subgraphId) - Number(b.subgraphId)))
        .slice(0, Math.min(first, chain === null || lockflowIds ? cap : 1000));
      const number = wanted ?? distortion.head ?? lastOf(chains[0] ?? "");
      const heads = chains.map((key) => {
        const last = distortion.head ?? lastOf(key);
        return { chain_id: ids[key], latest_processed_block: last, block_height: last };
      });
      // It does not look up the hash of a number.
      const hash = block.number === undefined ? (block.hash ?? at.hash) : null;
      const meta = { block: { number, hash, timestamp: null }, hasIndexingErrors: false };
      return {
        ...(chain === null ? { lockflow: heads } : { _meta: meta }),
        ...(/indexer: _meta/.test(query) && { indexer: { deployment } }),
        [/\bactions[:(]/.test(query) ? "actions" : "streams"]: rows.map((row) => ({
          ...row,
          lockflow: row["chainId"],
        })),
      };
    },
  };
}
