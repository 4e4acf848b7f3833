import { relative, sep } from "node:path";
import type { DefinitionNode } from "graphql";
import { listSome } from "../../base/clean-text.ts";
import { compareCodeUnits } from "../../base/collections.ts";
import { FileError, orNull } from "../../base/errors.ts";
import type { OutputFile } from "../../base/output-file.ts";
import { isOf, type OfSurface, surfaceId } from "../../dialects/surface.ts";
import type { ServedVariant } from "../../operations/validate-operations.ts";
import { findConfig } from "../../project/load-project.ts";
import { noOperations } from "../../workspace/generation-inputs.ts";
import { servedVariants } from "../../workspace/operations.ts";
import { snapshotPath } from "../../workspace/snapshot.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type JudgedGroup, type JudgedOperation, judgeGroup, placeOf } from "./adapt-group.ts";
import { type AdaptSchemas, openSchemas, shareCertain } from "./adapt-schemas.ts";
import type { Adapted, AdaptOptions } from "./adapt-types.ts";
import { parseRenames, requireApplying, type StatedRename } from "./confirm-renames.ts";
import {
  describeGroup,
  describeUnread,
  editFiles,
  listConfiguration,
  listRenames,
  noteConfigurationOnce,
} from "./describe-plan.ts";
import { documentOf, findMerged } from "./find-notes.ts";
import { createGenerationProof } from "./generation-sides.ts";
import { moveGroups, openMove } from "./move-operations.ts";
import { type Fit, findFits, isReadable } from "./old-schema.ts";
import { placeCode } from "./place-code.ts";
import { findErrors } from "./prove.ts";
import { type Group, readUnits, type Unit } from "./read-units.ts";
import { requireSource } from "./read-versions.ts";
import { isRefused, refuseInCode, refuseNeverValid, refuseTogether } from "./refuse-groups.ts";
import { certainRenames, type Rewriting } from "./rewrite.ts";

/** The changes of a run, before anything is written. */
type AdaptPlan = Pick<Adapted, "operations" | "renames" | "notes" | "configuration"> & {
  readonly files: readonly OutputFile[];
  readonly removals: readonly string[];
  /** The contents of changed files as they were read; null for new ones. */
  readonly contents: ReadonlyMap<string, string | null>;
};

/** Plans how the operations of a project are adapted. */
export async function planAdapt(workspace: Workspace, options: AdaptOptions): Promise<AdaptPlan> {
  const { project } = workspace;
  const stated = parseRenames(options.renames ?? []);
  const move = openMove(workspace, options);
  const read = await readUnits(workspace);
  // After a move, there are none left in the folders that it read.
  if (move === null && read.groups.length + read.unread.length === 0) throw noOperations(project);
  const schemas = openSchemas(workspace, options, stated);
  const isFile = ({ inFile }: Unit) => inFile === undefined;
  const groups =
    move === null
      ? await placeCode(read.groups, schemas)
      : // Code imports its documents from nowhere, so it does not move.
        read.groups.map(({ units }) => ({ units: units.filter(isFile) }));
  const notes = new Set<string>();
  const note = (sentence: string) => notes.add(sentence);
  const pathOf = (surface: OfSurface) => `${project.output}/${snapshotPath(surface)}`;
  const oldSchemas = await findOldSchemas(groups, schemas, { note, pathOf });
  const alone = schemas.all();
  // Nothing has read it if all operations are valid.
  if (alone.length === 0) await requireSource(project, options);
  const rewritings = new Map(alone.map((rewriting) => [rewriting, shareCertain(rewriting, alone)]));
  await requireStated(stated, [...rewritings.values()], { schemas, groups });
  const file = findConfig(options.cwd, options.config);
  const openSides = createGenerationProof(workspace, schemas, {
    file: file === null ? "lockflow.config.ts" : relative(project.root, file).split(sep).join("/"),
    to: options.to,
    prefix: options.prefix,
  });
  const fleet = (surface: OfSurface) => servedVariants(schemas.next(surface), workspace.fleet);
  const planning = { ...oldSchemas, rewritings, openSides, schemas, fleet, isMoved: move !== null };
  const judged: JudgedGroup[] = [];
  for (const group of groups) {
    const judgedGroup = await noteServed(await judgePlanned(group, planning), planning);
    const invalid = findInvalidFragments(judgedGroup, schemas);
    if (invalid === undefined) judged.push(judgedGroup);
    else note(`${invalid} stays: no operation uses its fragments, and the new schema does not accept them.`);
  }
  if (options.from === undefined && move === null) {
    for (const surface of await findUnchanged(groups, schemas)) {
      note(
        `${pathOf(surface)} has not changed since its first commit: run \`lockflow introspect\`. If indexers were merged into another protocol, use --to.`,
      );
    }
  }
  const moved = move === null ? null : moveGroups(judged, move);
  const results = noteConfigurationOnce(moved?.groups.map(refuseTogether) ?? judged);
  const accepted = results.filter(({ operations }) => !operations.some(isRefused));
  const describe = (group: JudgedGroup) =>
    describeGroup(
      group,
      ({ path }) => moved?.paths.get(path) ?? path,
      ({ surface }) => pathOf(surface),
    );
  return {
    operations: [...results.flatMap(describe), ...read.unread.map(describeUnread)].sort(
      (a, b) => compareCodeUnits(a.surface, b.surface) || compareCodeUnits(a.file, b.file),
    ),
    renames: listRenames([...rewritings.values()]),
    removals: [],
    ...(moved ?? editFiles(accepted, read)),
    notes: [...notes, ...(moved?.notes ?? [])],
    configuration: listConfiguration(results),
  };
}

