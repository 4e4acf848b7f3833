import type { Memo } from "../base/create-memo.ts";
import type { OutputFile } from "../base/disk/output-file.ts";
import { parseEntities } from "../schema/parse-entities.ts";
import type { PreparedSurface } from "./generate-documents.ts";
import { type IdSource, renderIds } from "./render-ids.ts";
import { createSchemaCache } from "./schema-cache.ts";

/** Renders the ids of each protocol that has operations to generate, and ids in its definition. */
export function renderIdFiles(
  definitions: readonly IdSource[],
  prepared: readonly PreparedSurface[],
  memo: Memo,
): OutputFile[] {
  const schemas = createSchemaCache(memo);
  return definitions.flatMap((definition) => {
    const { key, identity, ids } = definition;
    const item = prepared.find(
      ({ protocol, sources, portable }) => protocol === key && (sources.length > 0 || portable !== null),
    );
    if (!item || Object.keys(ids).length === 0) return [];
    const { siblings, entities } = item;
    const said = JSON.stringify({ key, identity, ids: Object.entries(ids) });
    const texts = [said, ...siblings.map(({ base }) => base.text), entities?.text];
    const file = memo(`ids ${key}`, texts, () =>
      renderIds(definition, [
        ...(entities ? [parseEntities(entities.text, entities.path)] : []),
        ...siblings.map(schemas.model),
      ]),
    );
    return file ? [file] : [];
  });
}
