import { compareCodeUnits, groupBy } from "../base/collections.ts";
import { type ApiSchema, indexTypes } from "../dialects/api-schema.ts";
import { type Change, visitMembers } from "../dialects/members.ts";
import type { Deriver, Style } from "../dialects/style.ts";
import type { ApiNames } from "../operations/rename-document.ts";
import { SEVERITIES, type Severity } from "../report/finding.ts";
import { compareSchemas } from "./compare-schemas.ts";
import type { Sides } from "./expect-changes.ts";
import { findApiRenames, type Rename } from "./find-api-renames.ts";
import { readSide } from "./indexed-schema.ts";
import { mergeRenames } from "./merge-renames.ts";
import { findApiNames, renameApi } from "./rename-api.ts";
import { type ComparedTypes, countChanges, findWholeType, type RolledUp, rollUp } from "./roll-up.ts";
import { createJudge, type DiffOptions } from "./severity-rules.ts";

/** One event with all changes that follow from it, and its severity. */
export type RootCause = RolledUp & {
  readonly severity: Severity;
  /** The derived changes that set the severity; empty if the change itself is as severe. */
  readonly worstDerived: readonly Change[];
  /** The coordinates that changed because of it, without duplicates, in code-unit order. */
  readonly derivedCoordinates: readonly string[];
};

/**
 * Returns the root causes of all differences between two schemas, in order of coordinate, and the certain renames. Also
 * returns the schema before with renamed types under their new names, and these names.
 */
export function diffSchemas(
  { before, after }: Sides<ApiSchema>,
  style: Pick<Style, "schemas" | "deriver">,
  options: DiffOptions,
): {
  readonly causes: RootCause[];
  readonly aligned: ApiSchema;
  readonly names: ApiNames | null;
  readonly renames: readonly Rename[];
} {
  const changes = compareSchemas(before, after);
  if (changes.length === 0) return { causes: [], aligned: before, names: null, renames: [] };
  const [was, is] = [readSide(before, style).model, readSide(after, style).model];
  const renames = findApiRenames(was, is, { confirmed: options.renames ?? [] });
  const { schema: aligned, causes: renamed, names } = alignTypes(before, renames, style);
  const others = rollUp(names ? compareSchemas(aligned, after) : changes, { before: aligned, after }, style);
  const models = { before: readSide(aligned, style).model, after: is };
  const merged = mergeRenames(others, models, { renames, types: names?.types ?? new Map() });
  const causes = [
    ...(names ? judgeAll(renamed, { before, after: aligned }) : []),
    ...judgeAll(merged, { before: aligned, after }),
  ].sort(
    (a, b) =>
      compareCodeUnits(a.change.coordinate, b.change.coordinate) ||
      compareCodeUnits(a.change.kind, b.change.kind) ||
      compareCodeUnits(a.change.after ?? "", b.change.after ?? ""),
  );
  return { causes, aligned, names, renames: renames.filter(({ certain }) => certain) };

  function judgeAll(rolledUp: readonly RolledUp[], sides: Sides<ApiSchema>): RootCause[] {
    const judge = createJudge(sides.before, sides.after, options);
    const types = typesOf(sides);
    return rolledUp.map((cause): RootCause => {
      const severities = cause.derivedChanges.map(judge);
      const ofChange = judge(cause.change);
      const severity =
        SEVERITIES.find((level) => level === ofChange || severities.includes(level)) ?? ofChange;
      const worst = cause.derivedChanges.filter((_, index) => severities[index] === severity);
      return {
        ...cause,
        severity,
        worstDerived: severity === ofChange ? [] : worst,
        derivedCoordinates: listCoordinates(cause, types),
      };
    });
  }
}

function typesOf({ before, after }: Sides<ApiSchema>): ComparedTypes {
  return { typesBefore: indexTypes(before), typesAfter: indexTypes(after) };
}

