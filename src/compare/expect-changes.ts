import { cached } from "../base/collections.ts";
import { type ApiSchema, type ApiType, baseTypeName, ROOTS, type RootNames } from "../dialects/api-schema.ts";
import type { EntityModel } from "../dialects/entity-model.ts";
import { parseCoordinate } from "../dialects/locate.ts";
import { type Change, type ChangeKind, countAll, KEYWORDS, signaturesOf } from "../dialects/members.ts";
import type { Origin } from "../dialects/origin.ts";
import type { Deriver, Recognized, RetypedFields } from "../dialects/style.ts";
import type { ModelSlices } from "./compare-entity-models.ts";

/** The two sides of a comparison. */
export type Sides<T> = { readonly before: T; readonly after: T };

/** A platform for which models are derived anew. */
export type DerivedPlatform = {
  readonly recognized: Recognized;
  /** The names of its roots in changes; null for a root that it does not have. */
  readonly roots: RootNames;
  /** How many members its schema has, which bounds what is derived. */
  readonly members: number;
};

/** The expected changes of an API, by coordinate; a side is null where nothing is expected to exist. */
export type Expected = ReadonlyMap<string, Sides<string | null>>;

/** Derives how the changes between two slices should change the API; null where nothing can be expected. */
export function expectChanges(
  { before, after, concerned }: ModelSlices,
  platforms: Sides<DerivedPlatform>,
  { derive }: Pick<Deriver, "derive">,
): Expected | null {
  const from = deriveSlice(before, platforms.before);
  const to = deriveSlice(after, platforms.after);
  if (from === null || to === null) return null;
  const expected = new Map<string, Sides<string | null>>();
  const add = (coordinate: string, was: string | null, is: string | null) => {
    if (was !== is) expected.set(coordinate, { before: was, after: is });
  };
  const rest = new Map(to.types.map((type) => [type.name, type]));
  for (const type of from.types) {
    const other = rest.get(type.name);
    rest.delete(type.name);
    // What the platform always has is often the same object.
    if (other !== type) addType(type, other, add);
  }
  for (const type of rest.values()) addType(undefined, type, add);
  return expected;

  function deriveSlice(
    model: EntityModel,
    { recognized, roots, members }: DerivedPlatform,
  ): ApiSchema | null {
    // A slice derives a part of the schema, give or take what a release or a setting adds.
    const most = members * 2 + 10_000;
    try {
      const schema = derive(model, { ...recognized.options, asRead: true, sliceFor: concerned, most });
      return countAll(schema) > most ? null : nameRoots(schema, roots);
    } catch {
      // An API shows less than what was deployed, so a platform may refuse the model that was read from it.
      return null;
    }
  }
}

type Add = (coordinate: string, before: string | null, after: string | null) => void;

function addType(from: ApiType | undefined, to: ApiType | undefined, add: Add): void {
  add(from?.name ?? to?.name ?? "", from ? KEYWORDS[from.kind] : null, to ? KEYWORDS[to.kind] : null);
  const [was, is] = [from, to].map((type) => (type ? signaturesOf(type) : new Map<string, string>()));
  for (const [coordinate, signature] of was ?? []) add(coordinate, signature, is?.get(coordinate) ?? null);
  for (const [coordinate, signature] of is ?? []) {
    if (!was?.has(coordinate)) add(coordinate, null, signature);
  }
}

/** Tests whether the models change a coordinate; the platform alone changed all others. */
export function createModelTest(
  slices: ModelSlices,
  platforms: Sides<DerivedPlatform>,
  deriver: Pick<Deriver, "derive">,
): (coordinate: string) => boolean {
  const { before, after } = platforms;
  const optionsOf = ({ recognized }: DerivedPlatform) => JSON.stringify(recognized.options);
  if (optionsOf(before) === optionsOf(after)) return () => true;
  let moved: readonly (Expected | null)[] | undefined;
  return (coordinate) => {
    moved ??= [before, after].map((one) => expectChanges(slices, { before: one, after: one }, deriver));
    return moved.some((changes) => changes === null || changes.has(coordinate));
  };
}

/** Finds what should have changed and did not: a type without its members, a field without arguments. */
export function findMissing(
  expected: Expected,
  { changed, types }: { readonly changed: ReadonlySet<string>; readonly types: ReadonlyMap<string, ApiType> },
  isRooted: (coordinate: string) => boolean,
): Change[] {
  const signatures = new Map<string, ReadonlyMap<string, string>>();
  const missing = new Map<string, Change>();
  // Types that should be gone, but that parts which stay refer to, stay with them.
  const staying = new Set<string>();
  let needed: ReadonlySet<string> | undefined;
  for (const [coordinate, { before, after }] of expected) {
    if (changed.has(coordinate)) continue;
    const containers = containersOf(coordinate);
    if (containers.some((one) => changed.has(one) || missing.has(one) || staying.has(one))) continue;
    if (signatureAt(coordinate) !== before) continue;
    if (after === null && containers.length === 0) {
      needed ??= findNeeded(types, expected);
      if (needed.has(coordinate)) {
        staying.add(coordinate);
        continue;
      }
    }
    if (!isRooted(coordinate)) continue;
    missing.set(coordinate, { kind: "change-missing", coordinate, before, after });
  }
  return [...missing.values()];

  function signatureAt(coordinate: string): string | null {
    const name = coordinate.split(".", 1)[0] ?? coordinate;
    const type = types.get(name);
    if (type === undefined) return null;
    if (name === coordinate) return KEYWORDS[type.kind];
    return cached(signatures, name, () => signaturesOf(type)).get(coordinate) ?? null;
  }
}

