import { LOCKUP_ENTITIES } from "../../emulator/dataset/entities/lockup.ts";
import type { ApiSchema } from "../../src/dialects/api-schema.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import type { SchemaSettings } from "../../src/dialects/platform.ts";
import { createRandom } from "../emulator/agreement/random.ts";
import { buildRows, findFixed } from "./build-rows.ts";
import { RICH_ENTITIES } from "./platform-schemas.ts";
import type { BothIndexer } from "./serve-both.ts";

/** An indexer to serve and the questions about it. */
export type QuestionedIndexer = BothIndexer & {
  readonly schema: ApiSchema;
  readonly values: ReadonlyMap<string, readonly unknown[]>;
};

/** Makes an indexer of entities, with rows from a seed. */
export function createIndexer(
  name: string,
  entities: string,
  seed: number,
  settings: SchemaSettings,
): QuestionedIndexer {
  const model = parseEntities(entities, name);
  const rows = buildRows(model, findFixed(entities), createRandom(seed));
  const values = new Map<string, unknown[]>();
  for (const { rows: tables = {} } of rows) {
    for (const row of Object.values(tables).flat()) {
      for (const [field, value] of Object.entries(row))
        values.set(field, [...(values.get(field) ?? []), value]);
    }
  }
  const schema = styles.subgraph.deriver.derive(model, { ...settings, release: "0.45" });
  return { name, entities, model, rows, schema, values };
}

/** The indexers to query: a shipped protocol, and one with every kind of field. */
export function createIndexers(seed: number, settings: SchemaSettings): readonly QuestionedIndexer[] {
  return [
    createIndexer("rich", RICH_ENTITIES, seed, settings),
    createIndexer("lockup", LOCKUP_ENTITIES, seed + 1, settings),
  ];
}
