import { listSome } from "../base/clean-text.ts";
import { cached } from "../base/collections.ts";
import { ConfigError } from "../base/errors.ts";
import { capitalize, nearestName } from "../base/text.ts";
import { baseTypeName, isList } from "../dialects/api-schema.ts";
import { type EntityModel, isRowDefinition } from "../dialects/entity-model.ts";
import type { Place } from "../dialects/locate.ts";
import { STYLE_NAMES } from "../dialects/surface.ts";
import { buildFileFinding } from "../report/codes/files.ts";
import type { Finding } from "../report/finding.ts";
import { type Claim, collectClaims, type FieldFacts, namesFields } from "./definition-claims.ts";
import { readEntities } from "./models.ts";
import { snapshotModel } from "./snapshot-schema.ts";
import type { Workspace } from "./workspace.ts";

/** A field in a definition that does not exist or is not suitable. */
export type WrongName = { readonly sentence: string; readonly hint: string };

/**
 * Finds the fields of a definition that its protocol has in neither style.
 *
 * @param models the entities of the protocol, one model per known style. Without models, nothing is found.
 */
export function findWrongNames(definition: FieldFacts, models: readonly EntityModel[]): WrongName[] {
  if (models.length === 0) return [];
  const entities = joinEntities(models);
  return collectClaims(definition).flatMap((claim) => findFault(claim, definition, entities) ?? []);
}

/**
 * Requires that the protocol has each field of its definition in at least one style.
 *
 * @param models the same as for `findWrongNames`.
 * @throws ConfigError with every wrong name, and the nearest valid one.
 */
export function requireKnownFields(definition: FieldFacts, models: readonly EntityModel[]): void {
  const faults = findWrongNames(definition, models);
  const [first, ...others] = faults;
  if (first === undefined) return;
  const code = "CONFIG_INVALID_VALUE";
  const { sentence, hint } = first;
  if (others.length === 0) throw new ConfigError({ code, sentence, hint: `${hint} ${AFTER_RENAMES}` });
  throw new ConfigError({
    code,
    sentence: `${faults.length} names in the definition of ${definition.key} are wrong.`,
    context: faults.map((fault) => `${fault.sentence} ${capitalize(fault.hint)}`),
    hint: AFTER_RENAMES,
  });
}

/** The hint of errors about names that may have been renamed. */
export const AFTER_RENAMES = "If the indexers renamed it, `lockflow adapt` prints what to write.";

/** The types of fields by entity. A field has several types if the styles disagree. */
type Entities = {
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
  /** Returns whether a field exists and is a single scalar in at least one style. */
  readonly isScalar: (entity: string, field: string) => boolean;
};

function joinEntities(models: readonly EntityModel[]): Entities {
  const fields = new Map<string, Map<string, string[]>>();
  const enums = new Set<string>();
  for (const definition of models.flatMap(({ definitions }) => definitions)) {
    if (definition.kind === "enum") enums.add(definition.name);
    if (!isRowDefinition(definition)) continue;
    const members = cached(fields, definition.name, () => new Map<string, string[]>());
    for (const { name, type } of definition.fields) members.set(name, [...(members.get(name) ?? []), type]);
  }
  const isScalarType = (type: string) =>
    !isList(type) && !fields.has(baseTypeName(type)) && !enums.has(baseTypeName(type));
  return { fields, isScalar: (entity, field) => fields.get(entity)?.get(field)?.some(isScalarType) ?? false };
}

function findFault(claim: Claim, definition: FieldFacts, entities: Entities): WrongName | null {
  const { place, entity, field, is } = claim;
  if (entity === "*") {
    const all = [...entities.fields.values()];
    if (all.some((members) => members.has(field))) return null;
    const sentence = `"${place}" names *.${field}, but no entity has a field ${field}.`;
    return { sentence, hint: suggest(field, new Set(all.flatMap((members) => [...members.keys()])), "*.") };
  }
  const fields = entities.fields.get(entity);
  const types = fields?.get(field);
  if (fields === undefined) {
    const lack = `"${place}" names ${entity}.${field}, but there is no entity ${entity}.`;
    return { sentence: lack, hint: suggest(entity, entities.fields.keys()) };
  }
  if (types === undefined) {
    const lack = `"${place}" names ${entity}.${field}, but ${entity} has no field ${field}.`;
    return { sentence: lack, hint: suggest(field, fields.keys(), `${entity}.`) };
  }
  if (is === "path") return findLostPath(claim, definition, entities);
  const isBoolean = (name: string) =>
    fields.get(name)?.every((type) => baseTypeName(type) === "Boolean") ?? false;
  const fits = (name: string) => entities.isScalar(entity, name) && (is === "scalar" || !isBoolean(name));
  if (is === "there" || fits(field)) return null;
  const scalars = [...fields.keys()].filter(fits);
  return {
    sentence: `"${place}" names ${entity}.${field}, which is of type ${types[0]} and ${entities.isScalar(entity, field) ? "cannot tell rows apart" : "no single scalar"}.`,
    hint: `name one of its scalars: ${listSome(scalars.sort(), MOST_LISTED)}.`,
  };
}

