import { basename, dirname, isAbsolute, relative, resolve } from "node:path";
import { cached } from "../../base/collections.ts";
import { FileError, SchemaError, UsageError } from "../../base/errors.ts";
import { findFormerPath, readAtRef } from "../../base/git.ts";
import { readText } from "../../base/read-files.ts";
import { nearestName } from "../../base/text.ts";
import type { EntityModel } from "../../dialects/entity-model.ts";
import { styles } from "../../dialects/index.ts";
import { parseEntities } from "../../dialects/parse-entities.ts";
import { resolveOwnOptions, resolveOwnRelease } from "../../dialects/platform.ts";
import type { ResolvedProtocol } from "../../dialects/protocol.ts";
import { isOf, type Protocol, type StyleName, type Surface } from "../../dialects/surface.ts";
import { LEAST_SHARE, measureLikeness, overlapOf, shareOf } from "../../fleet/check-protocol.ts";
import type { Project } from "../../project/project.ts";
import { buildFileFinding } from "../../report/codes/files.ts";
import type { Finding } from "../../report/finding.ts";
import { findLostNames } from "../../workspace/check-definitions.ts";
import { readOperations } from "../../workspace/operations.ts";
import type { Snapshot } from "../../workspace/snapshot.ts";
import { snapshotModel } from "../../workspace/snapshot-schema.ts";
import { requireSnapshot, type Workspace } from "../../workspace/workspace.ts";
import { problemsOf, type SurfacePlan } from "./plan-surface.ts";

/** What is planned, and with what it is compared. */
export type PlanRequest = {
  /** The entity schema's file, from `cwd`; null for what the protocol's definition names. */
  readonly file: string | null;
  readonly cwd: string;
  /** Null for the one that the file is clearly of. */
  readonly protocol: string | null;
  /** Null for all that the protocol is deployed in. */
  readonly style: StyleName | null;
  /** Releases to derive for, by style; other styles have that of the definition or of the snapshot. */
  readonly releases: { readonly [S in StyleName]?: string };
  /** A git ref whose entity schema is compared with in place of the snapshots; null for none. */
  readonly against: string | null;
};

/** A request with everything read that it is about. */
export type ResolvedPlan = {
  /** Each once. */
  readonly files: readonly EntityFile[];
  /** Of the surfaces whose entity schema can be read. */
  readonly surfaces: readonly SurfacePlan[];
  /** What the protocol's definition names in vain once all of it is deployed. */
  readonly lost: readonly Finding[];
};

/**
 * Resolves what is planned: whose entity schemas, for which styles, and what they are compared with.
 *
 * @throws UsageError, FileError, SchemaError for snapshots that are missing or cannot be read.
 */
export async function resolvePlan(workspace: Workspace, request: PlanRequest): Promise<ResolvedPlan> {
  const { file, cwd, style, against, releases } = request;
  const { project } = workspace;
  const { root, definitions } = project;
  const given = file === null ? null : await readEntityFile(resolve(cwd, file), file, root);
  // Nothing is known of a file that does not parse, not even which protocol it is of.
  if (given?.model === null) return { files: [given], surfaces: [], lost: [] };

  const { snapshots } = workspace;
  const protocol = chooseProtocol(
    request.protocol,
    given?.model ?? null,
    definitions.map((definition) => ({
      protocol: definition.key,
      isOwner: isOwner(definition, given, root),
      models: () => snapshots.filter((snapshot) => snapshot.protocol === definition.key).map(snapshotModel),
    })),
  );
  const surfaces = chooseSurfaces(project, protocol, style);
  const [first] = surfaces;
  if (against === null && first && !surfaces.some((surface) => snapshots.some(isOf(surface)))) {
    requireSnapshot(workspace, first);
  }
  const definition = definitions.find(({ key }) => key === protocol);
  // Whoever names one of two files wants the other to stay what it is, unless they name the style as well.
  const isForAll = given !== null && (style !== null || !definition || !isOwner(definition, given, root));
  const files = isForAll ? surfaces.map(() => given) : await readOwn(surfaces, definition, given, root);
  const operations = await readOperations(workspace, surfaces);
  const rows = workspace.fleet;
  const plans = surfaces.map(async (surface, index): Promise<SurfacePlan[]> => {
    const entities = files[index];
    if (entities === undefined || entities.model === null) return [];
    const snapshot = snapshots.find(isOf(surface)) ?? null;
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
        earlier: against === null ? null : await readEarlier(entities, against),
        release: resolveRelease(surface.style, releases, definition),
        bytesType: resolveOwnOptions(definition, styles[surface.style]).bytesType,
        operations: operations.get(surface.id) ?? [],
        isOnlyStyle: surfaces.length === 1,
      },
    ];
  });
  const others = snapshots.filter((one) => one.protocol === protocol && !surfaces.some(isOf(one)));
  return {
    files: [...new Set(files)],
    surfaces: (await Promise.all(plans)).flat(),
    lost: definition ? findLost(definition, files, others) : [],
  };
}

/** @throws UsageError for a release in the definition that the platform does not have. */
function resolveRelease(
  style: StyleName,
  releases: PlanRequest["releases"],
  definition: ResolvedProtocol | undefined,
): SurfacePlan["release"] {
  const name = releases[style];
  if (name !== undefined) return { name, from: "caller" };
  const own = resolveOwnRelease(definition?.release, styles[style]);
  return own === undefined ? null : { name: own, from: "definition" };
}

