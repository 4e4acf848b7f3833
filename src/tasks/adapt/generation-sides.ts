import { isEnumType, isInputObjectType, isScalarType } from "graphql";
import { orNull } from "../../base/errors.ts";
import { capitalize, endSentence } from "../../base/text.ts";
import { hasOldName, type Rename } from "../../compare/find-api-renames.ts";
import type { EntityModel } from "../../dialects/entity-model.ts";
import { AUTHORED_STYLE } from "../../dialects/portable-style.ts";
import type { ResolvedProtocol } from "../../dialects/protocol.ts";
import { isOf, type OfSurface, type Surface } from "../../dialects/surface.ts";
import type { Snapshot } from "../../workspace/snapshot.ts";
import { fileModel, snapshotModel } from "../../workspace/snapshot-schema.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type JudgedGroup, type JudgedNote, type JudgedOperation, placeOf } from "./adapt-group.ts";
import type { AdaptSchemas } from "./adapt-schemas.ts";
import type { AdaptOptions } from "./adapt-types.ts";
import { describeConfiguration, findConfiguration } from "./describe-configuration.ts";
import { usedTypes } from "./find-notes.ts";
import { compareImports, type Prepared, prepareSide } from "./prove-generated.ts";
import { type Group, isPortableUnit } from "./read-units.ts";
import { completeDefinition, renameDefinition } from "./rename-definition.ts";
import { certainRenames, entityNames, type Rewriting, type RewrittenUnit } from "./rewrite.ts";

/** The generated code of a group, before and after. */
export type GroupSides = {
  readonly prepare: (units: readonly RewrittenUnit[], when: "before" | "after") => Prepared;
  /** Proves that what an application imports stays the same, and adds notes about the rest. */
  readonly prove: (judged: JudgedGroup) => JudgedGroup;
};

/** The most versions of the other style that are tried. */
const MOST_TRIED = 50;

