import type { Row } from "../../../styles/read-view.ts";
import { type Contract, createContracts, currentGeneration } from "../create-contracts.ts";
import type { Creation } from "../plan-creations.ts";
import type { SimulationState, StreamSimulation } from "../simulation.ts";
import { streamRow } from "../stream.ts";
import { inventRate, monthlyAmount } from "./rate.ts";
import { FIRST_GENERATION_WITH_FEES, FLOW_GENERATIONS } from "./releases.ts";
import { simulateFlowEvent } from "./simulate-flow-event.ts";
import { balanceOf, depletionTimeOf, type FlowStream } from "./stream.ts";

/** Simulates the streams of a chain's Flow contracts. */
export function flowSimulation(state: SimulationState): StreamSimulation<FlowStream> {
  const { random, clock, log, accounts } = state;
  const contracts = createContracts(random, FLOW_GENERATIONS);
  const inputs = { log, random, people: accounts.recipients };
  return {
    open: (creation, after) => {
      const current = currentGeneration(contracts, creation.progress);
      const fees = current.index >= FIRST_GENERATION_WITH_FEES;
      return openStreams(state, current.contracts, fees, creation, after);
    },
    simulateEvent: (stream, block) => simulateFlowEvent(stream, block, inputs),
    streamRow: (stream) => flowStreamRow(stream, clock.chainId),
    partRows: new Map(),
  };
}

/** The streams one transaction opens: of one contract and sender, to different recipients. */
function openStreams(
  { random, clock, log, batches, accounts, assets }: SimulationState,
  contracts: readonly Contract[],
  fees: boolean,
  { block, size }: Creation,
  after: number,
): FlowStream[] {
  const contract = random.pick(contracts);
  const asset = random.pick(assets);
  const sender = random.pick(accounts.senders);
  // Anyone may open a stream in another's name.
  const creator = random.chance(90) ? sender : random.pick(accounts.senders);
  const creation = log.transact(block, creator);
  const batch = batches.open(creation, creator, size);
  return Array.from({ length: size }, (_, position) => {
    const tokenId = contract.nextTokenId();
    const recipient = random.pick(accounts.recipients);
    const rate = inventRate(random);
    const deposited = random.chance(80) ? monthlyAmount(random, asset) * BigInt(random.int(1, 12)) : 0n;
    const id = `${contract.address}-${clock.chainId}-${tokenId}`;
    const facts = { contract: contract.address, stream: id };
    log.record(creation, {
      ...facts,
      category: "Create",
      addresses: [sender, recipient],
      amounts: [rate, null],
    });
    if (deposited > 0n) {
      log.record(creation, {
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
      fees,
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