/** Whether a definition names the file; where none is given, whether it names any. */
function isOwner({ entities }: ResolvedProtocol, given: EntityFile | null, root: string): boolean {
  return Object.values(entities).some(
    (own) => own !== undefined && (given === null || resolve(root, own) === given.path),
  );
}

/** Reads the entity schema that a definition names for each surface; where it names none, the given one. */
async function readOwn(
  surfaces: readonly Surface[],
  definition: ResolvedProtocol | undefined,
  given: EntityFile | null,
  root: string,
): Promise<EntityFile[]> {
  const read = new Map<string, Promise<EntityFile>>();
  const files = surfaces.map(({ protocol, style }) => {
    const name = definition?.entities[style];
    const path = name === undefined ? given?.path : resolve(root, name);
    if (path === given?.path && given !== null) return given;
    if (name !== undefined && path !== undefined) {
      return cached(read, path, () => readEntityFile(path, name, root));
    }
    throw new UsageError({
      sentence: `The definition of ${protocol} names no entity schema for its ${style} style.`,
      hint: `name the file: lockflow plan <entities.graphql> --protocol ${protocol}.`,
    });
  });
  return Promise.all(files);
}

/** What a file was at a ref, also where it had another name then. */
async function readEarlier({ path, name }: EntityFile, ref: string): Promise<SurfacePlan["earlier"]> {
  const [folder, file] = [dirname(path), basename(path)];
  const text = await readAtRef(folder, ref, file);
  const former = text === null ? await findFormerPath(folder, ref, file) : null;
  if (former === null) return { name: `${ref}:${name}`, text };
  return { name: `${ref}:${former.path}`, text: await readAtRef(former.top, ref, former.path) };
}

function chooseSurfaces(
  { surfaces }: Project,
  protocol: Protocol,
  style: StyleName | null,
): readonly Surface[] {
  const ofProtocol = surfaces.filter((surface) => surface.protocol === protocol);
  const chosen = ofProtocol.filter((surface) => style === null || surface.style === style);
  if (chosen.length > 0) return chosen;
  throw new UsageError({
    sentence: `${protocol} is not deployed in ${style} style.`,
    hint: `its styles are ${ofProtocol.map((surface) => surface.style).join(", ")}.`,
  });
}

/** What a definition names in vain, as far as all of its entities are known. */
function findLost(
  definition: ResolvedProtocol,
  files: readonly EntityFile[],
  others: readonly Snapshot[],
): readonly Finding[] {
  const models = files.flatMap(({ model }) => model ?? []);
  if (models.length < files.length) return [];
  const place = { file: files[0]?.file ?? "", line: null, column: null };
  return findLostNames(definition, [...models, ...others.map(snapshotModel)], place);
}

/** A protocol that an entity schema may be of. */
export type ProtocolCandidate = {
  readonly protocol: Protocol;
  /** Whether its definition names the very file. */
  readonly isOwner: boolean;
  /** The entity models of its snapshots, read when they are needed; none before there are any. */
  readonly models: () => readonly EntityModel[];
};

/**
 * Chooses the protocol that an entity schema is of: the one that is named, the only one there is, the one whose
 * definition names the file, or the one whose snapshots it is most like.
 *
 * @param model the entity schema; null where only a name tells.
 * @throws UsageError for a name that is none, and where no protocol is clearly the one.
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
      sentence: `There is no protocol "${named}" in this project.`,
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
        "It is not clear which entity schema is meant: no file is named, and no protocol alone has one.",
      hint: `name the file, lockflow plan <entities.graphql>, or a protocol with --protocol; ${listed}`,
    });
  }
  throw new UsageError({
    sentence: "It is not clear which protocol the entity schema is of.",
    context: ["its entities are like those of no snapshot, or of several alike"],
    hint: `name it with --protocol; ${listed}`,
  });
}

/** The protocol with the snapshot that the model has most in common with, if that is enough, and more than of others. */
function findNearest(model: EntityModel, candidates: readonly ProtocolCandidate[]): Protocol | undefined {
  const measured = candidates.flatMap(({ protocol, models }) =>
    models().map((known) => {
      const likeness = measureLikeness(known, model);
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

/** The file of an entity schema: what it is, or why no platform can read it. */
export type EntityFile = SurfacePlan["entities"] & {
  /** Absolute. */
  readonly path: string;
  /** Null where no platform can read it; `problems` say why. */
  readonly model: EntityModel | null;
  readonly problems: readonly Finding[];
};

/**
 * Reads an entity schema.
 *
 * @param path absolute.
 * @param name as errors and reports name it.
 * @param root the project's, from which findings name files.
 * @throws FileError
 */
export async function readEntityFile(path: string, name: string, root: string): Promise<EntityFile> {
  const text = await readText(path);
  if (text === null) {
    throw new FileError({
      code: "FILE_UNREADABLE",
      sentence: `There is no file "${name}".`,
      hint: "name the entity schema that is to be deployed.",
    });
  }
  const below = relative(root, path).replaceAll("\\", "/");
  // What a shell hands over, and what lies beside the project, has no path in it.
  const file = below.startsWith("../") || isAbsolute(below) ? name : below;
  const known = { path, name, file, text };
  try {
    return { ...known, model: parseEntities(text, name), problems: [] };
  } catch (error) {
    if (!(error instanceof SchemaError) || error.code === "SCHEMA_TOO_LARGE") throw error;
    const problems = problemsOf(error).map(({ reason, line, column }) =>
      buildFileFinding("plan/syntax", [reason], { place: { file, line, column } }),
    );
    return { ...known, model: null, problems };
  }
}
