import { basename, dirname, isAbsolute, relative, resolve } from "node:path";
import { cached } from "../../base/collections.ts";
import { FileError, orNull, SchemaError, UsageError } from "../../base/errors.ts";
import { findMergeBase, readAtRef } from "../../base/git.ts";
import { readText } from "../../base/read-files.ts";
import { nearestName } from "../../base/text.ts";
import type { JudgingOptions } from "../../compare/judge-run.ts";
import type { EntityText } from "../../dialects/derive-entities.ts";
import type { EntityModel } from "../../dialects/entity-model.ts";
import { styles } from "../../dialects/index.ts";
import { parseEntities } from "../../dialects/parse-entities.ts";
import { resolveOwnOptions, resolveOwnRelease } from "../../dialects/platform.ts";
import type { ResolvedProtocol } from "../../dialects/protocol.ts";
import { isOf, type Protocol, type StyleName, type Surface } from "../../dialects/surface.ts";
import { LEAST_SHARE, measureLikeness, overlapOf, shareOf } from "../../fleet/check-protocol.ts";
import { missingEntityFile } from "../../project/missing-file.ts";
import type { Project } from "../../project/project.ts";
import { buildFileFinding } from "../../report/codes/files.ts";
import type { Finding } from "../../report/finding.ts";
import { findLostNames } from "../../workspace/check-definitions.ts";
import { readOperations } from "../../workspace/operations.ts";
import type { Snapshot } from "../../workspace/snapshot.ts";
import { snapshotModel } from "../../workspace/snapshot-schema.ts";
import { requireSnapshot, type Workspace } from "../../workspace/workspace.ts";
import type { GenerateOptions } from "../generate.ts";
import { problemsOf, type SurfacePlan, withText } from "./plan-surface.ts";

/** The options of `plan`. */
export type PlanOptions = GenerateOptions &
  JudgingOptions & {
    /** The file of the entity schema, from `cwd`. @default the file in the protocol's definition */
    readonly file?: string | undefined;
    /** Its protocol. @default the only one, the one whose definition names the file, or the most similar one */
    readonly protocol?: string | undefined;
    /** The only style to derive. @default all styles of the protocol */
    readonly style?: StyleName | undefined;
    /** Releases of the platforms: `{ subgraph: "graph-node-0.44" }`. @default the releases of the snapshots */
    readonly releases?: { readonly [S in StyleName]?: string | undefined } | undefined;
    /** A git ref: the file is compared with itself at the merge base instead of with the snapshots. @default none */
    readonly against?: string | undefined;
  };

/** A plan with everything read from disk. */
export type ResolvedPlan = {
  /** Each once. */
  readonly files: readonly EntityFile[];
  /** The surfaces whose entity schemas parse. */
  readonly surfaces: readonly SurfacePlan[];
  /** Findings for names in the protocol's definition that the planned entity schemas do not have. */
  readonly unknownNames: readonly Finding[];
};

/**
 * Resolves a request: reads the entity schemas, chooses protocol and styles, and reads what they are compared with.
 *
 * @throws UsageError, FileError, ConfigError, SchemaError for snapshots that are missing or cannot be read.
 */
export async function resolvePlan(workspace: Workspace, options: PlanOptions): Promise<ResolvedPlan> {
  const { file, cwd, style, against, releases = {} } = options;
  const { project } = workspace;
  const { root, definitions } = project;
  const entityFile = file === undefined ? null : await readEntityFile(resolve(cwd, file), file, root);
  if (file !== undefined && entityFile === null) {
    const sentence = `The file "${file}" does not exist.`;
    throw new FileError({ code: "FILE_UNREADABLE", sentence, hint: "pass the entity schema to deploy." });
  }
  // The protocol of a file that does not parse is unknown.
  if (entityFile?.model === null) return { files: [entityFile], surfaces: [], unknownNames: [] };

  const { snapshots } = workspace;
  const protocol = chooseProtocol(
    options.protocol ?? null,
    entityFile?.model ?? null,
    definitions.map((definition) => ({
      protocol: definition.key,
      isOwner: isOwner(definition, entityFile, root),
      models: () => snapshots.filter((snapshot) => snapshot.protocol === definition.key).map(snapshotModel),
    })),
  );
  const surfaces = chooseSurfaces(project, protocol, style);
  const [first] = surfaces;
  if (against === undefined && first && !surfaces.some((surface) => snapshots.some(isOf(surface)))) {
    requireSnapshot(workspace, first);
  }
  const definition = definitions.find(({ key }) => key === protocol);
  // A given file of the definition replaces that file only. With a style, or not in the definition, it is used for all.
  const isForAll =
    entityFile !== null && (style !== undefined || !definition || !isOwner(definition, entityFile, root));
  const files = await readConfigured(surfaces, {
    definition: isForAll ? undefined : definition,
    entityFile,
    root,
  });
  const operations = await readOperations(workspace, surfaces);
  const rows = workspace.fleet;
  const plans = surfaces.map(async (surface, index): Promise<SurfacePlan[]> => {
    const entities = files[index];
    if (entities === undefined || entities.model === null) return [];
    const snapshot = snapshots.find(isOf(surface)) ?? null;
    const earlier = against === undefined ? null : await readEarlier(entities, against);
    const path = definition?.entities[surface.style];
    return [
      {
        protocol,
        style: surface.style,
        entities,
        snapshot,
        variants: (snapshot?.variants ?? []).map((file) => ({
          file,
          deployments: rows.filter((row) => row.snapshot === file.path).map(({ name }) => name),
        })),
        earlier,
        authored:
          earlier === null ? await readAuthored(entities, path && resolve(root, path)) : withText(earlier),
        release: resolveRelease(surface.style, releases, definition),
        usualRelease: resolveOwnRelease(definition?.usualRelease, styles[surface.style]) ?? null,
        bytesType: resolveOwnOptions(definition, styles[surface.style]).bytesType,
        operations: operations.get(surface.id) ?? [],
        isOnlyStyle: surfaces.length === 1,
      },
    ];
  });
  const others = snapshots.filter(
    (snapshot) => snapshot.protocol === protocol && !surfaces.some(isOf(snapshot)),
  );
  return {
    files: [...new Set(files)],
    surfaces: (await Promise.all(plans)).flat(),
    unknownNames: definition ? findUnknownNames(definition, files, others) : [],
  };
}

