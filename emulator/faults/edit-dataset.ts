import { cached } from "../../src/base/collections.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { editModel, type ModelEdit } from "./edit-model.ts";
import { createRowEditor } from "./edit-rows.ts";

/**
 * Creates what edits a dataset: its entities and, with them, its rows at every block. A dataset the edit does not
 * fit is given back as it is.
 */
export function createDatasetEditor(edit: ModelEdit): (dataset: Dataset) => Dataset {
  const edited = new Map<string, (dataset: Dataset) => Dataset>();
  return (dataset) => cached(edited, dataset.name, () => createChange(dataset, edit))(dataset);
}

function createChange({ model, name }: Dataset, edit: ModelEdit): (dataset: Dataset) => Dataset {
  const after = editModel(model, edit);
  if ("problem" in after) return (dataset) => dataset;
  const editStore = createRowEditor(model, edit);
  return (dataset) => ({
    ...dataset,
    name: `${name} ${JSON.stringify(edit)}`,
    model: after,
    chain: (chainId) => {
      const chain = dataset.chain(chainId);
      return { ...chain, storeAt: (block) => editStore(chain.storeAt(block)) };
    },
  });
}
