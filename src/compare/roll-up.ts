import { cached } from "../base/collections.ts";
import type { ApiSchema, ApiType } from "../dialects/api-schema.ts";
import { type Change, countAll, countMembers, signaturesOf, visitMembers } from "../dialects/members.ts";
import { type Origin, originKey } from "../dialects/origin.ts";
import type { OriginLookup, Style } from "../dialects/style.ts";
import { compareEntityModels, type ModelChange, sliceModels } from "./compare-entity-models.ts";
import {
  comparePlatforms,
  createModelTest,
  type Expected,
  expectChanges,
  explainByPlatform,
  findMissing,
  nameRoots,
  type PlatformChange,
  rootsOf,
  type Sides,
  sharedRoots,
} from "./expect-changes.ts";
import { readSide, type SchemaSide } from "./indexed-schema.ts";

/** One event with all changes that follow from it. */
export type RolledUp = {
  /** Null if no known part derives the changed coordinate. */
  readonly origin: Origin | null;
  /** At the coordinate of the entity model's part, or the name of the platform's feature. */
  readonly change: Change;
  readonly layer: "entity" | "platform" | "docs";
  readonly derivedChanges: readonly Change[];
  /** The number of other changed coordinates. An added or removed type counts with its members. */
  readonly derived: number;
  /** For a renamed part: the new coordinates of derived members by their old ones. */
  readonly renamed?: ReadonlyMap<string, string>;
  /** Set if the rename is a guess. */
  readonly isOnlyPossible?: true;
};

/** Rolls changes up to their causes. Derives the changes of each part again, to verify that they follow from it. */
export function rollUp(
  changes: readonly Change[],
  { before, after }: Sides<ApiSchema>,
  style: Pick<Style, "schemas" | "deriver">,
): RolledUp[] {
  if (changes.length === 0) return [];
  const { deriver } = style;
  const [sideBefore, sideAfter] = [readSide(before, style), readSide(after, style)];
  const retyped = style.schemas.findRetyped(sideBefore, sideAfter);
  const models = retyped.at(-1)?.models ?? ([sideBefore.model, sideAfter.model] as const);
  const modelChanges = compareEntityModels(...models);
  const changedParts = [...modelChanges.values()].map(({ origin }) => origin);
  const slices = sliceModels(...models, changedParts);
  const platform = comparePlatforms(sideBefore.recognized, sideAfter.recognized, retyped);
  const roots = sharedRoots(before, after);
  const members = Math.max(countAll(before), countAll(after));
  const platforms = {
    before: { recognized: platform.before, roots: rootsOf(before, roots), members },
    after: { recognized: platform.after, roots: rootsOf(after, roots), members },
  };
  let originsOfAll: OriginLookup | undefined;
  const context: Context = {
    originsOfParts: deriver.traceOrigins([slices.before, slices.after], roots),
    originsOf: (coordinate) => {
      originsOfAll ??= deriver.traceOrigins(models, roots);
      return originsOfAll(coordinate);
    },
    expected: modelChanges.size === 0 ? null : expectChanges(slices, platforms, deriver),
    modelChanges,
    platform,
    isChangedByModel: createModelTest(slices, platforms, deriver),
    typesBefore: sideBefore.types,
    typesAfter: typesByName(nameRoots(after, rootsOf(after, roots)), sideAfter),
    groups: new Map(),
    entities: new Map(),
  };
  for (const change of changes) addTo(placeChange(change, context), change);
  addMissing(changes, context);
  return [...context.groups.values()].map((group) => finish(group, context));
}

/** Indexes types, with roots under the names that changes use. */
function typesByName(named: ApiSchema, { types }: SchemaSide): ReadonlyMap<string, ApiType> {
  if (named.types.every(({ name }) => types.has(name))) return types;
  return new Map([...types, ...named.types.map((type) => [type.name, type] as const)]);
}

type Context = ComparedTypes & {
  /** Traces only to changed parts and their neighbours, which takes much less time than indexing everything. */
  readonly originsOfParts: OriginLookup;
  readonly originsOf: OriginLookup;
  /** The expected changes of the API; null if unknown. */
  readonly expected: Expected | null;
  readonly modelChanges: ReadonlyMap<string, ModelChange>;
  readonly platform: PlatformChange;
  /** Returns whether the models, not only the platform, changed a coordinate. */
  readonly isChangedByModel: (coordinate: string) => boolean;
  /** By the key of their part, or by a change that is its own cause. */
  readonly groups: Map<string | Change, Group>;
  /** Caches the entity that each type is derived from; null for none. */
  readonly entities: Map<string, string | null>;
};

