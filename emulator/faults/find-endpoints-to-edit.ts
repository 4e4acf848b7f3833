import { cached } from "../../src/base/collections.ts";
import { LockflowError } from "../../src/base/errors.ts";
import { styles } from "../../src/dialects/index.ts";
import type { Dataset } from "../dataset/dataset.ts";
import type { Indexers } from "../indexers/create-indexers.ts";
import type { EmulatedDeployment, EmulatedEndpoint } from "../indexers/emulated-deployment.ts";
import { createDatasetEditor } from "./edit-dataset.ts";
import { editModel, type ModelEdit } from "./edit-model.ts";
import { invalidFault } from "./invalid-fault.ts";

/** An edit that is made before the one that is checked. */
export type EarlierEdit = { readonly edit: ModelEdit; readonly endpoints: ReadonlySet<EmulatedEndpoint> };

/**
 * The endpoints whose entities an edit fits, after the edits that were set before.
 *
 * @throws EmulatorError `EMULATOR_INVALID_FAULT` when it fits none.
 */
export function findEndpointsToEdit(
  edit: ModelEdit,
  endpoints: readonly EmulatedEndpoint[],
  earlier: readonly EarlierEdit[],
  datasetOf: Indexers["datasetOf"],
): EmulatedEndpoint[] {
  /** By all that decides: most deployments have entities, release and settings in common. */
  const reasons = new Map<string, LockflowError | null>();
  const fitting = endpoints.filter((endpoint) => {
    const { deployment } = endpoint;
    const dataset = earlier
      .filter(({ endpoints: others }) => others.has(endpoint))
      .reduce((before, { edit }) => createDatasetEditor(edit)(before), datasetOf(deployment));
    const key = JSON.stringify([dataset.name, deployment.style, deployment.release, deployment.settings]);
    return cached(reasons, key, () => reasonAgainst(edit, dataset, deployment)) === null;
  });
  const [reason] = reasons.values();
  if (fitting.length === 0 && reason) throw reason;
  return fitting;
}

/** Why an indexer cannot serve what an edit makes of its entities; null when it can. */
function reasonAgainst(
  edit: ModelEdit,
  dataset: Dataset,
  deployment: EmulatedDeployment,
): LockflowError | null {
  const model = editModel(dataset.model, edit);
  if ("problem" in model) {
    return invalidFault(`A fault "${edit.kind}" cannot be set: ${model.problem}`, model.hint);
  }
  try {
    const { style, settings, release } = deployment;
    styles[style].deriver.derive(model, { ...dataset.settings, ...settings, release });
    return null;
  } catch (error) {
    if (!(error instanceof LockflowError)) throw error;
    return invalidFault(
      `A fault "${edit.kind}" makes entities that ${deployment.name} cannot serve: ${error.sentence}`,
      error.hint,
    );
  }
}
