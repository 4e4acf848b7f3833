import type { ApiSchema, ApiType, RootNames } from "../schema/api-schema.ts";
import type { EntityModel } from "../schema/entity-model.ts";
import { countAll, KEYWORDS, signaturesOf } from "../schema/members.ts";
import type { Recognized, Style } from "../styles/style.ts";
import { nameRoots } from "./name-roots.ts";
import type { ModelSlices } from "./slice-model.ts";

/** A platform that models are derived for anew. */
export type DerivedPlatform = {
  readonly recognized: Recognized;
  /** What its roots are called in changes; null for one that it has not. */
  readonly roots: RootNames;
  readonly members: number;
};

/** What should stand at a coordinate before and after; null where nothing should. */
export type ExpectedChange = { readonly before: string | null; readonly after: string | null };

/** What should change in an API, by coordinate. */
export type Expected = ReadonlyMap<string, ExpectedChange>;

/** Derives how the changes between two slices should change the API; null where nothing can be expected. */
export function expectChanges(
  { before, after, concerned }: ModelSlices,
  platforms: readonly [DerivedPlatform, DerivedPlatform],
  style: Pick<Style, "derive">,
): Expected | null {
  const from = deriveSlice(before, platforms[0], concerned, style);
  const to = deriveSlice(after, platforms[1], concerned, style);
  if (from === null || to === null) return null;
  const expected = new Map<string, ExpectedChange>();
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

function deriveSlice(
  model: EntityModel,
  { recognized, roots, members }: DerivedPlatform,
  sliceFor: ReadonlySet<string>,
  style: Pick<Style, "derive">,
): ApiSchema | null {
  const most = members * TIMES + MORE;
  try {
    const derived = style.derive(model, { ...recognized.options, asRead: true, sliceFor, most });
    return countAll(derived) > most ? null : nameRoots(derived, roots);
  } catch {
    // What an API shows is less than what was deployed: a platform may refuse to be given it back.
    return null;
  }
}

/** What is derived of a slice is a part of the schema, give or take what a release or a setting adds. */
const TIMES = 2;
const MORE = 10_000;

/** Finds which coordinates the models move: of the others the platform alone changed. */
export function createModelTest(
  slices: ModelSlices,
  platforms: readonly [DerivedPlatform, DerivedPlatform],
  style: Pick<Style, "derive">,
): (coordinate: string) => boolean {
  const [before, after] = platforms.map(({ recognized }) => JSON.stringify(recognized.options));
  if (before === after) return () => true;
  let moved: readonly (Expected | null)[] | undefined;
  return (coordinate) => {
    moved ??= platforms.map((platform) => expectChanges(slices, [platform, platform], style));
    return moved.some((changes) => changes === null || changes.has(coordinate));
  };
}
