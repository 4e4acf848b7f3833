import { EmulatorError, LockflowError } from "../../src/base/errors.ts";
import { hash } from "../../src/base/hash.ts";
import type { Indexer, IndexerChange, Indexers } from "../indexers/create-indexers.ts";
import type { EmulatedDeployment, EmulatedEndpoint } from "../indexers/emulated-deployment.ts";
import { buildEffect } from "./build-effect.ts";
import { checkFault } from "./check-fault.ts";
import { editModel, isModelEdit } from "./edit-model.ts";
import { type Effect, type InjectFaults, type Injection, SLOTS } from "./effect.ts";
import { type Fault, type FaultHandle, invalidFault } from "./fault.ts";
import { findEndpoints, type Places } from "./find-endpoints.ts";
import { type Damage, sendDamaged } from "./send-damaged.ts";

/** The faults of a running emulator, and their effect on requests. */
export type FaultPlan = {
  readonly inject: InjectFaults;
  /**
   * Sets the faults at start, and returns the endpoints that refuse connections.
   *
   * @throws EmulatorError `EMULATOR_INVALID_FAULT`
   */
  readonly setFirst: (faults: readonly unknown[]) => Promise<ReadonlySet<EmulatedEndpoint>>;
  /**
   * Sets a fault.
   *
   * @throws EmulatorError `EMULATOR_INVALID_FAULT`, also for one that is for the start only.
   */
  readonly set: (fault: unknown) => Promise<FaultHandle>;
  /** Lifts all faults but refused connections. */
  readonly clear: () => void;
};

type FaultPlanOptions = Places & {
  /** The seed of `probability`. */
  readonly seed: string;
  /** The growth of a chain since the start, in blocks. */
  readonly newBlocks: (chainId: number) => number;
  readonly indexers: () => Promise<Indexers>;
  /** Whether a real node serves a deployment, whose answers cannot be changed. */
  readonly isFixed: (deployment: EmulatedDeployment) => boolean;
};

type ActiveFault = {
  readonly fault: Fault;
  readonly ordinal: number;
  readonly endpoints: ReadonlySet<EmulatedEndpoint>;
  readonly effect: Effect;
  /** How many requests are left. */
  left: number;
};