/** @throws UsageError for a release in the definition that the platform does not have. */
function resolveRelease(
  style: StyleName,
  releases: NonNullable<PlanOptions["releases"]>,
  definition: ResolvedProtocol | undefined,
): SurfacePlan["release"] {
  const name = releases[style];
  if (name !== undefined) return { name, from: "caller" };
  const release = resolveOwnRelease(definition?.release, styles[style]);
  return release === undefined ? null : { name: release, from: "definition" };
}

/** Whether a definition names the given file, or any file if none is given. */
function isOwner({ entities }: ResolvedProtocol, entityFile: EntityFile | null, root: string): boolean {
  return Object.values(entities).some(
    (path) => path !== undefined && (entityFile === null || resolve(root, path) === entityFile.path),
  );
}

type ConfiguredFiles = {
  readonly definition: ResolvedProtocol | undefined;
  readonly entityFile: EntityFile | null;
  readonly root: string;
};

/** Reads the entity schema that a definition names for each surface; if it names none, uses the given file. */
async function readConfigured(
  surfaces: readonly Surface[],
  { definition, entityFile, root }: ConfiguredFiles,
): Promise<EntityFile[]> {
  const read = new Map<string, Promise<EntityFile>>();
  const files = surfaces.map(({ protocol, style }) => {
    const name = definition?.entities[style];
    const path = name === undefined ? entityFile?.path : resolve(root, name);
    if (path === entityFile?.path && entityFile !== null) return entityFile;
    if (definition && name !== undefined && path !== undefined) {
      return cached(read, path, async () => {
        const file = await readEntityFile(path, name, root);
        if (file === null) throw missingEntityFile(definition, style);
        return file;
      });
    }
    throw new UsageError({
      sentence: `The definition of ${protocol} names no entity schema for its ${style} style.`,
      hint: `pass the file: lockflow plan <entities.graphql> --protocol ${protocol}.`,
    });
  });
  return Promise.all(files);
}

/** Reads a file where the branch left a git ref, also if it had another name then. */
async function readEarlier({ path, name }: EntityFile, ref: string): Promise<SurfacePlan["earlier"]> {
  const [folder, file] = [dirname(path), basename(path)];
  const { base } = await findMergeBase(folder, ref);
  const earlier = (await readAtRef(folder, base, [file])).get(file);
  const isRenamed = earlier !== undefined && earlier.path !== file;
  return { name: `${ref}:${isRenamed ? earlier.path : name}`, text: earlier?.text ?? null };
}

/**
 * Reads the entity schema that was deployed before: the file of the definition if another one is planned, else the version at
 * `HEAD`. Null if there is none, or it does not parse.
 *
 * @param path the absolute path of the file of the definition.
 */
async function readAuthored(entities: EntityFile, path: string | undefined): Promise<EntityText | null> {
  // Without a repository or a commit, no version is known.
  return orNull(async () => {
    const text = path === undefined || path === entities.path ? null : await readText(path);
    const earlier =
      text === null ? withText(await readEarlier(entities, "HEAD")) : { name: path ?? "", text };
    if (earlier !== null) parseEntities(earlier.text, earlier.name);
    return earlier;
  });
}

