import { entitiesOf } from "../../emulator/dataset/entities/index.ts";
import type { Rename } from "../../src/compare/find-api-renames.ts";
import type { ApiSchema } from "../../src/dialects/api-schema.ts";
import { canonicalize } from "../../src/dialects/canonicalize.ts";
import type { Definition, EntityModel } from "../../src/dialects/entity-model.ts";
import { styles } from "../../src/dialects/index.ts";
import type { StyleName } from "../../src/dialects/surface.ts";
import { renderSnapshot } from "../../src/workspace/snapshot-schema.ts";

const KEYS = { Lockup: "lockup", Flow: "flow" } as const;

type Family = keyof typeof KEYS;

/** What both families share; all other entities and enums get the name of their family before their own. */
const SHARED = /^(Asset|Batcher|Watcher|Revenue|RevenueTransaction|User|UserTransaction)$/;

/** The fields of what is shared that are of one family: `Asset.streams` becomes `Asset.lockupStreams`. */
const OF_FAMILY = /^(streams|batches|(action|batch|stream)Counter)$/;

/** The entities of an indexer of both built-in protocols, as their authors merged them. */
export function mergedModel(style: StyleName): EntityModel {
  const merged = new Map<string, Definition>();
  for (const family of Object.keys(KEYS) as Family[]) {
    for (const definition of renamedModel(family, style).definitions) {
      const known = merged.get(definition.name);
      if (known?.kind !== "entity" || definition.kind !== "entity") merged.set(definition.name, definition);
      else {
        const more = definition.fields.filter(({ name }) => known.fields.every((one) => one.name !== name));
        merged.set(definition.name, { ...known, fields: [...known.fields, ...more] });
      }
    }
  }
  return { definitions: [...merged.values()], directives: [] };
}

/** One family of the merged indexer: a protocol with other names. */
export function renamedModel(family: Family, style: StyleName): EntityModel {
  const { definitions } = entitiesOf(KEYS[family], style);
  const own = new Set(definitions.map(({ name }) => name).filter((name) => !SHARED.test(name)));
  const nameOf = (name: string) => (own.has(name) ? family + name : name);
  return {
    directives: [],
    definitions: definitions.map((definition) =>
      definition.kind === "entity"
        ? {
            ...definition,
            name: nameOf(definition.name),
            fields: definition.fields.map((field) => ({
              ...field,
              name:
                SHARED.test(definition.name) && OF_FAMILY.test(field.name)
                  ? prefixed(family, field.name)
                  : field.name,
              type: field.type.replace(/\w+/, nameOf),
            })),
          }
        : { ...definition, name: nameOf(definition.name) },
    ),
  };
}

function prefixed(family: Family, name: string): string {
  return family.toLowerCase() + name.replace(/^./, (letter) => letter.toUpperCase());
}

/** The API of a model, as introspection returns it. */
export function apiOf(style: StyleName, model: EntityModel): ApiSchema {
  return canonicalize(styles[style].deriver.derive(model));
}

/** The API of a built-in protocol before the merge. */
export function oldApi(protocol: "lockup" | "flow", style: StyleName): ApiSchema {
  return apiOf(style, entitiesOf(protocol, style));
}

/** The text of a snapshot. */
export function snapshotOf(protocol: string, style: StyleName, schema: ApiSchema): string {
  return renderSnapshot(schema, { protocol, style });
}

/** Every rename of a family in the merge, written by hand. */
export function mergeRenames(family: Family, style: StyleName): Rename[] {
  const row = (kind: Rename["kind"], owner: string | null, from: string, to: string): Rename => ({
    kind,
    owner,
    from,
    to,
    certain: true,
    why: "systematic",
  });
  const entities = ["Action", "Batch", "Stream", ...(family === "Lockup" ? ["Segment", "Tranche"] : [])];
  const lower = style === "multichain";
  const enums = ["ActionCategory", "StreamCategory"].map((name) => [name, family + name] as const);
  return [
    ...entities.map((name) => row("entity", null, name, family + name)),
    ...enums.map(([from, to]) =>
      lower ? row("enum", null, from.toLowerCase(), to.toLowerCase()) : row("enum", null, from, to),
    ),
    row("field", "Asset", "streams", prefixed(family, "streams")),
    ...["batches", "batchCounter"].map((name) => row("field", "Batcher", name, prefixed(family, name))),
    ...["actionCounter", "streamCounter"].map((name) =>
      row("field", "Watcher", name, prefixed(family, name)),
    ),
  ];
}
