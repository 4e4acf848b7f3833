import { listSome } from "../base/clean-text.ts";
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

/** A name in a definition that names no field, or not the right one. */
export type WrongName = { readonly sentence: string; readonly hint: string };

/**
 * Finds what a definition names and its protocol does not have, in neither style.
 *
 * @param models the entities of the protocol, one model for each style that is known; without any nothing is found.
 */
export function findWrongNames(definition: FieldFacts, models: readonly EntityModel[]): WrongName[] {
  if (models.length === 0) return [];
  const entities = joinEntities(models);
  return collectClaims(definition).flatMap((claim) => findFault(claim, definition, entities) ?? []);
}

/**
 * Requires that a definition names fields that its protocol has, in one style at least.
 *
 * @param models as those of `findWrongNames`.
 * @throws ConfigError with every wrong name, and the nearest valid one.
 */
export function requireKnownFields(definition: FieldFacts, models: readonly EntityModel[]): void {
  const faults = findWrongNames(definition, models);
  const [first, ...others] = faults;
  if (first === undefined) return;
  const code = "CONFIG_INVALID_VALUE";
  if (others.length === 0) throw new ConfigError({ code, ...first });
  throw new ConfigError({
    code,
    sentence: `${faults.length} names in the definition of ${definition.key} are wrong.`,
    context: faults.map(({ sentence, hint }) => `${sentence} ${capitalize(hint)}`),
  });
}

/** The types that the fields of entities have: one in each style, where styles disagree. */
type Entities = {
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
  /** Whether an entity has such a field, and it holds one scalar in one style at least. */
  readonly isScalar: (entity: string, field: string) => boolean;
};

function joinEntities(models: readonly EntityModel[]): Entities {
  const fields = new Map<string, Map<string, string[]>>();
  const enums = new Set<string>();
  for (const definition of models.flatMap(({ definitions }) => definitions)) {
    if (definition.kind === "enum") enums.add(definition.name);
    if (!isRowDefinition(definition)) continue;
    const own = fields.get(definition.name) ?? new Map<string, string[]>();
    fields.set(definition.name, own);
    for (const { name, type } of definition.fields) own.set(name, [...(own.get(name) ?? []), type]);
  }
  const holdsScalar = (type: string) =>
    !isList(type) && !fields.has(baseTypeName(type)) && !enums.has(baseTypeName(type));
  return { fields, isScalar: (entity, field) => fields.get(entity)?.get(field)?.some(holdsScalar) ?? false };
}

function findFault(claim: Claim, definition: FieldFacts, entities: Entities): WrongName | null {
  const { place, entity, field, is } = claim;
  if (entity === "*") {
    const all = [...entities.fields.values()];
    if (all.some((own) => own.has(field))) return null;
    const sentence = `"${place}" names *.${field}, but no entity has a field ${field}.`;
    return { sentence, hint: suggest(field, new Set(all.flatMap((own) => [...own.keys()])), "*.") };
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

function suggest(given: string, names: Iterable<string>, before = ""): string {
  const known = [...names].sort();
  const nearest = nearestName(given, known);
  return nearest === null ? `known: ${listSome(known, MOST_LISTED)}.` : `did you mean ${before}${nearest}?`;
}

const MOST_LISTED = 12;

/** Follows the fields of `chainPath` from entity to entity, until one has a chain. */
function findLostPath(
  { place, entity: from, field: first }: Claim,
  { identity: { chain }, chainPath }: FieldFacts,
  { fields, isScalar }: Entities,
): WrongName | null {
  // Before it is known what a chain is, nothing can be said of ways there.
  if (chain && !isScalar(chain.entity, chain.field)) return null;
  // An id is everybody's, and the chain's in the entity that is named for it alone.
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
 * Requires that every definition of a project names fields that its snapshots have; before there are any, its entity SDL.
 * Only the snapshots of protocols whose definition names a field are read.
 *
 * @throws ConfigError for a name that is not a field, SchemaError for a file that cannot be read.
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
 * Finds what the definition of a protocol names and its indexers would not have any more.
 *
 * @param models the entities of the protocol once the plan is deployed, one model for each style.
 * @param place where the entities are written.
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
