import type { Endpoint } from "../manifest-types.ts";
import type { ChainKey, Protocol, StyleName } from "../narrowed.ts";
import { askEndpoint, findTarget } from "./ask-endpoint.ts";
import { FINAL } from "./classify.ts";
import { type Failure, IndexerError } from "./indexer-error.ts";
import type { Inquiry } from "./inquiry.ts";
import { settle } from "./run.ts";
import type { Settled } from "./settled.ts";

/** Chains that one endpoint serves, which is the first that serves them. */
type Group = {
  readonly style: StyleName;
  readonly target: Endpoint;
  readonly keys: ChainKey[];
  /** What failed in the styles before. */
  readonly before: readonly Failure[];
};

/**
 * Asks for chains, those of one endpoint by one request; a chain that it fails is asked for by itself in the other style.
 *
 * @returns a result for each chain, in their order. Chains that were asked for together share their data.
 */
export async function settleTogether<P extends Protocol, R, V>(
  inquiry: Inquiry<P, R, V>,
  keys: readonly ChainKey[],
): Promise<readonly Settled<R, ChainKey>[]> {
  const groups = new Map<string, Group>();
  const alone: ChainKey[] = [];
  for (const chain of new Set(keys)) {
    const found = findGroup(inquiry, chain);
    const group = found && groups.get(found.target.url);
    if (group) group.keys.push(chain);
    else if (found) groups.set(found.target.url, found);
    else alone.push(chain);
  }
  const settled = await Promise.all([
    ...[...groups.values()].map((group) => settleGroup(inquiry, group)),
    ...alone.map(async (chain) => [await settle(inquiry, chain, inquiry.client.styles)]),
  ]);
  const byChain = new Map(settled.flat().map((result) => [result.chain, result]));
  return keys.flatMap((key) => byChain.get(key) ?? []);
}

/** The first endpoint of a chain, where it serves others, too. */
function findGroup<P extends Protocol, R, V>(inquiry: Inquiry<P, R, V>, chain: ChainKey): Group | undefined {
  const before: Failure[] = [];
  for (const style of inquiry.client.styles) {
    try {
      const target = findTarget(inquiry, style, chain);
      if (target) return target.chains.length > 1 ? { style, target, keys: [chain], before } : undefined;
    } catch (error) {
      before.push({ style, error: error as IndexerError });
    }
  }
  return undefined;
}

async function settleGroup<P extends Protocol, R, V>(
  inquiry: Inquiry<P, R, V>,
  group: Group,
): Promise<readonly Settled<R, ChainKey>[]> {
  const { client, signal, maxLag = client.maxLag } = inquiry;
  const { style, target, keys, before } = group;
  const { styles } = client;
  const settleElsewhere = (chain: ChainKey, error: IndexerError) =>
    settle(inquiry, chain, FINAL.includes(error.code) ? [] : styles.slice(styles.indexOf(style) + 1), [
      ...before,
      { style, error },
    ]);
  try {
    const read = await askEndpoint(inquiry, style, target, keys);
    const readings = keys.map((chain) => ({ chain, ...read(chain) }));
    const late = readings.filter(({ error }) => error?.code === "behind");
    const rest = readings.filter((one) => !late.includes(one));
    const settled = await Promise.all([
      // Rows of a chain that is late stand in the way of others.
      late.length > 0 && rest.length > 0
        ? settleGroup(inquiry, { ...group, keys: rest.map(({ chain }) => chain) })
        : Promise.all(
            rest.map(({ chain, data, head, error }) =>
              error
                ? settleElsewhere(chain, error)
                : ({ status: "ok", chain, style, data, head, tried: before } as const),
            ),
          ),
      // The least late of all answers may be that of this style, without the rows of other chains.
      ...late.map(async ({ chain, error }) => [
        await (error && typeof maxLag !== "object"
          ? settleElsewhere(chain, error)
          : settle(inquiry, chain, styles)),
      ]),
    ]);
    return settled.flat();
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof IndexerError) || error.code === "invalid-variables") throw error;
    return Promise.all(keys.map((chain) => settleElsewhere(chain, error)));
  }
}
