import type { ApiField, ApiInputValue, ApiSchema, ApiType, RootNames } from "../schema/api-schema.ts";
import type { EntityModel } from "../schema/entity-model.ts";
import { STANDARD_SCALARS } from "../schema/standard-scalars.ts";
import type { Recognized, Style } from "../styles/style.ts";
import { nameRoots } from "./name-roots.ts";
import { countAll, inputSignature, KEYWORDS, visitMembers } from "./schema-members.ts";

/** One side of a comparison: the part of its model that matters, and its platform. */
export type ReadSide = {
  readonly model: EntityModel;
  readonly recognized: Recognized;
  /** What its roots are called in changes; null for one that it has not. */
  readonly roots: RootNames;
  /** How many members the larger of the schemas has. */
  readonly members: number;
};

/** What should stand at a coordinate before and after; null where nothing should. */
export type ExpectedChange = { readonly before: string | null; readonly after: string | null };

/**
 * Derives what the changes between two slices of a model should do to the API, by coordinate. Because only slices are
 * derived, what several parts share (a comparison of integers) may be told to come or go though it stays.
 *
 * @param parts the names of the definitions that changed, or have members that did.
 * @returns null where the platform cannot derive, and nothing can be expected; nor can it where there would be far
 *   more than the schemas have, which then are none that the platform made.
 */
export function expectChanges(
  before: ReadSide,
  after: ReadSide,
  parts: ReadonlySet<string>,
  style: Pick<Style, "derive">,
): Map<string, ExpectedChange> | null {
  const from = deriveSlice(before, parts, style);
  const to = deriveSlice(after, parts, style);
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
    if (other === type || (other && sameMembers(type, other)) || STANDARD_SCALARS.has(type.name)) continue;
    addType(type, other, add);
  }
  for (const type of rest.values()) if (!STANDARD_SCALARS.has(type.name)) addType(undefined, type, add);
  return expected;
}

type Add = (coordinate: string, before: string | null, after: string | null) => void;

function addType(from: ApiType | undefined, to: ApiType | undefined, add: Add): void {
  const name = from?.name ?? to?.name ?? "";
  add(name, from ? KEYWORDS[from.kind] : null, to ? KEYWORDS[to.kind] : null);
  const members = new Map<string, string>();
  // Of two members with one name the first counts.
  if (to)
    visitMembers(
      to,
      (coordinate, signature) => members.has(coordinate) || members.set(coordinate, signature),
    );
  const seen = new Set<string>();
  if (from) {
    visitMembers(from, (coordinate, signature) => {
      if (seen.has(coordinate)) return;
      seen.add(coordinate);
      add(coordinate, signature, members.get(coordinate) ?? null);
    });
  }
  for (const [coordinate, signature] of members) {
    if (!seen.has(coordinate)) add(coordinate, null, signature);
  }
}

/** Whether two types have the same members in the same order, which most of a slice's have. */
function sameMembers(a: ApiType, b: ApiType): boolean {
  if (a.kind === "ENUM" && b.kind === "ENUM") {
    return (
      a.values.length === b.values.length && a.values.every(({ name }, at) => name === b.values[at]?.name)
    );
  }
  if (a.kind === "INPUT_OBJECT" && b.kind === "INPUT_OBJECT") return sameInputs(a.fields, b.fields);
  if (a.kind === "OBJECT" && b.kind === "OBJECT") {
    return (
      a.fields.length === b.fields.length && a.fields.every((field, at) => sameField(field, b.fields[at]))
    );
  }
  return a.kind === "SCALAR" && b.kind === "SCALAR";
}

function sameField(a: ApiField, b: ApiField | undefined): boolean {
  return b !== undefined && a.name === b.name && a.type === b.type && sameInputs(a.args, b.args);
}

function sameInputs(a: readonly ApiInputValue[], b: readonly ApiInputValue[]): boolean {
  if (a === b) return true;
  return (
    a.length === b.length &&
    a.every((one, at) => {
      const other = b[at];
      return other !== undefined && one.name === other.name && inputSignature(one) === inputSignature(other);
    })
  );
}

function deriveSlice(
  { model, recognized, roots, members }: ReadSide,
  parts: ReadonlySet<string>,
  style: Pick<Style, "derive">,
): ApiSchema | null {
  const most = members * TIMES + MORE;
  try {
    const derived = style.derive(model, { ...recognized.options, asRead: true, sliceFor: parts, most });
    return countAll(derived) > most ? null : nameRoots(derived, roots);
  } catch {
    // What an API shows is less than what was deployed: a platform may refuse to be given it back.
    return null;
  }
}

/** What is derived of a slice is a part of the schema, give or take what a release or a setting adds. */
const TIMES = 2;
const MORE = 10_000;
