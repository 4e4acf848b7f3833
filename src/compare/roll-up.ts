import { cached, once } from "../base/collections.ts";
import type { ApiSchema, ApiType } from "../dialects/api-schema.ts";
import { type Change, countAll, countMembers, visitMembers } from "../dialects/members.ts";
import { type Origin, originKey } from "../dialects/origin.ts";
import type { Provenance, Style } from "../dialects/style.ts";
import { compareEntityModels, type ModelChange, sliceModels } from "./compare-entity-models.ts";
import {
  comparePlatforms,
  createModelTest,
  type Expected,
  type ExpectedChange,
  expectChanges,
  explainByPlatform,
  findMissing,
  nameRoots,
  type PlatformChange,
  rootsOf,
  sharedRoots,
} from "./expect-changes.ts";
import { readSide, type SchemaSide } from "./indexed-schema.ts";

/** One thing that happened, with everything that changed because of it. */
export type RolledUp = {
  /** Null where nothing known derives what changed. */
  readonly origin: Origin | null;
  /** At the coordinate of the model's own part; of a feature of the platform, at the feature's name. */
  readonly change: Change;
  readonly layer: "entity" | "platform" | "docs";
  readonly derivedChanges: readonly Change[];
  /** How many more coordinates changed; a type that came or went counts with its members. */
  readonly derived: number;
  /** Where a part was renamed: what else has another name with it, by coordinates before and now. */
  readonly moves?: ReadonlyMap<string, string>;
};

/** Rolls changes up to their causes; what follows from a part is derived anew and checked. */
export function rollUp(
  changes: readonly Change[],
  before: ApiSchema,
  after: ApiSchema,
  style: Pick<Style, "schemas" | "deriver">,
): RolledUp[] {
  if (changes.length === 0) return [];
  const [sideBefore, sideAfter] = [readSide(before, style), readSide(after, style)];
  const models = [sideBefore.model, sideAfter.model] as const;
  const modelChanges = compareEntityModels(...models);
  const slices = sliceModels(
    ...models,
    [...modelChanges.values()].map(({ origin }) => origin),
  );
  const platform = comparePlatforms(sideBefore.recognized, sideAfter.recognized);
  const roots = sharedRoots(before, after);
  const members = Math.max(countAll(before), countAll(after));
  const platforms = [
    { recognized: platform.before, roots: rootsOf(before, roots), members },
    { recognized: platform.after, roots: rootsOf(after, roots), members },
  ] as const;
  const provenanceOfAll = once(() => style.deriver.traceOrigins(models, roots));
  const context: Context = {
    provenanceOfParts: style.deriver.traceOrigins([slices.before, slices.after], roots),
    provenanceOf: (coordinate) => provenanceOfAll()(coordinate),
    modelChanges,
    platform,
    isMovedByModel: createModelTest(slices, platforms, style.deriver),
    typesBefore: sideBefore.types,
    typesAfter: typesByName(nameRoots(after, rootsOf(after, roots)), sideAfter),
    groups: new Map(),
    entities: new Map(),
  };
  const expected = modelChanges.size === 0 ? null : expectChanges(slices, platforms, style.deriver);
  for (const change of changes) place(change, expected, context);
  if (expected) tellMissing(changes, expected, context);
  return [...context.groups.values()].map((group) => finish(group, context));
}

/** By the names that changes have for the roots. */
function typesByName(named: ApiSchema, { types }: SchemaSide): ReadonlyMap<string, ApiType> {
  if (named.types.every(({ name }) => types.has(name))) return types;
  return new Map([...types, ...named.types.map((type) => [type.name, type] as const)]);
}

type Context = ComparedTypes & {
  /** By what changed and its surroundings, which takes much less than to index everything. */
  readonly provenanceOfParts: Provenance;
  readonly provenanceOf: Provenance;
  readonly modelChanges: ReadonlyMap<string, ModelChange>;
  readonly platform: PlatformChange;
  /** Whether the models, and not their platform alone, changed a coordinate. */
  readonly isMovedByModel: (coordinate: string) => boolean;
  readonly groups: Map<string, Group>;
  /** The entity each type is made for, as far as it was asked; null for none. */
  readonly entities: Map<string, string | null>;
};

type Group = {
  readonly origin: Origin | null;
  readonly layer: RolledUp["layer"];
  own: Change | null;
  /** What to call the group when there is none. */
  readonly fallback: Change | null;
  readonly derived: Change[];
};

