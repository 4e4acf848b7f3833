import { indexByName } from "../../base/collections.ts";
import { SchemaError } from "../../base/errors.ts";
import { nearestName } from "../../base/text.ts";
import { baseTypeName, isList, isRequired, itemType, nullableType } from "../api-schema.ts";
import type { Definition, Entity, EntityEnum, EntityField, EntityModel } from "../entity-model.ts";
import type { locateDefinitions } from "../locate.ts";
import type { DeriveOptions } from "../platform.ts";
import { MULTICHAIN_SCALARS } from "./platform-types.ts";
import { DEFAULT_RELEASE, type ReleaseFeatures, releaseFeatures } from "./release.ts";
import {
  CHAIN_COLUMN,
  COLUMN_SCALARS,
  INTERNAL_TABLE_NAMES,
  isInPostgres,
  referenceColumn,
  type TableSettings,
  WRITE_TIMESTAMP,
} from "./tables.ts";

/** Returns all reasons why the platform refuses these entities. Each starts with its subject and a colon. */
export function findEntityProblems(
  model: EntityModel,
  features: ReleaseFeatures,
  settings: TableSettings,
): string[] {
  const types = indexByName(
    model.definitions.filter((definition) => definition.kind === "entity" || definition.kind === "enum"),
  );
  return [
    ...nameReasons(model.definitions),
    ...model.definitions.flatMap((definition) =>
      definitionReasons(definition, { types, features, settings }),
    ),
  ];
}

/** Returns a reason for every setting that the release does not have yet. */
export function findSettingProblems({
  release = DEFAULT_RELEASE,
  perChainEntities,
  bytesType,
}: DeriveOptions): string[] {
  const features = releaseFeatures(release);
  return [
    ...(perChainEntities && !features.perChainEntities
      ? [`${release}: keeps no entities per chain, which came with 3.6`]
      : []),
    ...(bytesType === "uint8array" && !features.rawBytes
      ? [`${release}: has no bytes_type, which came with 3.10`]
      : []),
  ];
}

/**
 * Throws one error with all reasons, if there are any.
 *
 * @param place the name of the text in the error.
 * @param positions the positions of entities and fields in it.
 */
export function refuseEntities(
  reasons: readonly string[],
  place = "these entities",
  positions: ReturnType<typeof locateDefinitions> = new Map(),
): void {
  if (reasons.length === 0) return;
  const problems = reasons.map((reason) => {
    const { line = null, column = null } = positions.get(reason.slice(0, reason.indexOf(":"))) ?? {};
    return { reason, line, column };
  });
  throw new SchemaError({
    code: "SCHEMA_ENTITIES_INVALID",
    sentence: `The multichain platform does not accept ${place}, for ${reasons.length === 1 ? "one reason" : `${reasons.length} reasons`}.`,
    context: problems.map(({ reason, line }) => (line === null ? reason : `${reason} (line ${line})`)),
    hint: "correct the entity schema; a subgraph may accept it as it is.",
    problems,
  });
}

function nameReasons(definitions: readonly Definition[]): string[] {
  const reasons: string[] = [];
  const seen = new Map<string, string>();
  const entities = new Set(definitions.filter(({ kind }) => kind === "entity").map(({ name }) => name));
  for (const { kind, name } of definitions) {
    if (kind !== "entity" && kind !== "enum") continue;
    // Enums fold to lower case in the database, entities are capitalised in generated code.
    const folded = kind === "enum" ? name.toLowerCase() : name.slice(0, 1).toUpperCase() + name.slice(1);
    const other = seen.get(`${kind} ${folded}`) ?? seen.get(name);
    if (other === name) reasons.push(`${name}: defined twice`);
    else if (other !== undefined) reasons.push(`${name}: differs from "${other}" in case only`);
    seen.set(`${kind} ${folded}`, name).set(name, name);
    const shown = kind === "enum" ? folded : name;
    if (COLUMN_SCALARS.has(name) || MULTICHAIN_SCALARS.has(shown)) {
      reasons.push(`${name}: has the name of a scalar`);
    } else if (kind === "enum" && folded !== name && entities.has(folded)) {
      reasons.push(`${name}: would be shown as "${folded}", which is an entity`);
    }
  }
  return reasons;
}

/** The context of checking a definition. */
type Checked = {
  readonly types: ReadonlyMap<string, Entity | EntityEnum>;
  readonly features: ReleaseFeatures;
  readonly settings: TableSettings;
};