/** Returns the path of a file of a group without operations that is not valid with the new names either. */
function findInvalidFragments({ units, operations }: JudgedGroup, { isValid }: AdaptSchemas) {
  if (operations.length > 0) return undefined;
  return units.find(({ unit, document }) => document.definitions.some((node) => !isValid(node, unit.surface)))
    ?.unit.path;
}

/** Returns the surfaces whose snapshots have no other version in git. */
async function findUnchanged(groups: readonly Group[], schemas: AdaptSchemas): Promise<OfSurface[]> {
  const unchanged: OfSurface[] = [];
  for (const surface of surfacesOf(groups)) {
    const versions = await orNull(() => schemas.versions(surface));
    if (versions && !versions.isShallow && (await versions.at(0)) === null) unchanged.push(surface);
  }
  return unchanged;
}

/** Returns the surfaces of groups, each once. */
function surfacesOf(groups: readonly Group[]): Iterable<OfSurface> {
  const surfaces = groups.flatMap(({ units }) => units.map(({ surface }) => surface));
  return new Map(surfaces.map((surface) => [surfaceId(surface), surface])).values();
}

/** The versions that groups are written for. */
type OldSchemas = {
  /** By group and surface. Surfaces without a changed definition are left out. */
  readonly fits: ReadonlyMap<Group, ReadonlyMap<string, Fit>>;
  readonly neverValid: ReadonlySet<DefinitionNode>;
};

/** Finds the versions that groups are written for, and makes the rewritings from these. */
async function findOldSchemas(
  groups: readonly Group[],
  schemas: AdaptSchemas,
  { note, pathOf }: { note: (sentence: string) => void; pathOf: (surface: OfSurface) => string },
): Promise<OldSchemas> {
  const fits = new Map(groups.map((group) => [group, new Map<string, Fit>()]));
  const neverValid = new Set<DefinitionNode>();
  for (const surface of surfacesOf(groups)) {
    const parts = groups.flatMap((group) => {
      const definitions = group.units
        .filter((unit) => isOf(surface)(unit.surface))
        .flatMap(({ document }) => document.definitions)
        .filter((node) => !schemas.isValid(node, surface));
      return definitions.length === 0 ? [] : [{ group, definitions }];
    });
    if (parts.length === 0) continue;
    const versions = await schemas.versions(surface);
    const fitting = await findFits(parts, versions, note);
    for (const [{ group }, fit] of fitting.fits) {
      if (fit === null && versions.isShallow) throw shallow(pathOf(surface));
      if (fit) schemas.rewriting(surface, fit);
      fits.get(group)?.set(surfaceId(surface), fit);
    }
    for (const node of fitting.neverValid) neverValid.add(node);
  }
  return { fits, neverValid };
}

function shallow(path: string): FileError {
  return new FileError({
    code: "FILE_UNREADABLE",
    sentence: `No version of ${path} in this shallow clone accepts the operations.`,
    hint: "fetch the whole history: `fetch-depth: 0` of actions/checkout, or `git fetch --unshallow`.",
  });
}

