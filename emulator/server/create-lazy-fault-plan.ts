import type { FaultPlan, FaultPlanOptions } from "../faults/create-fault-plan.ts";

/** Creates a fault plan without faults. What plays them is loaded with the first. */
export function createLazyFaultPlan(options: FaultPlanOptions): FaultPlan {
  let loading: Promise<FaultPlan> | undefined;
  let plan: FaultPlan | undefined;

  async function load(): Promise<FaultPlan> {
    loading ??= import("../faults/create-fault-plan.ts").then(({ createFaultPlan }) =>
      createFaultPlan(options),
    );
    plan = await loading;
    return plan;
  }

  return {
    setFirst: async (faults) => (faults.length === 0 ? new Set() : (await load()).setFirst(faults)),
    set: async (fault) => (await load()).set(fault),
    clear: () => plan?.clear(),
    inject: (endpoint, number) => plan?.inject(endpoint, number) ?? null,
  };
}