/** Creates a function that opens the sides of a group with what was renamed in each of its surfaces. */
export function createGenerationProof(
  workspace: Workspace,
  schemas: AdaptSchemas,
  configuration: { readonly file: string } & Pick<AdaptOptions, "to" | "prefix">,
) {
  const { project } = workspace;

  return async (
    group: Group,
    ofGroup: ReadonlyMap<string, Rewriting>,
    all: readonly Rewriting[],
  ): Promise<GroupSides | null> => {
    const protocol = group.units[0]?.surface.protocol;
    const definition = project.definitions.find(({ key }) => key === protocol);
    if (definition === undefined) return null;
    const surfaces = surfacesWithSnapshot(definition.key);
    const isPortable = group.units.some(isPortableUnit);
    const rewritings = [...ofGroup.values()];
    let sides = createSides(definition, surfaces, rewritings);
    for (const surface of surfaces.filter(({ id }) => !ofGroup.has(id))) {
      const candidates = [
        ...all.filter((rewriting) => isOf(surface)(rewriting.surface)).map(({ version }) => version),
        // Operations that move were not written for the new snapshot.
        ...(configuration.to === undefined ? [{ from: "", file: schemas.next(surface).base }] : []),
      ];
      // The other style may have no earlier version.
      const history = await orNull(() => schemas.versions(surface));
      for (let index = 0; index < MOST_TRIED + candidates.length; index++) {
        const version = candidates[index] ?? (await history?.at(index - candidates.length)) ?? null;
        if (version === null) break;
        const rewriting = schemas.rewriting(surface, { version, between: [] });
        const tried = createSides(definition, surfaces, rewriting ? [...rewritings, rewriting] : rewritings);
        const fits = isPortable
          ? tried
              .prepare(group.units.map(asRead), "before")
              .surfaces.every(({ compiled }) => !compiled?.isBroken)
          : rewritings.length === 0 ||
            hasOldNames(fileModel(surface.style, version.file), rowRenames(rewritings));
        if (!fits) continue;
        sides = tried;
        break;
      }
    }
    return { prepare: sides.prepare, prove: (judged) => proveGroup(judged, sides) };
  };

  /** Returns the surfaces of a protocol with a snapshot. Only those with operations need one. */
  function surfacesWithSnapshot(protocol: string) {
    const { to = protocol } = configuration;
    return project.surfaces.filter(
      (surface) =>
        surface.protocol === protocol &&
        [protocol, to].every((key) => workspace.snapshot({ protocol: key, style: surface.style }) !== null),
    );
  }

  /** Creates the sides of a group. A surface without a rewriting has the new snapshot on both sides. */
  function createSides(
    definition: ResolvedProtocol,
    surfaces: readonly Surface[],
    rewritings: readonly Rewriting[],
  ) {
    const { to = definition.key } = configuration;
    const snapshotOf = (surface: OfSurface, when: "before" | "after"): Snapshot => {
      const { base } = schemas.next(surface);
      if (when === "after") return { ...surface, protocol: to, base, variants: [] };
      const rewriting = rewritings.find((candidate) => isOf(surface)(candidate.surface));
      return { ...surface, base: rewriting?.version.file ?? base, variants: [] };
    };
    // Portable operations are written for it, also where it is not deployed.
    const authored = { protocol: definition.key, style: AUTHORED_STYLE };
    const isDeployed = surfaces.some(isOf(authored));
    const snapshots = {
      before: surfaces.map((surface) => snapshotOf(surface, "before")),
      after: surfaces.map((surface) => snapshotOf(surface, "after")),
    };
    const models = { before: snapshots.before.map(snapshotModel), after: snapshots.after.map(snapshotModel) };
    const rows = rowRenames(rewritings);
    const old = renameDefinition(definition, invertRows(rows), {
      source: models.after,
      target: models.before,
    });
    const renamed = renameDefinition(old, rows, { source: models.before, target: models.after });
    const target = project.definitions.find(({ key }) => key === to);
    const { prefix = "" } = configuration;
    const { updatedBy } = renamed;
    // The operation moves too.
    const moved = updatedBy && {
      ...updatedBy,
      operation: prefix === "" ? updatedBy.operation : prefix + capitalize(updatedBy.operation),
    };
    const now =
      to === definition.key || target === undefined
        ? renamed
        : completeDefinition(target, { ...renamed, updatedBy: moved });
    const types = new Map(rewritings.flatMap(({ names }) => [...names.types]));
    const back = new Map([...types].map(([from, name]) => [name, from]));
    const scalars = (names: ReadonlyMap<string, string>) =>
      Object.fromEntries(
        Object.entries(project.scalars).flatMap(([name, type]) => [
          [name, type],
          [names.get(name) ?? name, type],
        ]),
      );
    const entities = entityNames(rows);
    return {
      definition,
      now,
      target: target ?? definition,
      rewritings,
      rows,
      entities,
      types,
      models,
      prepare: (units: readonly RewrittenUnit[], when: "before" | "after") =>
        prepareSide({
          definition: when === "before" ? old : now,
          snapshots: snapshots[when],
          derived:
            !isDeployed && units.some(({ unit }) => isOf(authored)(unit.surface))
              ? snapshotOf(authored, when)
              : null,
          scalars: scalars(when === "before" ? back : types),
          sources: units
            .filter(({ unit }) => unit.inFile === undefined)
            .map(({ unit, text }) => ({
              folder: when === "before" ? unit.folder : unit.folder.replace(definition.key, to),
              path: unit.path,
              text: when === "before" ? unit.text : text,
            })),
        }),
    };
  }

  type Sides = ReturnType<typeof createSides>;

  function proveGroup(judged: JudgedGroup, sides: Sides): JudgedGroup {
    const before = sides.prepare(judged.units, "before");
    const after = sides.prepare(judged.units, "after");
    // Earlier problems are not a reason to keep the old names.
    const isOld = (code: string | null, subject: string) =>
      code !== null &&
      before.problems.some((problem) => problem.code === code && problem.subject === subject);
    const problems = after.problems.filter(({ code, subject }) => !isOld(code, subject));
    const differences = compareImports(before, after, sides);
    const ids = Object.keys(sides.definition.ids).flatMap((entity) => {
      const name = sides.entities.get(entity);
      return name === undefined
        ? []
        : [`The functions and types of ids of ${entity} are those of ${name} now.`];
    });
    const configurationNotes = noteConfiguration(sides);
    const first = judged.operations.find(({ isChanged }) => isChanged);
    const operations = judged.operations.map((operation): JudgedOperation => {
      if (!operation.isChanged) return operation;
      const place = placeOf(operation);
      const isPortable = isPortableUnit(operation.unit);
      const reasons = [...operation.reasons];
      for (const { message, subject, place: at } of problems) {
        const isOwn = subject === operation.name || at?.file === operation.unit.path;
        const isOfFragment = operation.fragments.some(({ name }) => name.value === subject);
        if (!isOwn && !isOfFragment && at !== null) continue;
        reasons.push({
          code: isPortable ? "adapt/not-portable" : "adapt/not-valid",
          message: endSentence(isPortable ? describeLate(sides, message) : message),
          ...place,
        });
      }
      for (const { message } of differences.filter((difference) => difference.operation === operation.name)) {
        reasons.push({ code: "adapt/other-answer", message, ...place });
      }
      const typeNote = (message: string) => ({ code: "adapt/type-name", message, ...place }) as const;
      const notes = [
        ...operation.notes,
        ...noteTypes(operation, sides).map(typeNote),
        ...(isPortable ? [] : noteOneStyle(operation, sides).map((note) => ({ ...note, ...place }))),
        ...(operation === first ? ids.map(typeNote) : []),
        ...configurationNotes,
      ];
      return { ...operation, reasons, notes };
    });
    return { ...judged, operations };
  }

  /** Adds that one style still has the old names, if a portable operation does not compile because of it. */
  function describeLate({ rows, models }: Sides, message: string): string {
    if (!models.after.some((model) => hasOldNames(model, rows))) return message;
    return `${endSentence(message)} One style still has the old names: wait, or keep the operation in one style.`;
  }

  function noteOneStyle({ unit }: JudgedOperation, { rows }: Sides) {
    const late = surfacesWithSnapshot(unit.surface.protocol).filter(
      (surface) =>
        surface.style !== unit.surface.style && hasOldNames(snapshotModel(schemas.next(surface)), rows),
    );
    return late.map(({ style }) => ({
      code: "adapt/one-style" as const,
      message: `The ${style} style of ${unit.surface.protocol} still has the old names.`,
    }));
  }

  function noteConfiguration({ target, now, types }: Sides): JudgedNote[] {
    const changes = findConfiguration({ definition: target, now, scalars: project.scalars }, types);
    if (changes.length === 0) return [];
    const note = { code: "adapt/configuration", message: describeConfiguration(changes) } as const;
    return [{ ...note, file: configuration.file, line: 1, column: 1, configuration: changes }];
  }
}