export function createFaultPlan(options: FaultPlanOptions): FaultPlan {
  /** In the order of `SLOTS`. */
  let active: readonly ActiveFault[] = [];
  let count = 0;

  async function set(fault: Fault): Promise<FaultHandle> {
    const ordinal = count++;
    const newBlocks = new Map(chainIdsOf(options).map((chainId) => [chainId, options.newBlocks(chainId)]));
    const scope = findEndpoints(fault, options);
    const { effect, suits } = buildEffect(fault, { ...options, ordinal, newBlocks });
    const suited = scope.filter(suits);
    if (suited.length === 0) throw unsuited(fault);
    checkFixed({ fault, effect }, suited, options);
    const endpoints = await findServable({ fault, effect }, suited);
    const left = "next" in fault ? (fault.next ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
    const added: ActiveFault = { fault, ordinal, endpoints: new Set(endpoints), effect, left };
    active = [...active, added].sort((a, b) => slotOf(a) - slotOf(b) || a.ordinal - b.ordinal);
    const lift = () => {
      active = active.filter((activeFault) => activeFault !== added);
    };
    return { lift, [Symbol.dispose]: lift };
  }

  /** The endpoints that can serve their entities with a fault, after the edits that were set before. */
  async function findServable(
    { fault, effect }: Pick<ActiveFault, "fault" | "effect">,
    endpoints: readonly EmulatedEndpoint[],
  ): Promise<readonly EmulatedEndpoint[]> {
    if (!isModelEdit(fault) && fault.kind !== "release" && fault.kind !== "flapping") return endpoints;
    const { of, datasetOf } = await options.indexers();
    const refusals: LockflowError[] = [];
    const servable = endpoints.filter((endpoint) => {
      const { deployment } = endpoint;
      const edits = active.flatMap((earlier) =>
        isModelEdit(earlier.fault) && earlier.endpoints.has(endpoint) ? [earlier.effect] : [],
      );
      try {
        if (isModelEdit(fault)) {
          const { model } = changesOf(edits, { deployment, number: 1 }).reduce(
            (dataset, change) => change.dataset?.(dataset) ?? dataset,
            datasetOf(deployment),
          );
          const edited = editModel(model, fault);
          if ("problem" in edited)
            throw invalidFault(`A fault "${fault.kind}" cannot be set: ${edited.problem}`, edited.hint);
        }
        // Of two alternating releases, one serves each of the first two requests.
        for (const number of [1, 2]) of(deployment, changesOf([...edits, effect], { deployment, number }));
        return true;
      } catch (error) {
        if (!(error instanceof LockflowError)) throw error;
        refusals.push(error instanceof EmulatorError ? error : unservable(fault, deployment, error));
        return false;
      }
    });
    const [refusal] = refusals;
    if (servable.length === 0 && refusal) throw refusal;
    return servable;
  }

  return {
    setFirst: async (faults) => {
      // One after the other: edits of entities are checked against earlier edits.
      for (const fault of faults) await set(checkFault(fault));
      return new Set(
        active.flatMap(({ fault, endpoints }) => (fault.kind === "refused" ? [...endpoints] : [])),
      );
    },
    set: async (value) => {
      const fault = checkFault(value);
      if (fault.kind !== "refused") return set(fault);
      throw invalidFault(
        'A fault "refused" changes the URL of an endpoint, so it can only be set at the start.',
        'pass it to startEmulator({ faults }), or set a "reset".',
      );
    },
    clear: () => {
      active = active.filter(({ fault }) => fault.kind === "refused");
    },
    inject: (endpoint, number) => {
      const candidates = active.filter(({ endpoints, left }) => left > 0 && endpoints.has(endpoint));
      return candidates.length === 0 ? null : injectAll(candidates, { endpoint, number, seed: options.seed });
    },
  };
}

/** A real node can swap its deployments, but cannot change them. */
function checkFixed(
  { fault: { kind }, effect }: Pick<ActiveFault, "fault" | "effect">,
  suited: readonly EmulatedEndpoint[],
  { endpoints, isFixed }: FaultPlanOptions,
): void {
  if (effect.slot !== "change") return;
  const canBe = (deployment: EmulatedDeployment) => {
    const other = effect.change(deployment, 1)?.deployment?.(deployment);
    return other !== undefined && endpoints.some((endpoint) => endpoint.deployment === other);
  };
  if (suited.every(({ deployment }) => !isFixed(deployment) || canBe(deployment))) return;
  throw invalidFault(
    `A fault "${kind}" changes the indexer, but the engine graph-node serves unchanged subgraphs.`,
    `set it for what else is served ("multichain=${kind}"), or leave out the engine.`,
  );
}

/** The error of entities that a platform refuses. */
function unservable(
  { kind }: Fault,
  { name }: EmulatedDeployment,
  { sentence, context: [first = ""], hint }: LockflowError,
): EmulatorError {
  const what =
    kind === "release" || kind === "flapping"
      ? "A release cannot serve these entities"
      : `A fault "${kind}" makes entities that ${name} cannot serve`;
  return invalidFault(`${what}: ${sentence} ${first}`.trim(), hint);
}

function slotOf({ effect }: ActiveFault): number {
  return SLOTS.indexOf(effect.slot);
}

type FaultyRequest = {
  readonly endpoint: EmulatedEndpoint;
  readonly number: number;
  readonly seed: string;
};

/** A deployment, and the number of the request to it. */
type NumberedRequest = { readonly deployment: EmulatedDeployment; readonly number: number };

/** Combines the active faults into the effect on one request. A fault after the reply does not count as used. */
function injectAll(candidates: readonly ActiveFault[], request: FaultyRequest): Injection | null {
  const effects: Effect[] = [];
  const has = (slot: Effect["slot"]) => effects.some((effect) => effect.slot === slot);
  for (const candidate of candidates) {
    const { slot } = candidate.effect;
    const isLate = has("reset") || (has("reply") && slot !== "damage");
    if (isLate || !isDrawn(candidate, request)) continue;
    candidate.left -= 1;
    effects.push(candidate.effect);
  }
  if (effects.length === 0) return null;
  const damage = effects.reduce<Damage>(addDamage, { megabytes: 0, levels: 0, end: "whole" });
  return {
    delay: effects.reduce((sum, effect) => sum + (effect.slot === "delay" ? effect.milliseconds : 0), 0),
    isReset: has("reset"),
    reply: effects.find((effect) => effect.slot === "reply")?.reply ?? null,
    indexerOf: (indexers, deployment) =>
      changedIndexer(effects, indexers, { deployment, number: request.number }),
    send: has("damage") ? (response, reply) => sendDamaged(response, reply, damage) : null,
  };
}

/** Derived from seed, fault, endpoint and request number, so that runs are repeatable. */
function isDrawn({ fault, ordinal }: ActiveFault, { endpoint, number, seed }: FaultyRequest): boolean {
  if (!("probability" in fault) || fault.probability === undefined) return true;
  const digits = hash(`${seed}:fault:${ordinal}:${endpoint.path}:${number}`).slice(0, DRAWN_DIGITS);
  return Number.parseInt(digits, 16) < fault.probability * 16 ** DRAWN_DIGITS;
}

const DRAWN_DIGITS = 12;

/** Sizes add up; the first end counts. */
function addDamage(sum: Damage, effect: Effect): Damage {
  if (effect.slot !== "damage") return sum;
  const { megabytes = 0, levels = 0, end = "whole" } = effect.damage;
  return {
    megabytes: sum.megabytes + megabytes,
    levels: sum.levels + levels,
    end: sum.end === "whole" ? end : sum.end,
  };
}

function changedIndexer(effects: readonly Effect[], indexers: Indexers, request: NumberedRequest): Indexer {
  const { deployment } = request;
  return effects.reduce(
    (indexer, effect) => (effect.slot === "wrap" ? effect.wrap(indexer, deployment.style) : indexer),
    indexers.of(deployment, changesOf(effects, request)),
  );
}

function changesOf(effects: readonly Effect[], { deployment, number }: NumberedRequest): IndexerChange[] {
  return effects.flatMap((effect) =>
    effect.slot === "change" ? (effect.change(deployment, number) ?? []) : [],
  );
}

function unsuited(fault: Fault): LockflowError {
  const hints: Partial<Record<Fault["kind"], string>> = {
    "wrong-chain": "it is for subgraphs of other chains; a multichain deployment can have a missing-chain.",
    "missing-chain":
      "it is for multichain deployments that have the chain; a subgraph can have a wrong-chain.",
    release: "a release of graph-node is for subgraphs, one of envio for multichain deployments.",
    flapping: "both releases have to be of the platform that serves the deployment.",
  };
  return invalidFault(
    `A fault "${fault.kind}" has no effect on the endpoints that it was set for.`,
    hints[fault.kind] ?? "name deployments that serve the chain.",
  );
}

function chainIdsOf({ endpoints, chains }: Places): number[] {
  const served = endpoints.flatMap(({ deployment }) => deployment.chainIds);
  return [...new Set([...chains.map((chain) => chain.chainId), ...served])];
}
