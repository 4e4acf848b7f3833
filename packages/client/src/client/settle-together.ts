import { askEndpoint } from "./ask-endpoint.ts";
import { failureOf } from "./failure-of.ts";
import { type Group, groupChains, settleElsewhere } from "./group-chains.ts";
import type { Inquiry } from "./inquiry.ts";
import { settle } from "./run.ts";
import type { Settled } from "./settled.ts";

/**
 * Asks for chains, those of one endpoint by one request; a chain that it fails is asked for by itself in the other style.
 *
 * @returns a result for each chain, in their order. Chains that were asked for together share their data.
 */
export async function settleTogether<P extends string, R, V>(
  inquiry: Inquiry<P, R, V>,
  keys: readonly string[],
): Promise<readonly Settled<R, string>[]> {
  const { groups, alone } = inquiry.operation.alone
    ? { groups: [], alone: [...new Set(keys)] }
    : groupChains(inquiry, keys);
  const byChain = new Map<string, Settled<R, string>>();
  const keep = (result: Settled<R, string>) => byChain.set(result.chain, result);
  await Promise.all([
    ...groups.map((group) => settleGroup(inquiry, group, keep)),
    ...alone.map(async (chain) => keep(await settle(inquiry, chain, inquiry.client.styles))),
  ]);
  return keys.flatMap((key) => byChain.get(key) ?? []);
}

async function settleGroup<P extends string, R, V>(
  inquiry: Inquiry<P, R, V>,
  group: Group,
  keep: (result: Settled<R, string>) => unknown,
): Promise<void> {
  const { client, signal, maxLag = client.maxLag } = inquiry;
  const { style, target, keys, before } = group;
  try {
    const read = await askEndpoint(inquiry, style, target, keys);
    const readings = keys.map((chain) => ({ chain, ...read(chain) }));
    const isLate = (one: (typeof readings)[number]) => one.error?.code === "behind";
    const rest = readings.filter((one) => !isLate(one)).map(({ chain }) => chain);
    // Rows of a chain that is late stand in the way of others.
    const isCut = rest.length > 0 && rest.length < keys.length;
    await Promise.all([
      isCut && settleGroup(inquiry, { ...group, keys: rest }, keep),
      ...readings.map(async (one) => {
        const { chain, data, head, error } = one;
        if (isCut && !isLate(one)) return;
        if (!error) keep({ status: "ok", chain, style, data, head, tried: before });
        // The least late of all answers may be that of this style, without the rows of other chains.
        else if (isLate(one) && typeof maxLag === "object") keep(await settle(inquiry, chain, client.styles));
        else keep(await settleElsewhere(inquiry, group, chain, error));
      }),
    ]);
  } catch (error) {
    const failure = failureOf(error, signal);
    await Promise.all(keys.map(async (chain) => keep(await settleElsewhere(inquiry, group, chain, failure))));
  }
}
