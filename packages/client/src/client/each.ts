import type { Chains, Project } from "../manifest/project.ts";
import { type Chain, type ChainList, type KeysOf, listKeys } from "./chain-ref.ts";
import type { Client } from "./client-options.ts";
import { groupChains } from "./group-chains.ts";
import { type AskOptions, inquire } from "./inquiry.ts";
import { notify } from "./notify.ts";
import type { Given, Kind, PortableOperation } from "./portable-operation.ts";
import { settle } from "./run.ts";
import { settleBatches } from "./settle-batch.ts";
import type { Settled } from "./settled.ts";

/** For which chains an operation is run. */
export type EachOptions<C extends Chains, R, List = ChainList<C>> = AskOptions & {
  readonly chains: List;
  /** Called for each chain as soon as it is settled. */
  readonly onResult?: ((result: Settled<R, Chain<C>>) => void) | undefined;
};

/**
 * Asks for several chains, each by itself: what fails on one spoils no other.
 *
 * @returns a result for each chain, in the order in which they are asked for.
 * @throws IndexerError for invalid variables, and the reason of the signal if it is aborted.
 */
export async function each<
  T extends Project,
  P extends keyof T & string,
  R,
  V,
  const List extends ChainList<T[P]>,
>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, Kind>,
  variables: Given<V>,
  { chains, onResult, ...options }: EachOptions<T[P], R, List>,
): Promise<readonly Settled<R, KeysOf<T[P], List>>[]> {
  const keys = listKeys(client, operation.protocol, chains);
  const settled = await inquire({ client, operation, variables }, options, (inquiry) => {
    const { groups, alone } = client.batch
      ? groupChains(inquiry, keys)
      : { groups: [], alone: [...new Set(keys)] };
    const all = [
      ...groups.flatMap((group) => settleBatches(inquiry, group)),
      ...alone.map((chain) => settle(inquiry, chain, inquiry.client.styles)),
    ];
    return Promise.all(
      all.map(async (asked) => {
        const result = (await asked) as Settled<R, never>;
        notify(onResult, result);
        return result;
      }),
    );
  });
  return keys.flatMap((key) => settled.find(({ chain }: Settled<R, string>) => chain === key) ?? []);
}
