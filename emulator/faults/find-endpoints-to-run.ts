import { cached } from "../../src/base/collections.ts";
import { LockflowError } from "../../src/base/errors.ts";
import { styles } from "../../src/dialects/index.ts";
import type { Indexers } from "../indexers/create-indexers.ts";
import type { EmulatedEndpoint } from "../indexers/emulated-deployment.ts";
import type { Effect } from "./effect.ts";
import { invalidFault } from "./invalid-fault.ts";

/**
 * The endpoints whose entities the releases of a fault can serve.
 *
 * @throws EmulatorError `EMULATOR_INVALID_FAULT` when they can serve none.
 */
export function findEndpointsToRun(
  { change }: Extract<Effect, { readonly slot: "change" }>,
  endpoints: readonly EmulatedEndpoint[],
  datasetOf: Indexers["datasetOf"],
): EmulatedEndpoint[] {
  /** By all that decides: most deployments have entities and settings in common. */
  const reasons = new Map<string, LockflowError | null>();
  const fitting = endpoints.filter(({ deployment }) =>
    // Of two releases in turn, the first requests have one each.
    [1, 2].every((number) => {
      const changed = change(deployment, number)?.deployment?.(deployment) ?? deployment;
      const { name, model, settings } = datasetOf(deployment);
      const options = { ...settings, ...changed.settings, release: changed.release };
      const key = JSON.stringify([name, changed.style, options]);
      const derive = () => styles[changed.style].deriver.derive(model, options);
      return cached(reasons, key, () => reasonAgainst(derive)) === null;
    }),
  );
  const reason = [...reasons.values()].find((one) => one !== null);
  if (fitting.length > 0 || reason === undefined) return fitting;
  const [first = ""] = reason.context;
  throw invalidFault(
    `A release cannot serve these entities: ${reason.sentence} ${first}`.trim(),
    reason.hint,
  );
}

function reasonAgainst(derive: () => unknown): LockflowError | null {
  try {
    derive();
    return null;
  } catch (error) {
    if (error instanceof LockflowError) return error;
    throw error;
  }
}