function definitionReasons(definition: Definition, checked: Checked): string[] {
  if (definition.kind === "entity") return entityReasons(definition, checked);
  if (definition.kind === "enum") return enumReasons(definition);
  // Input types do not concern entities.
  if (definition.kind === "input") return [];
  return [`${definition.name}: ${UNSUPPORTED[definition.kind]} not supported`];
}

const UNSUPPORTED = {
  interface: "interfaces are",
  aggregation: "aggregations of time series are",
  fulltext: "full-text search is",
};

/** The longest name a Postgres table, type or label can have. */
const LONGEST_NAME = 63;

function enumReasons({ name, values }: EntityEnum): string[] {
  const seen = new Set<string>();
  const reasons = wordReasons(name, name);
  for (const value of values ?? []) {
    const subject = `${name}.${value.name}`;
    if (seen.has(value.name)) reasons.push(`${subject}: is listed twice`);
    else reasons.push(...wordReasons(subject, value.name));
    seen.add(value.name);
  }
  return reasons;
}

/** Reserved words of JavaScript and ReScript, which the platform generates. They are case-sensitive: `Void` is allowed. */
const RESERVED_WORDS: ReadonlySet<string> = new Set(
  [
    // JavaScript
    "abstract arguments await boolean break byte case catch char class const continue debugger default delete",
    "do double else enum eval export extends false final finally float for function goto if implements import",
    "in instanceof int interface let long native new null package private protected public return short static",
    "super switch synchronized this throw throws transient true try typeof var void volatile while with yield",
    // ReScript
    "and as assert constraint exception external include lazy module mutable of open rec type when",
  ].flatMap((line) => line.split(" ")),
);

/** Checks a name that is used in generated code and in the database. */
function wordReasons(subject: string, name: string): string[] {
  const reasons: string[] = [];
  if (name.length > LONGEST_NAME) reasons.push(`${subject}: is longer than ${LONGEST_NAME} characters`);
  if (RESERVED_WORDS.has(name)) reasons.push(`${subject}: is a reserved word`);
  return reasons;
}

function entityReasons(entity: Entity, checked: Checked): string[] {
  const { types, features } = checked;
  const { name } = entity;
  const reasons = wordReasons(name, name);
  if (INTERNAL_TABLE_NAMES.has(name)) reasons.push(`${name}: is a table of the platform's own`);
  if (entity.interfaces.length > 0) {
    reasons.push(`${name}: interfaces are not supported, but it implements ${entity.interfaces.join(", ")}`);
  }
  reasons.push(...idReasons(entity, features), ...storageReasons(entity, checked));
  for (const field of entity.fields) {
    reasons.push(...fieldReasons(field, entity, types).map((reason) => `${name}.${field.name}: ${reason}`));
  }
  reasons.push(...chainReasons(entity, checked));
  reasons.push(...memberReasons(entity, checked));
  return reasons;
}

function idReasons(entity: Entity, { bigIntIds }: ReleaseFeatures): string[] {
  const types = ["ID!", "String!", "Int!", ...(bigIntIds ? ["BigInt!"] : [])];
  const id = entity.fields.find((field) => field.name === "id");
  if (id === undefined) return [`${entity.name}: has no field "id"`];
  if (id.derived) return [`${entity.name}.id: is derived`];
  if (types.includes(id.type)) return [];
  return [`${entity.name}.id: has to be ${types.join(" or ")}, but is ${id.type}`];
}

function fieldReasons(field: EntityField, owner: Entity, types: Checked["types"]): string[] {
  const base = baseTypeName(field.type);
  const target = types.get(base);
  if (target === undefined && !COLUMN_SCALARS.has(base)) {
    const nearest = nearestName(base, [...COLUMN_SCALARS.keys(), ...types.keys()]);
    return [`unknown type "${base}"${nearest === null ? "" : `, did you mean "${nearest}"?`}`];
  }
  if (field.derived) return derivedReasons(field, owner, target);
  if (!isList(field.type)) return [];
  if (isList(itemType(field.type))) return ["lists of lists are not supported"];
  if (!isRequired(itemType(field.type))) return [`the items of ${field.type} have to be non-null`];
  if (target?.kind === "entity") return ["a list of entities has to be @derivedFrom"];
  return base === "Boolean" || base === "Timestamp" ? [`lists of ${base} are not supported`] : [];
}

