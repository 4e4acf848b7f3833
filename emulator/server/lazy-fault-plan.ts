import type { Faults, FaultWorld } from "../faults/create-fault-plan.ts";
import type { Fault, FaultHandle } from "../faults/fault.ts";
import type { Striker } from "../faults/injection.ts";
import type { EmulatedEndpoint } from "../indexers/emulated-deployment.ts";

/** Where faults are set. What plays them is loaded with the first. */
export type FaultDesk = {
  /** Sets the faults of the start, and says which endpoints refuse connections from then on. */
  readonly setFirst: (faults: readonly Fault[]) => Promise<ReadonlySet<EmulatedEndpoint>>;
  readonly set: (fault: Fault) => Promise<FaultHandle>;
  readonly clear: () => void;
  readonly strike: Striker;
};

/** Creates the desk of an emulator without faults. */
export function createFaultDesk(world: FaultWorld): FaultDesk {
  let loading: Promise<Faults> | undefined;
  let faults: Faults | undefined;

  async function load(): Promise<Faults> {
    loading ??= import("../faults/create-fault-plan.ts").then(({ createFaults }) => createFaults(world));
    faults = await loading;
    return faults;
  }

  return {
    setFirst: async (first) => {
      if (first.length === 0) return new Set();
      return (await load()).setFirst(first);
    },
    set: async (fault) => (await load()).set(fault),
    clear: () => faults?.clear(),
    strike: (endpoint, number) => faults?.strike(endpoint, number) ?? null,
  };
}
