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

/** A platform to derive models for. */
export type DerivedPlatform = {
  readonly recognized: Recognized;
  /** The names of its roots in changes; null for an absent root. */
  readonly roots: RootNames;
  /** The number of members of its schema, which limits the derived schema. */
  readonly members: number;
};

/** The expected changes of an API by coordinate. A side is null if the coordinate should not exist there. */
export type Expected = ReadonlyMap<string, Sides<string | null>>;

/** Derives how the changes between two slices should change the API. Returns null if a slice cannot be derived. */
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
    // Types that the platform always has are often the same object.
    if (other !== type) addType(type, other, add);
  }
  for (const type of rest.values()) addType(undefined, type, add);
  return expected;

  function deriveSlice(
    model: EntityModel,
    { recognized, roots, members }: DerivedPlatform,
  ): ApiSchema | null {
    // A slice derives a part of the schema, plus members that a release or a setting adds.
    const most = members * 2 + 10_000;
    try {
      const schema = derive(model, { ...recognized.options, asRead: true, sliceFor: concerned, most });
      return countAll(schema) > most ? null : nameRoots(schema, roots);
    } catch {
      // A model that was read from an API has less than the deployed one, so a platform may reject it.
      return null;
    }
  }
}

type Add = (coordinate: string, before: string | null, after: string | null) => void;

function addType(from: ApiType | undefined, to: ApiType | undefined, add: Add): void {
  add(from?.name ?? to?.name ?? "", from ? KEYWORDS[from.kind] : null, to ? KEYWORDS[to.kind] : null);
  const [was, is] = [from && signaturesOf(from), to && signaturesOf(to)];
  for (const [coordinate, signature] of was ?? []) add(coordinate, signature, is?.get(coordinate) ?? null);
  for (const [coordinate, signature] of is ?? []) {
    if (!was?.has(coordinate)) add(coordinate, null, signature);
  }
}

/** Creates the predicate of coordinates that the models change. Only the platform changed all others. */
export function createModelTest(
  slices: ModelSlices,
  platforms: Sides<DerivedPlatform>,
  deriver: Pick<Deriver, "derive">,
): (coordinate: string) => boolean {
  const { before, after } = platforms;
  const optionsOf = ({ recognized }: DerivedPlatform) => JSON.stringify(recognized.options);
  if (optionsOf(before) === optionsOf(after)) return () => true;
  let byModel: readonly (Expected | null)[] | undefined;
  return (coordinate) => {
    byModel ??= [before, after].map((platform) =>
      expectChanges(slices, { before: platform, after: platform }, deriver),
    );
    return byModel.some((changes) => changes === null || changes.has(coordinate));
  };
}

/** Finds expected changes that did not happen. A type is reported without its members, a field without its arguments. */
export function findMissing(
  expected: Expected,
  { changed, types }: { readonly changed: ReadonlySet<string>; readonly types: ReadonlyMap<string, ApiType> },
  hasCause: (coordinate: string) => boolean,
): Change[] {
  const signatures = new Map<string, ReadonlyMap<string, string>>();
  const missing = new Map<string, Change>();
  // Types that should be removed, but that unchanged parts refer to.
  const staying = new Set<string>();
  let referenced: ReadonlySet<string> | undefined;
  const isReported = (at: string) => changed.has(at) || missing.has(at) || staying.has(at);
  for (const [coordinate, { before, after }] of expected) {
    if (changed.has(coordinate)) continue;
    const containers = containersOf(coordinate);
    if (containers.some(isReported) || signatureAt(coordinate) !== before) continue;
    if (after === null && containers.length === 0) {
      referenced ??= findReferenced(types, expected);
      if (referenced.has(coordinate)) {
        staying.add(coordinate);
        continue;
      }
    }
    if (!hasCause(coordinate)) continue;
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

/** Returns the names of types that unchanged parts refer to. */
function findReferenced(types: ReadonlyMap<string, ApiType>, expected: Expected): Set<string> {
  const referenced = new Set<string>();
  for (const type of types.values()) {
    if (!("fields" in type) || expected.has(type.name)) continue;
    for (const field of type.fields) {
      if (expected.has(`${type.name}.${field.name}`)) continue;
      referenced.add(baseTypeName(field.type));
      if ("args" in field) for (const arg of field.args) referenced.add(baseTypeName(arg.type));
    }
  }
  return referenced;
}

function containersOf(coordinate: string): string[] {
  const { type, member, argument } = parseCoordinate(coordinate);
  const field = argument === null ? [] : [`${type}.${member}`];
  return member === null ? [] : [type, ...field];
}

/** Renames the roots of a schema, and removes those without a name. Platforms never refer to their roots. */
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

/** Returns the names of the roots in changes between two schemas: those before, or those after for added roots. */
export function sharedRoots(before: RootNames, after: RootNames): RootNames {
  return {
    queryType: before.queryType,
    mutationType: before.mutationType ?? after.mutationType,
    subscriptionType: before.subscriptionType ?? after.subscriptionType,
  };
}

/** Returns the names of the roots that a schema has. */
export function rootsOf(schema: RootNames, names: RootNames): RootNames {
  return {
    queryType: names.queryType,
    mutationType: schema.mutationType && names.mutationType,
    subscriptionType: schema.subscriptionType && names.subscriptionType,
  };
}

/** The changes of the platform behind a schema that are visible in the schema. */
export type PlatformChange = {
  readonly before: Recognized;
  readonly after: Recognized;
  readonly features: readonly Change[];
  /** Null if the release is the same. */
  readonly release: Change | null;
  /** Features that changed the types of fields. */
  readonly retyped: readonly Change[];
};

/** Compares the platforms of two schemas. */
export function comparePlatforms(
  before: Recognized,
  after: Recognized,
  retyped: readonly RetypedFields[],
): PlatformChange {
  const removed = before.features.filter((name) => !after.features.includes(name));
  const added = after.features.filter((name) => !before.features.includes(name));
  const releases = { before: before.release, after: after.release };
  return {
    before,
    after,
    features: [
      ...removed.map((name) => changeOf("platform-feature-removed", name, { before: name, after: null })),
      ...added.map((name) => changeOf("platform-feature-added", name, { before: null, after: name })),
    ],
    release:
      before.release === after.release ? null : changeOf("platform-release-changed", "release", releases),
    retyped: retyped.map((fields) => changeOf("platform-feature-changed", fields.feature.feature, fields)),
  };
}

/** Returns the change of the platform that explains a coordinate with these origins; null if its feature is unchanged. */
export function explainByPlatform(
  origins: readonly Origin[],
  { before, after, features, release, retyped }: PlatformChange,
): Change | null {
  const names = origins.flatMap((origin) => (origin.kind === "platform" ? [origin.feature] : []));
  const [nearest] = names;
  if (nearest === undefined) return null;
  const ofNames = names.flatMap((name) => features.filter(({ coordinate }) => coordinate === name));
  const change = retyped.find(({ coordinate }) => names.includes(coordinate)) ?? ofNames[0] ?? release;
  if (change) return change;
  const [first] = origins;
  // An unchanged part of the model is nearer than a platform without known changes.
  if (first?.kind !== "platform") return null;
  const isUnchanged = before.features.includes(nearest) && after.features.includes(nearest);
  return isUnchanged
    ? null
    : changeOf("platform-feature-changed", nearest, { before: nearest, after: nearest });
}

function changeOf(kind: ChangeKind, coordinate: string, { before, after }: Sides<string | null>): Change {
  return { kind, coordinate, before, after };
}