/** Returns the coordinates of derived changes, and the members of each added or removed type or root. */
function listCoordinates({ change, derivedChanges }: RolledUp, types: ComparedTypes): readonly string[] {
  const coordinates = new Set(derivedChanges.map(({ coordinate }) => coordinate));
  for (const each of [change, ...derivedChanges]) {
    const type = findWholeType(each, types);
    if (type) visitMembers(type, (coordinate) => coordinates.add(coordinate));
  }
  return [...coordinates].sort(compareCodeUnits);
}

/** A renamed entity or enum. */
type TypeRename = Pick<Rename, "kind" | "from" | "to">;

/** Renames types of the schema before to their new names, so that other changes are not hidden by the rename. */
function alignTypes(
  before: ApiSchema,
  renames: readonly Rename[],
  style: Pick<Style, "schemas" | "deriver">,
): { readonly schema: ApiSchema; readonly causes: readonly RolledUp[]; readonly names: ApiNames | null } {
  const types = renames.filter(({ owner, certain }) => owner === null && certain);
  if (types.length === 0) return { schema: before, causes: [], names: null };
  const names = findApiNames(before, types, style);
  const owners = findOwners(names, types, style.deriver);
  const schema = renameApi(before, names);
  const compared = typesOf({ before, after: schema });
  const changes = groupBy(compareSchemas(before, schema), (change) => ownerOf(change, owners));
  const causes = [...changes].flatMap(([owner, ofOwner]): RolledUp[] => {
    if (owner === undefined) return [];
    const { kind, from, to } = owner;
    return [
      {
        origin: kind === "enum" ? { kind, name: from } : { kind: "entity", entity: from },
        change: { kind: "type-renamed", coordinate: from, before: from, after: to },
        layer: "entity",
        derivedChanges: ofOwner.filter(({ coordinate }) => coordinate !== from),
        derived: countChanges(ofOwner, compared) - 1,
        renamed: renamedCoordinates(ofOwner, names),
      },
    ];
  });
  return { schema, causes, names };
}

/** The renamed types by both names of what follows from them; root fields with a dot before them. */
type Owners = ReadonlyMap<string, TypeRename>;

function findOwners(
  { types, members }: ApiNames,
  renames: readonly TypeRename[],
  { renameDerived }: Pick<Deriver, "renameDerived">,
): Owners {
  const owners = new Map<string, TypeRename>();
  for (const rename of renames) {
    const { type, rootField } = renameDerived(rename.from, rename.to);
    const isOfEnum = (name: string) => rename.kind === "enum" && `${name}_`.startsWith(`${rename.from}_`);
    for (const [from, to] of types) {
      if (type(from) === to || isOfEnum(from)) owners.set(from, rename).set(to, rename);
    }
    for (const [coordinate, to] of members) {
      const from = coordinate.slice(coordinate.indexOf(".") + 1);
      if (rootField(from) === to) owners.set(`.${from}`, rename).set(`.${to}`, rename);
    }
  }
  return owners;
}

/** Returns the renamed type whose name is in the coordinate or the type of a change. */
function ownerOf({ kind, coordinate, before, after }: Change, owners: Owners) {
  const [type = "", member = ""] = coordinate.split(".");
  // Here, only roots have added or removed fields.
  const isRootField = kind === "field-added" || kind === "field-removed";
  const referencedType = /\w+/.exec(before ?? after ?? "")?.[0] ?? "";
  return owners.get(type) ?? owners.get(isRootField ? `.${member}` : referencedType);
}

function renamedCoordinates(
  changes: readonly Change[],
  { types, members }: ApiNames,
): ReadonlyMap<string, string> {
  return new Map(
    changes.flatMap(({ coordinate, after }) => {
      if (after !== null) return [];
      const [type = "", member] = coordinate.split(".");
      const name = member === undefined ? types.get(type) : members.get(coordinate);
      if (name === undefined) return [];
      return [[coordinate, member === undefined ? name : `${type}.${name}`] as const];
    }),
  );
}