function derivedReasons(
  field: EntityField,
  owner: Entity,
  target: Entity | EntityEnum | undefined,
): string[] {
  if (target?.kind !== "entity") return [`only a list of entities can be @derivedFrom, not ${field.type}`];
  const expected = `[${target.name}!]!`;
  if (field.type !== expected) return [`@derivedFrom has to be ${expected}, but is ${field.type}`];
  if (field.derivedFrom === null) return ["@derivedFrom does not say which field"];
  const source = target.fields.find(({ name }) => name === field.derivedFrom);
  if (source === undefined) {
    return [`@derivedFrom a field "${field.derivedFrom}", which ${target.name} does not have`];
  }
  const from = `@derivedFrom ${target.name}.${source.name}`;
  const stored = !source.derived && !isList(nullableType(source.type));
  if (!stored) return [`${from}, which is not a stored single value`];
  return holdsIdOf(owner, source) ? [] : [`${from}, which is ${source.type} and not an id of ${owner.name}`];
}

/** Checks `@storage`. `@derivedFrom` joins two tables, so both must be in Postgres. */
function storageReasons(entity: Entity, { types, features, settings }: Checked): string[] {
  const { name, storage, fields } = entity;
  if (!features.storage) return storage ? [`${name}: has @storage, which came with 3.0`] : [];
  if (storage?.problem) return [`${name}: ${storage.problem}`];
  return fields.flatMap((field) => {
    const target = types.get(baseTypeName(field.type));
    if (!field.derived || target?.kind !== "entity") return [];
    const missing = [entity, target].find((side) => !isInPostgres(side, settings));
    return missing === undefined
      ? []
      : [`${name}.${field.name}: @derivedFrom needs both entities in Postgres, and ${missing.name} is not`];
  });
}

/** Returns whether a field refers to an entity, or has the type of its id. `ID` and `String` are equal here. */
function holdsIdOf(entity: Entity, field: EntityField): boolean {
  const type = baseTypeName(field.type);
  const id = entity.fields.find(({ name }) => name === "id");
  if (type === entity.name || id === undefined) return true;
  const idType = baseTypeName(id.type);
  return type === idType || (TEXT_IDS.has(type) && TEXT_IDS.has(idType));
}

const TEXT_IDS: ReadonlySet<string> = new Set(["ID", "String"]);

/**
 * The names that fields of per-chain entities must not have, with any `column_name_format`. Entities with `@crossChain` may
 * have them.
 *
 * @see `validate_chain_id_field_names` in `packages/cli/src/config_parsing/system_config.rs` of enviodev/hyperindex
 */
const CHAIN_NAMES: ReadonlySet<string> = new Set([CHAIN_COLUMN.name, "chain_id"]);
const CHAIN_NAME_REASON =
  "is not allowed, since envio sets `chainId` on every per-chain entity: rename it, or add @crossChain to the entity";

/**
 * Checks references. They store only an id, so a row for all chains cannot refer to a per-chain row.
 *
 * @see `validate_cross_chain_relationships` in the same file
 */
function chainReasons({ name, crossChain, fields }: Entity, { types, settings }: Checked): string[] {
  if (!settings.perChainEntities || !crossChain) return [];
  return fields.flatMap((field) => {
    const target = types.get(baseTypeName(field.type));
    const isRefused = !field.derived && target?.kind === "entity" && !target.crossChain;
    return isRefused
      ? [`${name}.${field.name}: references ${target.name}, which is per-chain, but ${name} is @crossChain`]
      : [];
  });
}

/** Checks the names of columns and relations, which share one namespace. */
function memberReasons(entity: Entity, { types, features, settings }: Checked): string[] {
  const perChain = settings.perChainEntities && !entity.crossChain;
  const reasons: string[] = [];
  const taken = new Map<string, string>();
  if (features.writeTimestamps) taken.set(WRITE_TIMESTAMP.name, "the platform adds");
  for (const field of entity.fields) {
    if (perChain && CHAIN_NAMES.has(field.name)) {
      reasons.push(`${entity.name}.${field.name}: ${CHAIN_NAME_REASON}`);
      continue;
    }
    if (entity.fields.findIndex(({ name }) => name === field.name) !== entity.fields.indexOf(field)) {
      reasons.push(`${entity.name}.${field.name}: is written twice`);
      continue;
    }
    const other = taken.get(field.name);
    if (other !== undefined) {
      reasons.push(`${entity.name}.${field.name}: has the name of what ${other}`);
    }
    taken.set(field.name, "another field makes");
    if (types.get(baseTypeName(field.type))?.kind !== "entity" || field.derived) continue;
    const column = referenceColumn(field.name);
    if (taken.has(column)) {
      reasons.push(`${entity.name}.${field.name}: its column "${column}" has the name of another field`);
    }
    taken.set(column, `"${field.name}" makes`);
  }
  return reasons;
}