function suggest(name: string, names: Iterable<string>, before = ""): string {
  const sorted = [...names].sort();
  const nearest = nearestName(name, sorted);
  return nearest === null ? `known: ${listSome(sorted, MOST_LISTED)}.` : `did you mean ${before}${nearest}?`;
}

const MOST_LISTED = 12;

/** Follows the fields of `chainPath` from entity to entity, until one has a chain. */
function findLostPath(
  { place, entity: from, field: first }: Claim,
  { identity: { chain }, chainPath }: FieldFacts,
  { fields, isScalar }: Entities,
): WrongName | null {
  // A wrong identity field is reported separately; paths to it cannot be checked.
  if (chain && !isScalar(chain.entity, chain.field)) return null;
  // Every entity has an id, which identifies the chain only in the identity entity.
  const chainFields = [...new Set(["chainId", ...(chain && chain.field !== "id" ? [chain.field] : [])])];
  const hasChain = (entity: string) =>
    entity === chain?.entity || chainFields.some((field) => isScalar(entity, field));
  const passed = new Set<string>();
  let [entity, field] = [from, first];
  for (;;) {
    passed.add(entity);
    const types = fields.get(entity)?.get(field);
    // Missing entities are reported where they are named.
    if (types === undefined) return null;
    const target = types.map(baseTypeName).find((name) => fields.has(name));
    if (target === undefined) {
      return {
        sentence: `"${place}" leads to ${entity}.${field}, which is of type ${types[0]} and refers to no entity.`,
        hint: "name a reference to an entity that has a chain, or a list of such entities.",
      };
    }
    if (hasChain(target)) return null;
    const next = Object.hasOwn(chainPath, target) ? chainPath[target] : undefined;
    if (next === undefined || passed.has(target)) {
      return {
        sentence: `"${place}" leads to ${target}, which has no ${chainFields.join(" and no ")}${next === undefined ? "" : ", and back again"}.`,
        hint: `name a field that leads to an entity with a chain${next === undefined ? `, or say in "protocols" how ${target} leads to one: chainPath.${target}` : ""}.`,
      };
    }
    [entity, field] = [target, next];
  }
}

/**
 * Requires that the snapshots of a project have all fields of its definitions. Without snapshots, the entity SDL must have
 * them. Reads only the snapshots of protocols whose definition names a field.
 *
 * @throws ConfigError for an unknown field, SchemaError for an unreadable file.
 */
export function requireDefinitions(workspace: Workspace): void {
  const { surfaces, definitions } = workspace.project;
  for (const definition of definitions.filter(namesFields)) {
    const snapshots = surfaces
      .filter(({ protocol }) => protocol === definition.key)
      .map(workspace.snapshot)
      .filter((snapshot) => snapshot !== null);
    const models =
      snapshots.length > 0
        ? snapshots.map(snapshotModel)
        : STYLE_NAMES.map((style) => readEntities(workspace.tree, definition, style));
    requireKnownFields(
      definition,
      models.filter((model) => model !== null),
    );
  }
}

/**
 * Finds the fields of a protocol's definition that its indexers would lose.
 *
 * @param models the entities of the protocol once the plan is deployed, one model for each style.
 * @param place the place of the entity SDL.
 */
export function findLostNames(
  definition: Parameters<typeof findWrongNames>[0],
  models: readonly EntityModel[],
  place: Place,
): Finding[] {
  return findWrongNames(definition, models).map(({ sentence, hint }) =>
    buildFileFinding("plan/definition", [`${sentence} ${capitalize(hint)}`], { place }),
  );
}
