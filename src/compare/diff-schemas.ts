import { compareCodeUnits, groupBy } from "../base/collections.ts";
import {
  type ApiField,
  type ApiInputValue,
  type ApiSchema,
  type ApiType,
  indexTypes,
  rootTypeNames,
} from "../dialects/api-schema.ts";
import { canonicalize } from "../dialects/canonicalize.ts";
import type { EntityModel } from "../dialects/entity-model.ts";
import { type Change, visitMembers } from "../dialects/members.ts";
import type { Deriver, Style } from "../dialects/style.ts";
import { SEVERITIES, type Severity } from "../report/finding.ts";
import { compareSchemas } from "./compare-schemas.ts";
import type { Sides } from "./expect-changes.ts";
import { type CertainRenames, type EntityRename, findEntityRenames, NO_RENAMES } from "./find-renames.ts";
import { readSide } from "./indexed-schema.ts";
import { mergeRenames } from "./merge-renames.ts";
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
 * Returns the root causes of all differences between two schemas, in order of coordinate. Also returns the schema before
 * with renamed entities under their new names.
 */
export function diffSchemas(
  { before, after }: Sides<ApiSchema>,
  style: Pick<Style, "schemas" | "deriver">,
  options: DiffOptions,
): { readonly causes: RootCause[]; readonly aligned: ApiSchema; readonly renames: Renames | null } {
  const { renames: known = NO_RENAMES } = options;
  const changes = compareSchemas(before, after);
  if (changes.length === 0) return { causes: [], aligned: before, renames: null };
  const { schema: aligned, causes: renamed, renames } = alignEntities(before, after, { ...style, known });
  const others = rollUp(
    renames ? compareSchemas(aligned, after) : changes,
    { before: aligned, after },
    style,
  );
  const models = { before: readSide(aligned, style).model, after: readSide(after, style).model };
  const toRootCause = createAssessor({ before: aligned, after }, options);
  const causes = [
    ...(renames ? renamed.map(createAssessor({ before, after: aligned }, options)) : []),
    ...mergeRenames(others, models, known).map(toRootCause),
  ].sort(
    (a, b) =>
      compareCodeUnits(a.change.coordinate, b.change.coordinate) ||
      compareCodeUnits(a.change.kind, b.change.kind) ||
      compareCodeUnits(a.change.after ?? "", b.change.after ?? ""),
  );
  return { causes, aligned, renames };
}

/** Creates a function that adds the severity to a cause of a difference between two schemas. */
function createAssessor(
  { before, after }: Sides<ApiSchema>,
  options: DiffOptions,
): (cause: RolledUp) => RootCause {
  const judge = createJudge(before, after, options);
  const types = { typesBefore: indexTypes(before), typesAfter: indexTypes(after) };
  return (cause) => {
    const { change, derivedChanges } = cause;
    const severities = derivedChanges.map(judge);
    const ofChange = judge(change);
    const severity = SEVERITIES.find((one) => one === ofChange || severities.includes(one)) ?? ofChange;
    return {
      ...cause,
      severity,
      worstDerived:
        severity === ofChange ? [] : derivedChanges.filter((_, index) => severities[index] === severity),
      derivedCoordinates: listCoordinates(cause, types),
    };
  };
}

/** Returns the coordinates of derived changes, and the members of each added or removed type or root. */
function listCoordinates({ change, derivedChanges }: RolledUp, types: ComparedTypes): readonly string[] {
  const coordinates = new Set(derivedChanges.map(({ coordinate }) => coordinate));
  for (const one of [change, ...derivedChanges]) {
    const type = findWholeType(one, types);
    if (type) visitMembers(type, (coordinate) => coordinates.add(coordinate));
  }
  return [...coordinates].sort(compareCodeUnits);
}

/** Renames entities of the schema before to their new names, so that other changes are not hidden by the rename. */
export function alignEntities(
  before: ApiSchema,
  after: ApiSchema,
  { known, ...style }: Pick<Style, "schemas" | "deriver"> & { readonly known: CertainRenames },
): { readonly schema: ApiSchema; readonly causes: readonly RolledUp[]; readonly renames: Renames | null } {
  const { model } = readSide(before, style);
  const entities = findEntityRenames(model, readSide(after, style).model, known);
  const renames =
    entities.length === 0 ? null : findDerivedRenames(before, { model, entities }, style.deriver);
  if (renames === null) return { schema: before, causes: [], renames };
  const schema = renameEntities(before, renames, entities);
  const types = { typesBefore: indexTypes(before), typesAfter: indexTypes(schema) };
  const changes = groupBy(compareSchemas(before, schema), (change) => ownerOf(change, renames));
  const causes = [...changes].flatMap(([owner, some]): RolledUp[] => {
    if (owner === undefined) return [];
    const { from, to } = owner;
    return [
      {
        origin: { kind: "entity", entity: from },
        change: { kind: "type-renamed", coordinate: from, before: from, after: to },
        layer: "entity",
        derivedChanges: some.filter(({ coordinate }) => coordinate !== from),
        derived: countChanges(some, types) - 1,
        renamed: renamedCoordinates(some, renames),
      },
    ];
  });
  return { schema, causes, renames };
}

