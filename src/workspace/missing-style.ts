import { hash } from "../base/hash.ts";
import { type ApiSchema, baseTypeName, STANDARD_SCALARS } from "../dialects/api-schema.ts";
import { canonicalize } from "../dialects/canonicalize.ts";
import type { Definition, Entity, EntityField, EntityModel } from "../dialects/entity-model.ts";
import { styles } from "../dialects/index.ts";
import { scalar } from "../dialects/make-type.ts";
import { COLUMN_SCALARS } from "../dialects/multichain/tables.ts";
import { parseEntities } from "../dialects/parse-entities.ts";
import { resolveOwnOptions } from "../dialects/platform.ts";
import type { ResolvedProtocol } from "../dialects/protocol.ts";
import { renderSdl } from "../dialects/render-sdl.ts";
import type { StyleName } from "../dialects/surface.ts";
import type { OperationSource } from "../operations/operation-set.ts";
import { CHAIN_FIELD } from "../operations/portable/compile-list.ts";
import { builtInEnums } from "../project/protocols.ts";
import { type Snapshot, snapshotPath } from "./snapshot.ts";
import { snapshotModel } from "./snapshot-schema.ts";

/**
 * Derives the snapshot that a protocol would have in a style in which it is not deployed. Portable operations of a
 * protocol with one style are compiled with it. It is never written.
 *
 * @param snapshot the snapshot of the protocol's only style.
 * @param entities the entity SDL of that style; null without one.
 */
export function deriveMissingSnapshot(
  { key: protocol, ...platforms }: Pick<ResolvedProtocol, "key" | "release" | "bytesType">,
  style: StyleName,
  { snapshot, entities }: { readonly snapshot: Snapshot; readonly entities: OperationSource | null },
): Snapshot {
  const model =
    entities === null
      ? namedScalars(snapshotModel(snapshot), protocol)
      : parseEntities(entities.text, entities.path);
  const text = renderSdl(canonicalize(deriveMissingSchema(platforms, style, model)));
  return {
    protocol,
    style,
    base: { path: snapshotPath({ protocol, style }), text, hash: hash(text) },
    variants: [],
  };
}

/** Derives the API that entities would have in a style in which they are not deployed. */
export function deriveMissingSchema(
  platforms: Pick<ResolvedProtocol, "release" | "bytesType">,
  style: StyleName,
  model: EntityModel,
): ApiSchema {
  const { deriver, portable } = styles[style];
  const schema = deriver.derive(portable.kind === "written" ? perChain(model) : model, {
    ...resolveOwnOptions(platforms, styles[style]),
    asRead: true,
  });
  // Only one platform has some scalars, such as Json.
  const names = new Set([...STANDARD_SCALARS, ...schema.types.map(({ name }) => name)]);
  const used = new Set(
    schema.types
      .flatMap((type) => (type.kind === "OBJECT" ? type.fields : []))
      .map(({ type }) => baseTypeName(type)),
  );
  const missing = [...used].filter((name) => !names.has(name)).map((name) => scalar(name));
  return { ...schema, types: [...schema.types, ...missing] };
}

/**
 * Adds the chain of a row to each entity that lacks it: one multichain endpoint serves all chains, and rows are selected
 * by their chain.
 */
function perChain(model: EntityModel): EntityModel {
  return mapEntities(model, (entity) => {
    if (entity.fields.some(({ name }) => name === CHAIN_FIELD)) return entity;
    const chain: EntityField = {
      name: CHAIN_FIELD,
      description: null,
      type: "BigInt!",
      args: [],
      derived: false,
      derivedFrom: null,
      aggregate: false,
      precise: false,
    };
    return { ...entity, fields: [...entity.fields, chain] };
  });
}

/**
 * Replaces the scalars of a multichain API by those of an entity SDL, and scalars of enums by the enums that the definition
 * of a built-in protocol lists. Fields of other scalars are left out.
 */
function namedScalars(model: EntityModel, protocol: string): EntityModel {
  const enums = builtInEnums(protocol, model);
  const names = new Map([
    ...SCALARS,
    ...model.definitions.map(({ name }) => [name, name] as const),
    ...enums.map(({ name }) => [name.toLowerCase(), name] as const),
  ]);
  const isOpaque = ({ kind, name }: Definition) =>
    kind === "enum" && enums.every((declared) => declared.name !== name);
  const named = mapEntities(model, (entity) => ({
    ...entity,
    fields: entity.fields.flatMap((field) => {
      const base = baseTypeName(field.type);
      const name = names.get(base);
      return name === undefined ? [] : [{ ...field, type: field.type.replace(base, name) }];
    }),
  }));
  const others = named.definitions.filter((definition) => !isOpaque(definition));
  return { ...named, definitions: [...others, ...enums] };
}

/** Scalars of entity SDLs by the scalars of APIs in both styles. `numeric` is more often a BigInt than a BigDecimal. */
const SCALARS: ReadonlyMap<string, string> = new Map([
  ...[...COLUMN_SCALARS].map(([name]) => [name, name] as const),
  ...[...COLUMN_SCALARS].reverse().map(([name, column]) => [column, name] as const),
  ["numeric", "BigInt"],
  ["bytea", "Bytes"],
  ["String", "String"],
]);

function mapEntities(model: EntityModel, map: (entity: Entity) => Entity): EntityModel {
  const definitions = model.definitions.map((definition) =>
    definition.kind === "entity" ? map(definition) : definition,
  );
  return { ...model, definitions };
}