/** Checks the renames of the command line with the newest versions, if no operation needs an old schema. */
async function requireStated(
  stated: readonly StatedRename[],
  rewritings: readonly Rewriting[],
  { schemas, groups }: { readonly schemas: AdaptSchemas; readonly groups: readonly Group[] },
): Promise<void> {
  if (stated.length === 0) return;
  const candidates = [...rewritings];
  if (candidates.length === 0) {
    for (const surface of surfacesOf(groups)) {
      const version = await (await schemas.versions(surface)).at(0);
      const rewriting = version && schemas.rewriting(surface, { version, between: [] });
      if (rewriting) candidates.push(rewriting);
    }
  }
  requireApplying(
    stated,
    candidates.map(({ models }) => models),
  );
}

type Planning = OldSchemas & {
  /** By those that were found alone, each with what the other style proves. */
  readonly rewritings: ReadonlyMap<Rewriting, Rewriting>;
  readonly openSides: ReturnType<typeof createGenerationProof>;
  readonly schemas: AdaptSchemas;
  readonly isMoved: boolean;
  /** Returns the variants of a snapshot that chains serve. */
  readonly fleet: (surface: OfSurface) => readonly ServedVariant[];
};

async function judgePlanned(
  group: Group,
  { fits, neverValid, rewritings, openSides, schemas, isMoved }: Planning,
): Promise<JudgedGroup> {
  const isChanged = (node: DefinitionNode) =>
    group.units.some(
      ({ document, surface }) => document.definitions.includes(node) && !schemas.isValid(node, surface),
    );
  const ofSurfaces = fits.get(group) ?? new Map<string, Fit>();
  const isNeverValid = [...ofSurfaces.values()].includes(null);
  const ofGroup = new Map<string, Rewriting>();
  for (const { surface } of isNeverValid ? [] : group.units) {
    const fit = ofSurfaces.get(surfaceId(surface));
    const alone = fit ? schemas.rewriting(surface, fit) : null;
    const rewriting = alone && rewritings.get(alone);
    if (rewriting) ofGroup.set(surfaceId(surface), rewriting);
  }
  const all = [...rewritings.values()];
  const sides = ofGroup.size > 0 || (isMoved && !isNeverValid) ? await openSides(group, ofGroup, all) : null;
  const ofProtocol = all.filter(({ surface }) => surface.protocol === group.units[0]?.surface.protocol);
  const judged = judgeGroup(group, {
    isChanged,
    rewritings: ofGroup,
    values: certainRenames(ofProtocol, ["enum-value"]),
    isMoved: isMoved && !isNeverValid,
    prepare: (units, when) => sides?.prepare(units, when) ?? null,
  });
  if (isNeverValid) return refuseNeverValid(judged, neverValid);
  const proved = sides === null || judged.operations.some(isRefused) ? judged : sides.prove(judged);
  return refuseTogether(refuseInCode(proved));
}

/** Notes root fields with rows of another protocol, and chains with the old names. */
async function noteServed(
  judged: JudgedGroup,
  { rewritings, schemas, fleet }: Pick<Planning, "rewritings" | "schemas" | "fleet">,
): Promise<JudgedGroup> {
  const operations: JudgedOperation[] = [];
  for (const operation of judged.operations) {
    const { node, fragments, rewritten, unit } = operation;
    const rewriting = await newestRewriting(unit.surface, { rewritings, schemas });
    const notes = [...operation.notes];
    if (rewriting && !isRefused(operation)) {
      // A valid operation has the names of the new schema.
      const schema = operation.isChanged ? rewriting.before.graphql : rewriting.after.graphql;
      for (const { code, message } of findMerged(documentOf(node, ...fragments), schema, rewriting)) {
        notes.push({ code, message, ...placeOf(operation) });
      }
    }
    for (const { chains, schema } of rewritten ? fleet(unit.surface) : []) {
      const isLate = findErrors(schema(), rewritten?.after ?? documentOf()).length > 0;
      if (!isLate || findErrors(schema(), rewritten?.before ?? documentOf()).length > 0) continue;
      const message = `These chains still have the old names: ${listSome(chains, 6)}.`;
      notes.push({ code: "adapt/fleet", message, ...placeOf(operation) });
    }
    operations.push({ ...operation, notes });
  }
  return { ...judged, operations };
}

/** Returns what was renamed since the version that other operations are written for, else since the newest other one. */
async function newestRewriting(
  surface: OfSurface,
  { rewritings, schemas }: Pick<Planning, "rewritings" | "schemas">,
): Promise<Rewriting | null> {
  const other = [...rewritings.values()].find((rewriting) => isOf(surface)(rewriting.surface));
  if (other) return other;
  const version = await orNull(async () => (await schemas.versions(surface)).at(0));
  return version && isReadable(version) ? schemas.rewriting(surface, { version, between: [] }) : null;
}