function place(change: Change, expected: Expected | null, context: Context): void {
  const { modelChanges } = context;
  if (change.kind === "root-renamed") {
    const [origin = null] = context.provenanceOf(change.coordinate);
    alone(change, origin, "platform", context);
    return;
  }
  if (change.kind === "description-changed") {
    placeDescription(change, context);
    return;
  }
  const own = modelChanges.get(change.coordinate);
  if (own && sameEvent(own.change, change)) {
    addTo(rootGroup(own, context), change, true);
    return;
  }
  const namesake = findNamesake(change, context);
  if (namesake && isExpected(change, expected, context)) {
    addTo(rootGroup(namesake, context), change, false);
    return;
  }
  if (modelChanges.size > 0 && context.isMovedByModel(change.coordinate)) {
    const origins = context.provenanceOfParts(change.coordinate);
    const [nearest = null] = origins;
    const root = findRoot(change, origins, context);
    if (root && root.origin.kind === "search" && isOwn(change, nearest)) {
      addTo(rootGroup(root, context), change, true);
      return;
    }
    if (root && !isOwn(change, nearest) && isExpected(change, expected, context)) {
      addTo(rootGroup(root, context), change, false);
      if (expected && change.kind === "type-added") splitStrangers(change, expected, context);
      return;
    }
  }
  const origins = context.provenanceOf(change.coordinate);
  const [nearest = null] = origins;
  // Whatever else happens at a part's own coordinate, a deprecation say, is a change of its own.
  if (isOwn(change, nearest)) {
    alone(change, nearest, "entity", context);
    return;
  }
  const cause = explainByPlatform(origins, context.platform);
  if (cause === null) {
    alone(change, nearest, "platform", context);
    return;
  }
  const origin: Origin = { kind: "platform", feature: cause.coordinate };
  addTo(groupOf(originKey(origin), origin, "platform", cause, context), change, false);
}

/** The changed field that a member of a type is named after, as most of what follows from a field is. */
function findNamesake({ coordinate }: Change, context: Context): ModelChange | undefined {
  const dot = coordinate.indexOf(".");
  if (dot < 0 || coordinate.endsWith(")")) return undefined;
  const type = coordinate.slice(0, dot);
  const entity = cached(context.entities, type, () => {
    const nearest = context.provenanceOfParts(type).find(({ kind }) => kind !== "platform");
    return nearest?.kind === "entity" ? nearest.entity : null;
  });
  return entity === null ? undefined : context.modelChanges.get(`${entity}${coordinate.slice(dot)}`);
}

/** Descriptions of one part are one cause, wherever they are shown, and those of the platform are one together. */
function placeDescription(change: Change, context: Context): void {
  const [nearest = null] = context.provenanceOf(change.coordinate);
  const part = nearest?.kind === "platform" ? "platform" : nearest ? originKey(nearest) : change.coordinate;
  addTo(groupOf(`docs ${part}`, nearest, "docs", null, context), change, isOwn(change, nearest));
}

function isOwn({ coordinate }: Change, origin: Origin | null): boolean {
  if (origin === null || origin.kind === "platform") return false;
  if (origin.kind === "directive") return coordinate.startsWith(`@${origin.name}`);
  if (origin.kind === "search") return coordinate.endsWith(`.${origin.name}`);
  return originKey(origin) === coordinate;
}

function sameEvent(model: Change, api: Change): boolean {
  const verb = ({ kind }: Change) => kind.slice(kind.lastIndexOf("-"));
  return verb(model) === verb(api) && !api.kind.includes("default") && !api.kind.includes("deprecation");
}

/** The part that changed, of those a coordinate depends on; the nearest. */
function findRoot(
  change: Change,
  origins: readonly Origin[],
  { modelChanges, provenanceOfParts, typesBefore, typesAfter }: Context,
): ModelChange | undefined {
  const direct = firstChanged(origins, modelChanges);
  if (direct) return direct;
  if (change.kind !== "type-added" && change.kind !== "type-removed") return undefined;
  // A type may be there for what is in it: the averages of the first number of an entity.
  const type = (change.kind === "type-added" ? typesAfter : typesBefore).get(change.coordinate);
  let found: ModelChange | undefined;
  if (type) {
    visitMembers(type, (coordinate) => {
      found ??= firstChanged(provenanceOfParts(coordinate), modelChanges);
    });
  }
  return found;
}

function firstChanged(
  origins: readonly Origin[],
  modelChanges: Context["modelChanges"],
): ModelChange | undefined {
  for (const origin of origins) {
    if (origin.kind === "platform") continue;
    const found = modelChanges.get(originKey(origin)) ?? modelChanges.get(ownerKey(origin));
    if (found) return found;
  }
  return undefined;
}