type Group = {
  readonly origin: Origin | null;
  readonly layer: RolledUp["layer"];
  /** The change at the part's own coordinate. */
  main: Change | null;
  /** The change of the group if `main` is null. */
  readonly fallback: Change | null;
  readonly derived: Change[];
};

/** The group of a change, and whether the change is at the part's own coordinate. */
type Placement = { readonly group: Group; readonly isMain: boolean };

function placeChange(change: Change, context: Context): Placement {
  const { modelChanges } = context;
  if (change.kind === "root-renamed") {
    const [origin = null] = context.originsOf(change.coordinate);
    return placeAlone(change, { origin, layer: "platform" }, context);
  }
  if (change.kind === "description-changed") return placeDescription(change, context);
  const modelChange = modelChanges.get(change.coordinate);
  if (modelChange && sameEvent(modelChange.change, change)) {
    return { group: rootGroup(modelChange, context), isMain: true };
  }
  const namesake = findNamesake(change, context);
  if (namesake && isExpected(change, context)) {
    return { group: rootGroup(namesake, context), isMain: false };
  }
  if (modelChanges.size > 0 && context.isChangedByModel(change.coordinate)) {
    const origins = context.originsOfParts(change.coordinate);
    const [nearest = null] = origins;
    const root = findRoot(change, origins, context);
    if (root && root.origin.kind === "search" && isOwn(change, nearest)) {
      return { group: rootGroup(root, context), isMain: true };
    }
    if (root && !isOwn(change, nearest) && isExpected(change, context)) {
      const group = rootGroup(root, context);
      if (change.kind === "type-added") addUnexpectedMembers(change, context);
      return { group, isMain: false };
    }
  }
  const origins = context.originsOf(change.coordinate);
  const [nearest = null] = origins;
  const cause = explainByPlatform(origins, context.platform);
  const isRetyped =
    cause !== null && context.platform.retyped.includes(cause) && change.kind === "field-type-changed";
  // Other changes at a part's own coordinate, such as a deprecation, are separate changes.
  if (isOwn(change, nearest) && !isRetyped) {
    return placeAlone(change, { origin: nearest, layer: "entity" }, context);
  }
  if (cause === null) return placeAlone(change, { origin: nearest, layer: "platform" }, context);
  const origin: Origin = { kind: "platform", feature: cause.coordinate };
  const group = groupOf(originKey(origin), { origin, layer: "platform", fallback: cause }, context);
  return { group, isMain: false };
}

/** The changed field that a member of a type is named after, as most of what follows from a field is. */
function findNamesake({ coordinate }: Change, context: Context): ModelChange | undefined {
  const dot = coordinate.indexOf(".");
  if (dot < 0 || coordinate.endsWith(")")) return undefined;
  const type = coordinate.slice(0, dot);
  const entity = cached(context.entities, type, () => {
    const nearest = context.originsOfParts(type).find(({ kind }) => kind !== "platform");
    return nearest?.kind === "entity" ? nearest.entity : null;
  });
  return entity === null ? undefined : context.modelChanges.get(`${entity}${coordinate.slice(dot)}`);
}

