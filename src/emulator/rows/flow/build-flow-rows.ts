import type { Row } from "../../../model/rows.ts";
import { assetRows } from "../build-assets.ts";
import { type Contract, createContracts, currentGeneration } from "../create-contracts.ts";
import { planCreations } from "../plan-creations.ts";
import { streamRow } from "../stream.ts";
import type { ProtocolRows, World } from "../world.ts";
import { liveFlowStream } from "./live-flow-stream.ts";
import { inventRate, monthlyAmount } from "./rate.ts";
import { FIRST_GENERATION_WITH_FEES, FLOW_GENERATIONS } from "./releases.ts";
import { balanceOf, depletionTimeOf, type FlowStream } from "./stream.ts";

/** Builds the streams of a chain's Flow contracts with all that happened to them. */
export function buildFlowRows(world: World): ProtocolRows {
  const { random, clock, ledger, accounts, streams: count } = world;
  const contracts = createContracts(random, FLOW_GENERATIONS);
  const streams: FlowStream[] = [];
  for (const { block, size, progress } of planCreations(random, clock, count)) {
    const current = currentGeneration(contracts, progress);
    const fees = current.index >= FIRST_GENERATION_WITH_FEES;
    const created = openStreams(world, current.contracts, { block, size, after: streams.length });
    streams.push(...created);
    for (const stream of created) {
      liveFlowStream(stream, { ledger, random, people: accounts.recipients, fees });
    }
  }
  const actions = ledger.close();
  return {
    actions,
    streams: streams.map((stream) => flowStreamRow(stream, clock.chainId)),
    others: new Map([["Asset", assetRows(world.assets, clock.chainId)]]),
  };
}

/** The streams one transaction opens: of one contract and sender, to different recipients. */
function openStreams(
  { random, clock, ledger, batches, accounts, assets }: World,
  contracts: readonly Contract[],
  { block, size, after }: { readonly block: number; readonly size: number; readonly after: number },
): FlowStream[] {
  const contract = random.pick(contracts);
  const asset = random.pick(assets);
  const sender = random.pick(accounts.senders);
  // Anyone may open a stream in another's name.
  const creator = random.chance(90) ? sender : random.pick(accounts.senders);
  const creation = ledger.transact(block, creator);
  const batch = batches.open(creation, creator, size);
  return Array.from({ length: size }, (_, position) => {
    const tokenId = contract.nextTokenId();
    const recipient = random.pick(accounts.recipients);
    const rate = inventRate(random);
    const deposited = random.chance(80) ? monthlyAmount(random, asset) * BigInt(random.int(1, 12)) : 0n;
    const id = `${contract.address}-${clock.chainId}-${tokenId}`;
    const facts = { contract: contract.address, stream: id };
    ledger.record(creation, {
      ...facts,
      category: "Create",
      addresses: [sender, recipient],
      amounts: [rate, null],
    });
    if (deposited > 0n) {
      ledger.record(creation, {
        ...facts,
        category: "Deposit",
        addresses: [creator, null],
        amounts: [deposited, null],
      });
    }
    return {
      id,
      subgraphId: after + position + 1,
      tokenId,
      contract,
      category: "Flow",
      asset,
      sender,
      recipient,
      creation,
      batch,
      position,
      startTime: creation.timestamp,
      transferable: random.chance(85),
      withdrawn: 0n,
      creator,
      deposited,
      refunded: 0n,
      forgiven: 0n,
      rate,
      snapshot: 0n,
      adjusted: creation.timestamp,
      adjustment: null,
      paused: null,
      voided: null,
    };
  });
}

function flowStreamRow(stream: FlowStream, chainId: number): Row {
  const { adjustment, paused, voided } = stream;
  // Not a spread, which takes ten times as long for an object of this many fields.
  return Object.assign(streamRow(stream, chainId), {
    availableAmount: String(balanceOf(stream)),
    creator: stream.creator,
    depletionTime: String(depletionTimeOf(stream)),
    depositedAmount: String(stream.deposited),
    forgivenDebt: String(stream.forgiven),
    lastAdjustmentAction: adjustment?.id ?? null,
    lastAdjustmentTimestamp: String(stream.adjusted),
    paused: paused !== null,
    pausedAction: paused?.id ?? null,
    pausedTime: paused?.timestamp ?? null,
    ratePerSecond: String(stream.rate),
    refundedAmount: String(stream.refunded),
    snapshotAmount: String(stream.snapshot),
    voided: voided !== null,
    voidedAction: voided?.id ?? null,
    voidedTime: voided?.timestamp ?? null,
  });
}