function asRead(unit: Group["units"][number]): RewrittenUnit {
  return { unit, edits: [], text: unit.text, document: unit.document, rewritten: new Map() };
}

function rowRenames(rewritings: readonly Rewriting[]): Rename[] {
  return certainRenames(rewritings, ["entity", "field"]);
}

function invertRows(rows: readonly Rename[]): Rename[] {
  const entities = entityNames(rows);
  return rows.map((row) => ({
    ...row,
    owner: row.owner === null ? null : (entities.get(row.owner) ?? row.owner),
    from: row.to,
    to: row.from,
  }));
}

function hasOldNames(model: EntityModel, rows: readonly Rename[]): boolean {
  return rows.some((row) => hasOldName(model, row));
}

/** Lists the exported types of an operation that have new names: enums and inputs. */
function noteTypes(
  { rewritten, unit }: JudgedOperation,
  {
    rewritings,
    types,
  }: { readonly rewritings: readonly Rewriting[]; readonly types: ReadonlyMap<string, string> },
): string[] {
  const schema = rewritings.find(({ surface }) => isOf(unit.surface)(surface))?.before.graphql;
  if (rewritten === null || schema === undefined) return [];
  const isExported = (name: string) => {
    const type = schema.getType(name);
    return types.has(name) && (isEnumType(type) || isInputObjectType(type) || isScalarType(type));
  };
  return usedTypes(rewritten.before, schema)
    .filter(isExported)
    .map((name) => `The exported type ${name} is called ${types.get(name)} now.`);
}
