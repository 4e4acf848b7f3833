import type { Content } from "../dataset/dataset.ts";
import { editModel, type ModelEdit } from "./edit-model.ts";
import { createRowEditor } from "./edit-rows.ts";

/**
 * Creates what edits a content: its entities and, with them, its rows at every block. A content the edit does not
 * fit is given back as it is.
 */
export function createContentEditor(edit: ModelEdit): (content: Content) => Content {
  const edited = new Map<string, (content: Content) => Content>();
  return (content) => {
    let change = edited.get(content.name);
    if (change === undefined) {
      change = createChange(content, edit);
      edited.set(content.name, change);
    }
    return change(content);
  };
}

function createChange({ model, name }: Content, edit: ModelEdit): (content: Content) => Content {
  const after = editModel(model, edit);
  if ("problem" in after) return (content) => content;
  const editStore = createRowEditor(model, edit);
  return (content) => ({
    ...content,
    name: `${name} ${JSON.stringify(edit)}`,
    model: after,
    chain: (chainId) => {
      const chain = content.chain(chainId);
      return { ...chain, storeAt: (block) => editStore(chain.storeAt(block)) };
    },
  });
}