/** Returns the renamed entity whose name is in the coordinate or the type of a change. */
function ownerOf({ kind, coordinate, before, after }: Change, { entities }: Renames) {
  const [type = "", member = ""] = coordinate.split(".");
  // Here, only roots have added or removed fields.
  const isRootField = kind === "field-added" || kind === "field-removed";
  const referencedType = /\w+/.exec(before ?? after ?? "")?.[0] ?? "";
  return entities.get(type) ?? entities.get(isRootField ? `.${member}` : referencedType);
}

function renamedCoordinates(
  changes: readonly Change[],
  { types, rootFields }: Renames,
): ReadonlyMap<string, string> {
  return new Map(
    changes.flatMap(({ coordinate, after }) => {
      const [type = "", member] = coordinate.split(".");
      const name = member === undefined ? types.get(type) : rootFields.get(member);
      if (after !== null || name === undefined) return [];
      return [[coordinate, member === undefined ? name : `${type}.${name}`] as const];
    }),
  );
}

/** The names that change with those of entities. */
export type Renames = {
  readonly types: ReadonlyMap<string, string>;
  readonly rootFields: ReadonlyMap<string, string>;
  /** The renamed entity of each name: types by both names, root fields by both names with a dot before them. */
  readonly entities: ReadonlyMap<string, EntityRename>;
};

/** Finds the names of a schema that change with the names of entities. Returns null if a new name is already in use. */
export function findDerivedRenames(
  schema: ApiSchema,
  { model, entities }: { readonly model: EntityModel; readonly entities: readonly EntityRename[] },
  deriver: Pick<Deriver, "renameDerived">,
): Renames | null {
  const authored = new Set(model.definitions.map(({ name }) => name));
  const roots = new Set(rootTypeNames(schema));
  const [types, rootFields] = [new Map<string, string>(), new Map<string, string>()];
  const owners = new Map<string, EntityRename>();
  for (const entity of entities) {
    const { from, to } = entity;
    const names = deriver.renameDerived(from, to);
    const isOfAnother = (name: string) => name !== from && authored.has(name);
    for (const type of schema.types) {
      const isRoot = roots.has(type.name);
      const other = isRoot || isOfAnother(type.name) ? null : names.type(type.name);
      if (other !== null) {
        types.set(type.name, other);
        owners.set(type.name, entity).set(other, entity);
      }
      for (const { name } of isRoot && type.kind === "OBJECT" ? type.fields : []) {
        const field = isOfAnother(name) ? null : names.rootField(name);
        if (field === null) continue;
        rootFields.set(name, field);
        owners.set(`.${name}`, entity).set(`.${field}`, entity);
      }
    }
  }
  const taken = new Set(schema.types.map(({ name }) => name));
  return [...types.values()].some((name) => taken.has(name)) ? null : { types, rootFields, entities: owners };
}

/** Returns a canonical schema with other names of its entities. */
export function renameEntities(
  schema: ApiSchema,
  { types, rootFields }: Renames,
  entities: readonly EntityRename[],
): ApiSchema {
  const roots = new Set(rootTypeNames(schema));
  const nameOf = (name: string) => types.get(name) ?? name;
  const typeOf = (type: string) => type.replace(/\w+/, nameOf);
  const input = (value: ApiInputValue): ApiInputValue => ({ ...value, type: typeOf(value.type) });
  const field = (value: ApiField): ApiField => ({
    ...value,
    type: typeOf(value.type),
    args: value.args.map(input),
  });
  /** Renames the names that the platform quotes in generated descriptions. */
  const describe = <T extends { readonly description: string | null }>(value: T): T => ({
    ...value,
    description:
      value.description?.replace(/(["`])(\w+)\1/g, (all, quote: string, word: string) => {
        const found = entities.find(({ from }) => word === from || word.startsWith(`${from}_`));
        return found ? `${quote}${found.to}${word.slice(found.from.length)}${quote}` : all;
      }) ?? null,
  });
  const rootField = (value: ApiField): ApiField => {
    const name = rootFields.get(value.name);
    return name === undefined ? field(value) : { ...describe(field(value)), name };
  };

  function rename(type: ApiType): ApiType {
    const own = types.has(type.name) ? { ...describe(type), name: nameOf(type.name) } : type;
    switch (own.kind) {
      case "OBJECT":
      case "INTERFACE":
        return {
          ...own,
          interfaces: own.interfaces.map(nameOf),
          fields: own.fields.map(roots.has(type.name) ? rootField : field),
        };
      case "UNION":
        return { ...own, possibleTypes: own.possibleTypes.map(nameOf) };
      case "INPUT_OBJECT":
        return { ...own, fields: own.fields.map(input) };
      default:
        return own;
    }
  }

  return canonicalize({ ...schema, types: schema.types.map(rename) });
}