function chooseSurfaces(
  { surfaces }: Project,
  protocol: Protocol,
  style: StyleName | undefined,
): readonly Surface[] {
  const ofProtocol = surfaces.filter((surface) => surface.protocol === protocol);
  const chosen = ofProtocol.filter((surface) => style === undefined || surface.style === style);
  if (chosen.length > 0) return chosen;
  throw new UsageError({
    sentence: `${protocol} is not deployed in ${style} style.`,
    hint: `its styles are ${ofProtocol.map((surface) => surface.style).join(", ")}.`,
  });
}

/** Finds names in a definition that no entity schema has. Finds none if an entity schema does not parse. */
function findUnknownNames(
  definition: ResolvedProtocol,
  files: readonly EntityFile[],
  others: readonly Snapshot[],
): readonly Finding[] {
  const models = files.flatMap(({ model }) => model ?? []);
  if (models.length < files.length) return [];
  const place = { file: files[0]?.file ?? "", line: null, column: null };
  return findLostNames(definition, [...models, ...others.map(snapshotModel)], place);
}

/** A possible protocol of an entity schema. */
export type ProtocolCandidate = {
  readonly protocol: Protocol;
  /** Whether its definition names the file. */
  readonly isOwner: boolean;
  /** Reads the entity models of its snapshots. */
  readonly models: () => readonly EntityModel[];
};

/**
 * Chooses the protocol of an entity schema: the named one, the only one, the one whose definition names the file, or the
 * one with the most similar snapshots.
 *
 * @param model the entity schema; null without a file.
 * @throws UsageError for an unknown name, and if no protocol is clearly the right one.
 */
export function chooseProtocol(
  named: string | null,
  model: EntityModel | null,
  candidates: readonly ProtocolCandidate[],
): Protocol {
  const names = candidates.map(({ protocol }) => protocol);
  const listed = `the protocols are ${names.join(", ")}.`;
  if (named !== null) {
    const protocol = names.find((name) => name === named);
    if (protocol !== undefined) return protocol;
    const nearest = nearestName(named, names);
    throw new UsageError({
      sentence: `This project has no protocol "${named}".`,
      hint: nearest === null ? listed : `did you mean "${nearest}"? Otherwise ${listed}`,
    });
  }
  const clear = only(names) ?? only(candidates.filter(({ isOwner }) => isOwner))?.protocol;
  if (clear !== undefined) return clear;
  const nearest = model === null ? undefined : findNearest(model, candidates);
  if (nearest !== undefined) return nearest;
  if (model === null) {
    throw new UsageError({
      sentence:
        "No entity schema to plan: no file is given, and not exactly one protocol's definition names one.",
      hint: `pass the file, lockflow plan <entities.graphql>, or choose a protocol with --protocol; ${listed}`,
    });
  }
  throw new UsageError({
    sentence: "The protocol of the entity schema is not clear.",
    context: ["its entities are similar to no snapshot, or equally similar to several"],
    hint: `choose it with --protocol; ${listed}`,
  });
}

/** Finds the protocol with the most similar snapshot; undefined if none is similar enough, or two are equally similar. */
function findNearest(model: EntityModel, candidates: readonly ProtocolCandidate[]): Protocol | undefined {
  const measured = candidates.flatMap(({ protocol, models }) =>
    models().map((other) => {
      const likeness = measureLikeness(other, model);
      return { protocol, isAlike: shareOf(likeness) >= LEAST_SHARE, overlap: overlapOf(likeness) };
    }),
  );
  const most = Math.max(...measured.map(({ overlap }) => overlap));
  const nearest = measured.filter(({ isAlike, overlap }) => isAlike && overlap === most);
  return only([...new Set(nearest.map(({ protocol }) => protocol))]);
}

function only<T>(items: readonly T[]): T | undefined {
  return items.length === 1 ? items[0] : undefined;
}

/** A file with an entity schema, and its model or its problems. */
export type EntityFile = SurfacePlan["entities"] & {
  /** Absolute. */
  readonly path: string;
  /** Null if the file does not parse; `problems` contains the reasons. */
  readonly model: EntityModel | null;
  readonly problems: readonly Finding[];
};

/**
 * Reads an entity schema; null if the file does not exist.
 *
 * @param path absolute.
 * @param name the name of the file in errors and reports.
 * @param root the project's root, to which paths in findings are relative.
 */
async function readEntityFile(path: string, name: string, root: string): Promise<EntityFile | null> {
  const text = await readText(path);
  if (text === null) return null;
  const below = relative(root, path).replaceAll("\\", "/");
  // Process substitutions of a shell and files outside the project have no path inside it.
  const file = below.startsWith("../") || isAbsolute(below) ? name : below;
  const facts = { path, name, file, text };
  try {
    return { ...facts, model: parseEntities(text, name), problems: [] };
  } catch (error) {
    if (!(error instanceof SchemaError) || error.code === "SCHEMA_TOO_LARGE") throw error;
    const problems = problemsOf(error).map(({ reason, line, column }) =>
      buildFileFinding("plan/syntax", [reason], { place: { file, line, column } }),
    );
    return { ...facts, model: null, problems };
  }
}