/** What comes and goes with all of it. */
function ownerKey(origin: Origin): string {
  if (origin.kind === "field") return origin.entity;
  return origin.kind === "enum-value" ? origin.name : originKey(origin);
}

function isExpected(change: Change, expected: Expected | null, context: Context): boolean {
  if (expected === null) return true;
  if (!/-(added|removed|type-changed|kind-changed)$/.test(change.kind) || change.kind.startsWith("root-")) {
    return true;
  }
  const want = expected.get(change.coordinate);
  if (want === undefined) return false;
  if (want.before === change.before && want.after === change.after) return true;
  // What an API does not show of a type cannot be derived: a precision, the case of an enum's name.
  return isReshaped(want) && isReshaped(change) && context.modelChanges.size > 0;
}

function isReshaped({ before, after }: ExpectedChange): boolean {
  return before !== null && after !== null;
}

/** Tells the members of a type that came with a part, but that do not follow from it. */
function splitStrangers({ coordinate: name }: Change, expected: Expected, context: Context): void {
  const type = context.typesAfter.get(name);
  if (type === undefined || !expected.has(name)) return;
  visitMembers(type, (coordinate, signature, kind) => {
    const want = expected.get(coordinate);
    if (want?.after !== undefined && want.after !== null) return;
    // The arguments of a stranger come with it.
    if (coordinate.includes("(") && !expected.has(coordinate.replace(/\(.*$/, ""))) return;
    const [nearest = null] = context.provenanceOf(coordinate);
    alone({ kind, coordinate, before: null, after: signature }, nearest, "platform", context);
  });
}

function tellMissing(changes: readonly Change[], expected: Expected, context: Context): void {
  const changed = new Set(changes.map((change) => change.coordinate));
  // By everything there is: what other parts need, too, stays.
  const rootOf = (coordinate: string) => firstChanged(context.provenanceOf(coordinate), context.modelChanges);
  for (const change of findMissing(expected, changed, context.typesAfter, (at) => rootOf(at) !== undefined)) {
    alone(change, rootOf(change.coordinate)?.origin ?? null, "platform", context);
  }
}

function rootGroup({ origin, change }: ModelChange, context: Context): Group {
  return groupOf(originKey(origin), origin, "entity", change, context);
}

function alone(change: Change, origin: Origin | null, layer: Group["layer"], context: Context): void {
  const { kind, coordinate, before, after } = change;
  addTo(groupOf(`${kind} ${coordinate} ${before} ${after}`, origin, layer, null, context), change, true);
}

function groupOf(
  key: string,
  origin: Origin | null,
  layer: Group["layer"],
  fallback: Change | null,
  { groups }: Context,
): Group {
  return cached(groups, key, () => ({ origin, layer, own: null, fallback, derived: [] }));
}

function addTo(group: Group, change: Change, own: boolean): void {
  if (own && group.own === null) group.own = change;
  else group.derived.push(change);
}

function finish({ origin, layer, own, fallback, derived }: Group, context: Context): RolledUp {
  const [first, ...others] = derived;
  // A part that shows elsewhere only, such as the nullability of a relation, has its change from the model.
  const change = own ?? fallback ?? first;
  if (change === undefined) throw new TypeError("A group has at least one change.");
  const rest = own === null && fallback === null ? others : derived;
  return {
    origin,
    change,
    layer,
    derivedChanges: rest,
    derived: countChanges([change, ...rest], context) - 1,
  };
}

/** How many coordinates changes are about, with the members of every type that came or went. */
export function countChanges(changes: readonly Change[], types: ComparedTypes): number {
  return changes.reduce((total, change) => total + 1 + countMembers(wholeType(change, types)), 0);
}

/** The types of both sides by name. */
export type ComparedTypes = {
  readonly typesBefore: ReadonlyMap<string, ApiType>;
  readonly typesAfter: ReadonlyMap<string, ApiType>;
};

/** The type that came or went with all of its members, if a change is about one. */
export function wholeType(
  { kind, coordinate, before, after }: Change,
  { typesBefore, typesAfter }: ComparedTypes,
): ApiType | undefined {
  switch (kind) {
    case "type-added":
      return typesAfter.get(coordinate);
    case "type-removed":
    case "type-renamed":
      return typesBefore.get(coordinate);
    case "root-added":
      return typesAfter.get(after ?? "");
    case "root-removed":
      return typesBefore.get(before ?? "");
    default:
      return undefined;
  }
}