/** Names of the types that something refers to which is not expected to change. */
function findNeeded(types: ReadonlyMap<string, ApiType>, expected: Expected): Set<string> {
  const needed = new Set<string>();
  for (const type of types.values()) {
    if (type.kind !== "OBJECT" && type.kind !== "INTERFACE" && type.kind !== "INPUT_OBJECT") continue;
    if (expected.has(type.name)) continue;
    for (const field of type.fields) {
      if (expected.has(`${type.name}.${field.name}`)) continue;
      needed.add(baseTypeName(field.type));
      if ("args" in field) for (const arg of field.args) needed.add(baseTypeName(arg.type));
    }
  }
  return needed;
}

function containersOf(coordinate: string): string[] {
  const { type, member, argument } = parseCoordinate(coordinate);
  const owner = coordinate.slice(0, coordinate.indexOf("("));
  return [...(member === null ? [] : [type]), ...(argument === null ? [] : [owner])];
}

/** Gives the roots of a schema other names, and leaves out those without one. Platforms do not refer to their roots. */
export function nameRoots(schema: ApiSchema, names: RootNames): ApiSchema {
  const types = ROOTS.map((root) => `${root}Type` as const).filter((type) => schema[type] !== names[type]);
  if (types.length === 0) return schema;
  const renamed = new Map(types.map((type) => [schema[type], names[type]]));
  return {
    ...schema,
    ...names,
    types: schema.types.flatMap((type): ApiType[] => {
      const name = renamed.get(type.name);
      if (name === undefined) return [type];
      return name === null ? [] : [{ ...type, name }];
    }),
  };
}

/** The names of the roots in changes between two schemas: those before, and those after for what came. */
export function sharedRoots(before: RootNames, after: RootNames): RootNames {
  return {
    queryType: before.queryType,
    mutationType: before.mutationType ?? after.mutationType,
    subscriptionType: before.subscriptionType ?? after.subscriptionType,
  };
}

/** The names of those that one of the schemas has. */
export function rootsOf(schema: RootNames, names: RootNames): RootNames {
  return {
    queryType: names.queryType,
    mutationType: schema.mutationType && names.mutationType,
    subscriptionType: schema.subscriptionType && names.subscriptionType,
  };
}

/** What changed of the platform behind a schema, as far as the schema shows it. */
export type PlatformChange = {
  readonly before: Recognized;
  readonly after: Recognized;
  readonly features: ReadonlyMap<string, Change>;
  /** Null where the release is the same. */
  readonly release: Change | null;
  /** What gave fields another type. */
  readonly retyped: readonly Change[];
};

/** Compares the platforms of two schemas. */
export function comparePlatforms(
  before: Recognized,
  after: Recognized,
  retyped: readonly RetypedFields[],
): PlatformChange {
  const features = new Map<string, Change>();
  const [from, to] = [new Set(before.features), new Set(after.features)];
  const add = (change: Change) => features.set(change.coordinate, change);
  for (const name of from) if (!to.has(name)) add(changeOf("platform-feature-removed", name, name, null));
  for (const name of to) if (!from.has(name)) add(changeOf("platform-feature-added", name, null, name));
  const release =
    before.release === after.release
      ? null
      : changeOf("platform-release-changed", "release", before.release, after.release);
  return {
    ...{ before, after, features, release },
    retyped: retyped.map(({ feature: { feature }, before: was, after: is }) =>
      changeOf("platform-feature-changed", feature, was, is),
    ),
  };
}

/** The platform's change that explains a coordinate of these origins; null where a feature stayed. */
export function explainByPlatform(
  origins: readonly Origin[],
  { before, after, features, release, retyped }: PlatformChange,
): Change | null {
  const names = origins.flatMap((origin) => (origin.kind === "platform" ? [origin.feature] : []));
  const ofTypes = retyped.find(({ coordinate }) => names.includes(coordinate));
  if (ofTypes) return ofTypes;
  for (const name of names) {
    const change = features.get(name);
    if (change) return change;
  }
  const [nearest] = names;
  if (nearest === undefined) return null;
  if (release) return release;
  const [first] = origins;
  // An unchanged part of the model is nearer than a platform without known changes.
  if (first?.kind !== "platform") return null;
  const isUnchanged = before.features.includes(nearest) && after.features.includes(nearest);
  return isUnchanged ? null : changeOf("platform-feature-changed", nearest, nearest, nearest);
}

function changeOf(kind: ChangeKind, coordinate: string, before: string | null, after: string | null): Change {
  return { kind, coordinate, before, after };
}