/** Descriptions of one part are one cause, wherever they are shown, and those of the platform are one together. */
function placeDescription(change: Change, context: Context): Placement {
  const [nearest = null] = context.originsOf(change.coordinate);
  const part = nearest?.kind === "platform" ? "platform" : nearest ? originKey(nearest) : change.coordinate;
  const group = groupOf(`docs ${part}`, { origin: nearest, layer: "docs", fallback: null }, context);
  return { group, isMain: isOwn(change, nearest) };
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

/** Finds the nearest part that changed, of those that a coordinate depends on. */
function findRoot(
  change: Change,
  origins: readonly Origin[],
  { modelChanges, originsOfParts, typesBefore, typesAfter }: Context,
): ModelChange | undefined {
  const direct = firstChanged(origins, modelChanges);
  if (direct) return direct;
  if (change.kind !== "type-added" && change.kind !== "type-removed") return undefined;
  // A type may exist because of its members, such as the averages of an entity's first number.
  const type = (change.kind === "type-added" ? typesAfter : typesBefore).get(change.coordinate);
  for (const coordinate of type ? signaturesOf(type).keys() : []) {
    const root = firstChanged(originsOfParts(coordinate), modelChanges);
    if (root) return root;
  }
  return undefined;
}

function firstChanged(
  origins: readonly Origin[],
  modelChanges: Context["modelChanges"],
): ModelChange | undefined {
  for (const origin of origins) {
    if (origin.kind === "platform") continue;
    const change = modelChanges.get(originKey(origin)) ?? modelChanges.get(ownerKey(origin));
    if (change) return change;
  }
  return undefined;
}

/** Returns the key of the definition that contains a part. */
function ownerKey(origin: Origin): string {
  if (origin.kind === "field") return origin.entity;
  return origin.kind === "enum-value" ? origin.name : originKey(origin);
}

function isExpected(change: Change, { expected, modelChanges }: Context): boolean {
  if (expected === null) return true;
  if (!/-(added|removed|type-changed|kind-changed)$/.test(change.kind) || change.kind.startsWith("root-")) {
    return true;
  }
  const expectation = expected.get(change.coordinate);
  if (expectation === undefined) return false;
  if (expectation.before === change.before && expectation.after === change.after) return true;
  // Details that an API does not show cannot be derived: a precision, the case of an enum's name.
  return existsOnBothSides(expectation) && existsOnBothSides(change) && modelChanges.size > 0;
}

function existsOnBothSides({ before, after }: Sides<string | null>): boolean {
  return before !== null && after !== null;
}

/** Adds the members of a new type that do not follow from the part that the type follows from. */
function addUnexpectedMembers({ coordinate: name }: Change, context: Context): void {
  const { expected } = context;
  const type = context.typesAfter.get(name);
  if (type === undefined || !expected?.has(name)) return;
  visitMembers(type, (coordinate, signature, kind) => {
    if ((expected.get(coordinate)?.after ?? null) !== null) return;
    // The arguments of an unexpected field are reported with it.
    if (coordinate.includes("(") && !expected.has(coordinate.replace(/\(.*$/, ""))) return;
    const [nearest = null] = context.originsOf(coordinate);
    const change = { kind, coordinate, before: null, after: signature };
    addTo(placeAlone(change, { origin: nearest, layer: "platform" }, context), change);
  });
}

function addMissing(changes: readonly Change[], context: Context): void {
  const { expected, modelChanges, originsOf, typesAfter: types } = context;
  if (expected === null) return;
  const changed = new Set(changes.map((change) => change.coordinate));
  // Traces to all parts, because members that unchanged parts also need stay.
  const rootOf = (coordinate: string) => firstChanged(originsOf(coordinate), modelChanges);
  for (const change of findMissing(expected, { changed, types }, (at) => rootOf(at) !== undefined)) {
    const origin = rootOf(change.coordinate)?.origin ?? null;
    addTo(placeAlone(change, { origin, layer: "platform" }, context), change);
  }
}

function rootGroup({ origin, change }: ModelChange, context: Context): Group {
  return groupOf(change.coordinate, { origin, layer: "entity", fallback: change }, context);
}

/** Places a change in a group of its own. */
function placeAlone(change: Change, facts: Pick<Group, "origin" | "layer">, context: Context): Placement {
  return { group: groupOf(change, { ...facts, fallback: null }, context), isMain: true };
}

function groupOf(
  key: string | Change,
  facts: Pick<Group, "origin" | "layer" | "fallback">,
  { groups }: Context,
): Group {
  const group = groups.get(key) ?? { ...facts, main: null, derived: [] };
  groups.set(key, group);
  return group;
}

function addTo({ group, isMain }: Placement, change: Change): void {
  if (isMain && group.main === null) group.main = change;
  else group.derived.push(change);
}

function finish({ origin, layer, main, fallback, derived }: Group, context: Context): RolledUp {
  // A part that is only visible elsewhere, such as the nullability of a relation, has its change from the model.
  const [change, ...derivedChanges] = [main ?? fallback ?? [], derived].flat() as [Change, ...Change[]];
  return {
    origin,
    change,
    layer,
    derivedChanges,
    derived: countChanges([change, ...derivedChanges], context) - 1,
  };
}

/** Counts the coordinates of changes, with the members of each added or removed type. */
export function countChanges(changes: readonly Change[], types: ComparedTypes): number {
  const whole = changes.map((change) => findWholeType(change, types));
  return whole.reduce((total, type) => total + countMembers(type), changes.length);
}

/** The types of both sides by name. */
export type ComparedTypes = {
  readonly typesBefore: ReadonlyMap<string, ApiType>;
  readonly typesAfter: ReadonlyMap<string, ApiType>;
};

/** Returns the type that a change adds or removes with all its members; undefined for other changes. */
export function findWholeType(
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
